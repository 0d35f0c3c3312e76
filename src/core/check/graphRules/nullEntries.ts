import type { JsonNode, JsonRange } from '../../json/node';
import { listMember } from '../../workflow/graph/members';
import { type GraphRule, levelObject } from '../graphRule';
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
      fix: {
        kind: 'replaceTexts',
        title: t`Remove null From ${name}`,
        places: runsOfNull(items).map((range) => ({ range, text: '' })),
      },
    });
  }
};

/** What to remove so that no null is left, each with its comma. */
function runsOfNull(items: readonly JsonNode[]): JsonRange[] {
  const runs: JsonRange[] = [];
  for (let start = 0; start < items.length; start++) {
    if (items[start]?.kind !== 'null') continue;
    let end = start;
    while (items[end + 1]?.kind === 'null') end++;
    const [first, last, before, after] = [items[start], items[end], items[start - 1], items[end + 1]];
    const from = before ? before.offset + before.length : first?.offset;
    const to = !before && after ? after.offset : last && last.offset + last.length;
    if (from !== undefined && to !== undefined) runs.push({ offset: from, length: to - from });
    start = end;
  }
  return runs;
}
