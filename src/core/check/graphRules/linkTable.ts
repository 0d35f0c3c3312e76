import { entryAt, listAt, mapDefined } from '../../safety/lists';
import type { JsonNode } from '../../json/node';
import {
  appendItem,
  removedAt,
  replaceValue,
  setProperty,
  type TextEdit,
  sourceTextIn,
} from '../../json/textEdit';
import { type GraphLink, linkOwners, partNode, subgraphOutputId } from '../../workflow/graph/graphLinks';
import type { GraphInput, GraphNode } from '../../workflow/graph/graphNode';
import { groupByKey } from '../../workflow/graph/grouped';
import type { LiveInput } from '../../workflow/graph/liveNode';
import { readId, listMember } from '../../workflow/graph/members';
import {
  type GraphRule,
  graphNodeLabel,
  levelObject,
  type LevelView,
  linkHere,
  slotName,
} from '../graphRule';
import { type RuleFinding, textsFix } from '../rule';
import { listText, t } from '../../safety/localize';

/**
 * The list of links and the slots of the nodes disagree (workflows 1.2): links whose place another one has, links that
 * only their slots connect, links to another slot than that of their input, and links of inputs that are gone.
 */
export const linkTable: GraphRule = (view, report) => {
  const { level } = view;
  const doubled = level.rows.filter(({ id }) => level.replaced.has(id) && !level.links.has(id));
  const withoutEffect = groupByKey(doubled, ({ id }) => level.replaced.get(id));
  const remove = rowRemoval(view);
  const removal = remove(doubled);
  const places = removal.length > 0 ? [...removal, ...inLists(view)] : [];
  for (const rows of withoutEffect.values()) report(withoutPlace(view, rows, places));
  for (const each of unlistedAtOutputs(view)) report(each);
  for (const node of level.nodes) {
    // Links that repeat an ID get another one first.
    const bySlot = level.bySlot.get(node.id)?.filter(({ repeats }) => repeats === undefined) ?? [];
    if (bySlot.length === 0 && !hasDoubtful(node, level.links)) continue;
    const owners = linkOwners(node, level.links);
    const own = node.inputs.flatMap((input, slot) => {
      const link = input.link === undefined ? undefined : level.links.get(input.link);
      return link && owners.get(link) === input ? [{ input, slot, link }] : [];
    });
    const doubtful = own.filter(({ input, slot, link }) => link.targetSlot !== slot || mayBeLost(input));
    if (bySlot.length === 0 && doubtful.length === 0) continue;
    const [definition, inputs] = [view.definitionOf(node), view.inputsOf(node)];
    for (const each of connectedBySlot(view, node, bySlot, inputs, remove)) report(each);
    const slots = new Map(inputs.map(({ place }, slot) => [place, slot]));
    for (const each of insideBranches(node, slots)) report(each);
    // The slots where the editor counts them, once it has loaded the node.
    const counted = own.map((each) => ({ ...each, slot: slots.get(each.input.node) ?? each.slot }));
    const bySameSlot = groupByKey(counted, ({ link }) => link.targetSlot);
    const moves = counted.filter(({ slot, link }) => link.targetSlot !== slot);
    const elsewhere = moves.filter(({ link, input }) => {
      const others = bySameSlot.get(link.targetSlot) ?? [];
      return node.inputs[link.targetSlot] !== input || others.length > 1;
    });
    // Links without effect would take the place of a link that moves.
    const freed = moves.flatMap(({ link }) => withoutEffect.get(link.id) ?? []);
    const ends = [...remove(freed), ...ownSlots(moves)];
    for (const each of doubtful) {
      if (slots.has(each.input.node) || !definition) continue;
      const all = [each.link, ...(withoutEffect.get(each.link.id) ?? [])];
      report(lost(node, each, inputs, remove(all)));
    }
    for (const each of elsewhere) {
      const rival = bySameSlot.get(each.link.targetSlot)?.find(({ link }) => link !== each.link);
      if (slots.has(each.input.node) || !definition) report(moved(node, each, rival?.link, ends));
    }
  }
};

const mostNamed = 8;

/** This many links to growing inputs of a dynamic combo are enough for the editor to lose one (workflows 1.2). */
const lostFrom = 3;

/** The editor counts links to inputs such as `model.images.image_2` before the inputs are there. */
function* insideBranches(node: GraphNode, slots: ReadonlyMap<unknown, number>): Generator<RuleFinding> {
  const nested = node.inputs.filter(({ name, widget }) => widget === undefined && name.split('.').length > 2);
  const groups = groupByKey(nested, ({ name }) => name.slice(0, name.lastIndexOf('.')));
  for (const [name, inputs] of groups) {
    const linked = inputs.filter((input) => input.link !== undefined && slots.has(input.node));
    const [first] = linked;
    const hasGap = linked.some((input, index) => inputs[index] !== input);
    if (!first || (linked.length < lostFrom && !hasGap)) continue;
    yield {
      code: 'link-table',
      severity: 'information',
      range: first.node.get('name') ?? first.node,
      message: t`The prompt has every link to ${name} of ${graphNodeLabel(node)}, but the ComfyUI editor can lose some or connect them to other inputs when it opens this file. Check them there before you save.`,
    };
  }
}

interface Named {
  readonly input: GraphInput;
  readonly slot: number;
  readonly link: GraphLink;
}

/** Whether any link may be at another slot than that of its input, or be lost with it. Nearly all nodes have none. */
function hasDoubtful({ inputs }: GraphNode, links: ReadonlyMap<string, GraphLink>): boolean {
  return inputs.some((input, slot) => {
    const link = input.link === undefined ? undefined : links.get(input.link);
    return link !== undefined && (link.targetSlot !== slot || mayBeLost(input));
  });
}

function mayBeLost({ name, widget }: GraphInput): boolean {
  return widget !== undefined || name.includes('.');
}

/** Links to a place that another link has; the fix removes all that the level has. */
function withoutPlace(view: LevelView, rows: readonly GraphLink[], edits: TextEdit[]): RuleFinding {
  const { level } = view;
  const [first, ...others] = rows;
  const kept = entryAt(level.links, entryAt(level.replaced, first?.id));
  const names = kept?.repeats ?? kept?.id ?? '';
  return {
    code: 'link-table',
    severity: 'information',
    range: first?.node ?? view.graph.node,
    message: t`Links at this slot have no effect except link ${names}. Remove the others (${rows.length}).`,
    related: [...(kept ? [kept] : []), ...others].map(linkHere),
    fix: textsFix(t`Remove Links Without Effect`, edits),
  };
}

type RemoveRows = (rows: readonly GraphLink[]) => TextEdit[];

/** Removes rows from a level's list; none if something else needs one of them, which gets its own first. */
function rowRemoval(view: LevelView): RemoveRows {
  const { links, replaced, rows: all, shared } = view.level;
  const listed = view.subgraph?.outputs.flatMap(({ linkIds }) => linkIds) ?? [];
  const needed = new Set([...listed, ...all.map(({ repeats }) => repeats)]);
  const canGo = (row: GraphLink): boolean =>
    !shared.has(row) && !needed.has(row.id) && entryAt(links, replaced.get(row.id))?.repeats === undefined;
  const items = listMember(levelObject(view), 'links');
  let indexes: ReadonlyMap<JsonNode, number> | undefined;
  return (rows) => {
    if (rows.length === 0 || !rows.every(canGo)) return [];
    const known = (indexes ??= new Map(items.map((item, index) => [item, index])));
    const places = [...new Set(mapDefined(rows, ({ node }) => known.get(node)))].sort((a, b) => a - b);
    return removedAt(items, places);
  };
}

function inLists({ level, subgraph, graph: { document } }: LevelView): TextEdit[] {
  return [...(subgraph?.inputs ?? []), ...(subgraph?.outputs ?? [])].flatMap(({ node }) =>
    listMember(node, 'linkIds').flatMap((range) => {
      const kept = entryAt(level.links, entryAt(level.replaced, readId(range)));
      const id = kept && partNode(kept, 'id');
      return id ? [replaceValue(range, sourceTextIn(document.text, id))] : [];
    }),
  );
}

/** The only place where editors go by a list of ids: an output of a subgraph is connected by the links that it lists. */
function* unlistedAtOutputs({ level, subgraph, graph }: LevelView): Generator<RuleFinding> {
  const { text } = graph.document;
  for (const link of listAt(level.bySlot, subgraphOutputId)) {
    const output = subgraph?.outputs[link.targetSlot];
    const id = partNode(link, 'id');
    if (!output || !id || output.linkIds.length > 0) continue;
    const listed = setProperty(text, output.node, 'linkIds', `[${sourceTextIn(text, id)}]`);
    yield {
      code: 'link-table',
      range: link.node,
      message: t`Link ${link.id} leads to the output ${output.name}, which doesn't list it, so the ComfyUI editor ignores it. Add it there.`,
      related: [{ range: output.node, message: t`The output ${output.name} is here.` }],
      fix: textsFix(t`Add Link ${link.id} to ${output.name}`, [listed]),
    };
  }
}

function* connectedBySlot(
  view: LevelView,
  node: GraphNode,
  links: readonly GraphLink[],
  inputs: readonly LiveInput[],
  remove: RemoveRows,
): Generator<RuleFinding> {
  const used: GraphLink[] = [];
  for (const link of links) {
    const edits = inputs[link.targetSlot]?.link === link.id ? [] : remove([link]);
    if (inputs[link.targetSlot]?.link === link.id) used.push(link);
    if (edits.length === 0) continue;
    yield {
      code: 'link-table',
      severity: 'information',
      range: link.node,
      message: t`Link ${link.id} goes to ${graphNodeLabel(node)}, but no input uses it, so it has no effect.`,
      fix: textsFix(t`Remove Link ${link.id}`, edits),
    };
  }
  const [first, ...others] = used;
  if (!first) return;
  const all = used.map(({ targetSlot }) => slotName(inputs[targetSlot]?.name, targetSlot));
  const names = listText(
    all.length > mostNamed ? [...all.slice(0, mostNamed), t`${all.length - mostNamed} more`] : all,
  );
  yield {
    code: 'link-table',
    severity: 'information',
    range: first.node,
    message: t`Links lead to ${graphNodeLabel(node)} by slot number only (${names}). The inputs don't name them, so older ComfyUI editors ignore them. Add them to the inputs.`,
    related: others.map(linkHere),
    fix: textsFix(
      t`Add the Links to the Inputs of ${graphNodeLabel(node)}`,
      namedAt(view, node, used, inputs),
    ),
  };
}

function namedAt(
  { graph: { document } }: LevelView,
  { node }: GraphNode,
  links: readonly GraphLink[],
  inputs: readonly LiveInput[],
): TextEdit[] {
  const { text } = document;
  const edits: TextEdit[] = [];
  const added: string[] = [];
  for (const link of links) {
    const [input, id] = [inputs[link.targetSlot], partNode(link, 'id')];
    if (!input || !id) continue;
    const { place, name, type, widget } = input;
    if (place?.kind === 'object') edits.push(setProperty(text, place, 'link', sourceTextIn(text, id)));
    if (place) continue;
    const saved = JSON.stringify({ name, type, ...(widget !== undefined && { widget: { name: widget } }) });
    added.push(`${saved.slice(0, -1)},"link":${sourceTextIn(text, id)}}`);
  }
  if (added.length === 0) return edits;
  const list = node.get('inputs');
  const all = added.join(', ');
  return [
    ...edits,
    list?.kind === 'array' ? appendItem(list, all) : setProperty(text, node, 'inputs', `[${all}]`),
  ];
}

/** Editors connect by the name, unless another link has the slot. The fix corrects all of a node at once. */
function moved(
  node: GraphNode,
  { input, slot, link }: Named,
  rival: GraphLink | undefined,
  edits: TextEdit[],
): RuleFinding {
  const name = slotName(input.name, slot);
  return {
    code: 'link-table',
    severity: rival ? 'warning' : 'information',
    range: partNode(link, 'targetSlot') ?? link.node,
    message: rival
      ? t`Links ${link.id} and ${rival.id} end at the same slot of ${graphNodeLabel(node)}, so the ComfyUI editor drops one of them. ${name} names link ${link.id}, so change its slot to ${slot}.`
      : t`Link ${link.id} ends at slot ${link.targetSlot} of ${graphNodeLabel(node)}, but ${name} names it, and the name counts. Change the slot to ${slot}.`,
    related: rival && [linkHere(rival)],
    fix: textsFix(t`Correct the Slots of ${graphNodeLabel(node)}`, edits),
  };
}

function ownSlots(all: readonly Named[]): TextEdit[] {
  return all.flatMap(({ link, slot }) => {
    const range = partNode(link, 'targetSlot');
    return range ? [replaceValue(range, String(slot))] : [];
  });
}

function lost(
  node: GraphNode,
  { input, link }: Named,
  inputs: readonly LiveInput[],
  removal: TextEdit[],
): RuleFinding {
  const named = input.node.get('link');
  const other = inputs[link.targetSlot];
  const owner = graphNodeLabel(node);
  const edits = named && removal.length > 0 ? [...removal, replaceValue(named, 'null')] : [];
  return {
    code: 'link-table',
    explains: [input.node],
    range: input.node.get('name') ?? input.node,
    message:
      other && other.link === undefined
        ? t`${input.name} is linked, but ${owner} has no such input with its current values, so the link is lost, and the ComfyUI editor connects it to ${other.name}. Remove it, or choose the value that adds the input.`
        : t`${input.name} is linked, but ${owner} has no such input with its current values, so the link is lost. Remove it, or choose the value that adds the input.`,
    related: [linkHere(link)],
    fix: textsFix(t`Remove Link ${link.id}`, edits, true),
  };
}
