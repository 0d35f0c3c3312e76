import { replaceValue } from '../../json/textEdit';
import { linkText } from '../../workflow/graph/graphLinks';
import { listMember, objectsIn } from '../../workflow/graph/members';
import { type GraphRule, levelObject } from '../graphRule';
import { textsFix } from '../ruleFinding';
import { plural, t } from '../../safety/localize';

/** Links that are objects in a version 0.4 file, where the editor expects lists. */
export const linkObjects: GraphRule = (view, report) => {
  const level = levelObject(view);
  const version = level?.get('version');
  if (version?.kind !== 'number' || version.value !== 0.4) return;
  const objects = objectsIn(listMember(level, 'links'));
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
      objects.map((link) => replaceValue(link, linkText(text, link, {}, true))),
    ),
  });
};
