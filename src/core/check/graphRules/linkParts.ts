import { levelCounters, largestId, listMember, objectsAmong } from '../../workflow/graph/members';
import { type GraphRule, levelObject } from '../graphRule';
import { plural, t } from '../../safety/localize';
import { removedItems, replaceValue } from '../../json/textEdit';
import { textsFix } from '../ruleFinding';
import { graphLinkText } from '../../workflow/graph/graphLinks';

/** The editor takes the IDs of new links from the counter and overwrites existing links. */
export const linkCounter: GraphRule = (view, report) => {
  const largest = largestId(view.level.rows.map(({ id }) => id));
  for (const counter of levelCounters(levelObject(view), 'link')) {
    if (counter.value >= largest) continue;
    report({
      code: 'editor-link-counter',
      range: counter,
      message: t`last_link_id is ${counter.text}, but link ${largest} exists. The ComfyUI editor numbers new links from this value and would overwrite existing ones. Change it to ${largest}.`,
      fix: { kind: 'replaceText', range: counter, texts: [String(largest)] },
    });
  }
};

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

/** Links that are objects in a version 0.4 file, where the editor expects lists. */
export const linkObjects: GraphRule = (view, report) => {
  const level = levelObject(view);
  const version = level?.get('version');
  if (version?.kind !== 'number' || version.value !== 0.4) return;
  const objects = objectsAmong(listMember(level, 'links'));
  const [first] = objects;
  if (!first) return;
  const { text } = view.graph.document;
  report({
    code: 'editor-link-objects',
    range: first,
    message: plural(
      objects.length,
      t`In version 0.4 files, links must be lists, so the ComfyUI editor loses this one. Write it as [id, node, slot, node, slot, type].`,
      t`In version 0.4 files, links must be lists, so the ComfyUI editor loses ${objects.length} of them. Write them as [id, node, slot, node, slot, type].`,
    ),
    fix: textsFix(
      t`Convert Links to Lists`,
      objects.map((link) => replaceValue(link, graphLinkText(text, link, {}, true))),
    ),
  });
};
