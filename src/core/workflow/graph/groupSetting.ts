import type { GroupDefinition } from './graph';
import { objectMember } from './members';

/** What the author of a group set for an inner node: names and visibility of its inputs and outputs. */
export function groupSetting(
  group: GroupDefinition,
  index: number,
  side: 'input' | 'output',
  name: string,
): {
  readonly name: string | undefined;
  readonly visible: boolean | undefined;
} {
  const setting = objectMember(objectMember(objectMember(group.config, String(index)), side), name);
  const [shownName, visible] = [setting?.get('name'), setting?.get('visible')];
  return {
    name: shownName?.kind === 'string' ? shownName.value : undefined,
    visible: visible?.kind === 'boolean' ? visible.value : undefined,
  };
}
