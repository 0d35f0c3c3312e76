import type { GroupDefinition } from './graph';
import { objectMember } from './members';

/** What the author of a group set for an inner node: names and visibility of its inputs and outputs. */
export function groupSetting(
  group: GroupDefinition,
  index: number,
  side: 'input' | 'output',
  name: string,
): {
  readonly name?: string;
  readonly visible?: boolean;
} {
  const setting = objectMember(objectMember(objectMember(group.config, String(index)), side), name);
  const [shownName, visible] = [setting?.get('name'), setting?.get('visible')];
  return {
    ...(shownName?.kind === 'string' ? { name: shownName.value } : {}),
    ...(visible?.kind === 'boolean' ? { visible: visible.value } : {}),
  };
}
