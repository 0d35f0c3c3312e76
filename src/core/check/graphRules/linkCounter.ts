import { countersOf } from '../../workflow/graph/members';
import { type GraphRule, levelObject } from '../graphRule';
import { t } from '../../safety/localize';

/**
 * A link counter below the existing link IDs: the editor takes the IDs of new links from it and overwrites existing
 * links, even while it upgrades an old file.
 */
export const linkCounter: GraphRule = (view, report) => {
  let largest = 0;
  for (const { id } of view.level.rows) {
    const number = Number(id);
    if (Number.isSafeInteger(number) && number > largest) largest = number;
  }
  for (const counter of countersOf(levelObject(view), 'link')) {
    if (counter.value >= largest) continue;
    report({
      code: 'editor-link-counter',
      range: counter,
      message: t`last_link_id is ${counter.text}, but link ${largest} exists. The ComfyUI editor numbers new links from this value and would overwrite existing ones. Change it to ${largest}.`,
      fix: { kind: 'replaceText', range: counter, texts: [String(largest)] },
    });
  }
};
