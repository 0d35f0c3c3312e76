import { removedItems } from '../../json/textEdit';
import { listMember } from '../../workflow/graph/members';
import { type GraphRule, levelObject } from '../graphRule';
import { textsFix } from '../ruleFinding';
import { t } from '../../safety/localize';

/** `null` among links or groups, at which the editor stops reading the file. */
export const nullEntries: GraphRule = (view, report) => {
  for (const name of ['links', 'groups']) {
    const items = listMember(levelObject(view), name);
    const first = items.find(({ kind }) => kind === 'null');
    if (!first) continue;
    report({
      code: 'editor-null-entry',
      range: first,
      message: t`${name} contains null, so the ComfyUI editor can't open the file. Remove it.`,
      fix: textsFix(
        t`Remove null from ${name}`,
        removedItems(items, ({ kind }) => kind === 'null'),
      ),
    });
  }
};
