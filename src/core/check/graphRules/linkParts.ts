import { levelCounters, largestId, listMember, objectsAmong, readId } from '../../workflow/graph/members';
import { type GraphRule, levelObject, graphNodeLabel } from '../graphRule';
import { nodesInWords } from '../wording';
import { t } from '../../safety/localize';
import { removedItems, replaceValue } from '../../json/textEdit';
import { textsFix } from '../rule';
import { graphLinkText, subgraphInputId, subgraphOutputId, linksFrom } from '../../workflow/graph/graphLinks';
import type { JsonNode, JsonObject } from '../../json/node';

/**
 * Links at slots of a subgraph instance that its definition no longer has. Slots are matched by name (workflows 1.4),
 * and unmatched ones are dropped with their links. Slots without a link are leftovers that nobody misses.
 */
export const subgraphSlots: GraphRule = ({ level, graph }, report) => {
  for (const node of level.nodes) {
    const definition = graph.subgraphs.get(node.type);
    if (!definition) continue;
    const owner = graphNodeLabel({ ...node, title: node.title ?? definition.name });
    const say = (message: string, range: JsonObject): void => {
      report({ code: 'stale-subgraph-slot', range: range.get('name') ?? range, message, explains: [range] });
    };
    const [inputs, outputs] = [namesOf(definition.inputs), namesOf(definition.outputs)];
    for (const slot of node.inputs) {
      if (slot.link === undefined || inputs.has(slot.name)) continue;
      say(
        t`${owner} has a link at its input ${slot.name}, which the subgraph ${definition.name} no longer has, so the link is lost. Add this input to the subgraph again, or reconnect the link.`,
        slot.node,
      );
    }
    for (const [index, slot] of node.outputs.entries()) {
      if (outputs.has(slot.name) || linksFrom(level, node.id, index).length === 0) continue;
      say(
        t`${owner} has a link at its output ${slot.name}, which the subgraph ${definition.name} no longer has, so the link is lost. Add this output to the subgraph again, or reconnect the link.`,
        slot.node,
      );
    }
  }
};

function namesOf(slots: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(slots.map(({ name }) => name));
}

/** The links listed at outputs don't matter, because the editor rewrites them. */
export const danglingLinks: GraphRule = ({ level, nodes, subgraph, definitionOf }, report) => {
  const taken = new Map<string, JsonNode | undefined>();
  for (const node of level.nodes) {
    for (const slot of node.inputs) {
      if (slot.link !== undefined) taken.set(slot.link, slot.node);
      const named = slot.node.get('link');
      const id = readId(named);
      if (!named || id === undefined || slot.link !== undefined) continue;
      const input = definitionOf(node)?.inputs.find(({ name }) => name === slot.name);
      const isNeeded = input?.section === 'required' && slot.widget === undefined;
      report({
        code: 'dangling-link',
        range: named,
        explains: [slot.node],
        // As the ComfyUI editor does. An input that needs a link is then missing.
        fix: isNeeded ? undefined : { kind: 'replaceText', range: named, texts: ['null'] },
        message: t`${slot.name} of ${graphNodeLabel(node)} refers to link ${id}, which is not in the list of links. Connect it again.`,
      });
    }
  }
  const edges = subgraph ? [subgraphInputId, subgraphOutputId] : [];
  for (const [id, links] of level.bySlot) {
    if (nodes.has(id) || edges.includes(id)) for (const link of links) taken.set(link.id, undefined);
  }
  for (const link of level.links.values()) {
    const { id, originId, targetId, node } = link;
    if (nodes.has(originId) && nodes.has(targetId)) continue;
    const missing = [originId, targetId].filter((each) => !nodes.has(each) && !edges.includes(each));
    const [first] = missing;
    // An input that names a link to nowhere is reported with its fix.
    if (first === undefined || (first === targetId && level.shared.has(link))) continue;
    const slot = taken.get(id);
    report({
      code: 'dangling-link',
      // A leftover that no input uses has no effect.
      severity: taken.has(id) ? undefined : 'hint',
      range: node,
      explains: slot && [slot],
      fix: { kind: 'cutRow', places: [node] },
      message: t`Link ${id} refers to ${nodesInWords(missing.map(String))}, but there is no such node. Remove the link, or connect it again.`,
    });
  }
};

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
    message: t`In version 0.4 files, links must be lists, so the ComfyUI editor loses ${objects.length} of them. Write each as [id, node, slot, node, slot, type].`,
    fix: textsFix(
      t`Convert Links to Lists`,
      objects.map((link) => replaceValue(link, graphLinkText(text, link, {}, true))),
    ),
  });
};
