import type { JsonNode, JsonObject } from '../../json/node';
import { rangesAt, setProperty, textOf } from '../../json/textEdit';
import { type GraphLink, ownersOf, partNode, subgraphOutputId } from '../../workflow/graph/graphLinks';
import type { GraphInput, GraphNode } from '../../workflow/graph/graphNode';
import { grouped } from '../../workflow/graph/grouped';
import type { LiveInput } from '../../workflow/graph/liveNode';
import { listMember } from '../../workflow/graph/members';
import { loadedInputs } from '../../workflow/graph/mergedInputs';
import type { NewText } from '../finding';
import { type GraphRule, graphNodeName, levelObject, type LevelView, linkHere, slotName } from '../graphRule';
import type { RuleFinding } from '../ruleFinding';
import { plural, t } from '../../safety/localize';

/**
 * The list of links and the slots of the nodes disagree (workflows 1.2): links whose place another one has, links that
 * only their slots connect, links to another slot than that of their input, and links of inputs that are gone.
 */
export const linkTable: GraphRule = (view, report) => {
  const { level } = view;
  const doubled = level.rows.filter(({ id }) => level.replaced.has(id) && !level.links.has(id));
  const withoutEffect = grouped(doubled, ({ id }) => level.replaced.get(id));
  const remove = rowRemoval(view);
  const places = doubled.length > 0 ? [...remove(doubled), ...inLists(view)] : [];
  for (const rows of withoutEffect.values()) report(withoutPlace(view, rows, places));
  for (const each of unlistedAtOutputs(view)) report(each);
  for (const node of level.nodes) {
    // Those that repeat an ID get another one first.
    const bySlot = level.bySlot.get(node.id)?.filter(({ repeats }) => repeats === undefined) ?? [];
    const owners = ownersOf(node, level.links);
    const own = node.inputs.flatMap((input, slot) => {
      const link = input.link === undefined ? undefined : level.links.get(input.link);
      return link && owners.get(link) === input ? [{ input, slot, link }] : [];
    });
    const doubtful = own.filter(({ input, slot, link }) => link.targetSlot !== slot || mayBeLost(input));
    if (bySlot.length === 0 && doubtful.length === 0) continue;
    const [definition, subgraph] = [view.definitionOf(node), view.graph.subgraphs.get(node.type)];
    const inputs = loadedInputs(node, level, { definition, subgraph });
    for (const each of connectedBySlot(view, node, bySlot, inputs, remove)) report(each);
    const slots = new Map(inputs.map(({ place }, slot) => [place, slot]));
    for (const each of insideBranches(node, slots)) report(each);
    // Where the editor counts them, once it has loaded the node.
    const counted = own.map((each) => ({ ...each, slot: slots.get(each.input.node) ?? each.slot }));
    const bySameSlot = grouped(counted, ({ link }) => link.targetSlot);
    const moves = counted.filter(({ slot, link }) => link.targetSlot !== slot);
    const elsewhere = moves.filter(({ link, input }) => {
      const others = bySameSlot.get(link.targetSlot) ?? [];
      return node.inputs[link.targetSlot] !== input || others.length > 1;
    });
    // They would take the place of a link that leaves it.
    const freed = moves.flatMap(({ link }) => withoutEffect.get(link.id) ?? []);
    const ends = [...remove(freed), ...ownSlots(moves)];
    for (const each of doubtful) {
      if (!slots.has(each.input.node) && definition) report(lost(node, each, inputs, remove([each.link])));
    }
    for (const each of elsewhere) {
      const rival = bySameSlot.get(each.link.targetSlot)?.find(({ link }) => link !== each.link);
      if (slots.has(each.input.node) || !definition) report(moved(node, each, rival?.link, ends));
    }
  }
};

/** This many links to growing inputs of a dynamic combo are enough for the editor to lose one (workflows 1.2). */
const lostFrom = 3;

/**
 * Links to inputs that grow inside a branch of a dynamic combo, such as `model.images.image_2`: the editor counts them
 * before the inputs are there.
 */
function insideBranches(node: GraphNode, slots: ReadonlyMap<JsonNode | undefined, number>): RuleFinding[] {
  const nested = node.inputs.filter(({ name, widget }) => widget === undefined && name.split('.').length > 2);
  const groups = grouped(nested, ({ name }) => name.slice(0, name.lastIndexOf('.')));
  return [...groups].flatMap(([name, inputs]): RuleFinding[] => {
    const linked = inputs.filter((input) => input.link !== undefined && slots.has(input.node));
    const [first] = linked;
    const hasGap = linked.some((input, index) => inputs[index] !== input);
    if (!first || (linked.length < lostFrom && !hasGap)) return [];
    return [
      {
        code: 'link-table',
        severity: 'information',
        range: first.node.get('name') ?? first.node,
        message: t`The prompt has every link to ${name} of ${graphNodeName(node)}, but the ComfyUI editor can lose some or connect them to other inputs when it opens this file.`,
      },
    ];
  });
}

/** An input and the link that it names. */
interface Named {
  readonly input: GraphInput;
  readonly slot: number;
  readonly link: GraphLink;
}

/** Children of dynamic inputs come and go with values, and inputs of widgets with the definition. */
function mayBeLost({ name, widget }: GraphInput): boolean {
  return widget !== undefined || name.includes('.');
}

/** Links to a place that another link has; the fix removes all that the level has. */
function withoutPlace(view: LevelView, rows: readonly GraphLink[], places: NewText[]): RuleFinding {
  const { level } = view;
  const [first, ...others] = rows;
  const kept = level.links.get(level.replaced.get(first?.id ?? '') ?? '');
  const names = kept?.id ?? '';
  return {
    code: 'link-table',
    severity: 'information',
    range: first?.node ?? view.graph.node,
    message: plural(
      rows.length,
      t`Link ${first?.id ?? ''} has no effect, because link ${names} ends at the same slot. Remove it.`,
      t`${rows.length} links have no effect, because link ${names} ends at the same slot. Remove them.`,
    ),
    related: [...(kept ? [kept] : []), ...others].map(linkHere),
    fix: { kind: 'replaceTexts', title: t`Remove Links Without Effect`, places },
  };
}

type RemoveRows = (rows: readonly GraphLink[]) => NewText[];

/** Removes rows from a level's list. */
function rowRemoval(view: LevelView): RemoveRows {
  const items = listMember(levelObject(view), 'links');
  let indexes: ReadonlyMap<JsonNode, number> | undefined;
  return (rows) => {
    if (rows.length === 0) return [];
    const known = (indexes ??= new Map(items.map((item, index) => [item, index])));
    const places = [...new Set(rows.flatMap(({ node }) => known.get(node) ?? []))].sort((a, b) => a - b);
    return rangesAt(items, places).map((range) => ({ range, text: '' }));
  };
}

/** The slots of a subgraph list links, too: there, the link that has the place is listed instead. */
function inLists({ level, subgraph }: LevelView): NewText[] {
  return [...(subgraph?.inputs ?? []), ...(subgraph?.outputs ?? [])].flatMap(({ node }) =>
    listMember(node, 'linkIds').flatMap((range) => {
      const id = range.kind === 'number' ? level.replaced.get(range.text) : undefined;
      return id === undefined ? [] : [{ range, text: id }];
    }),
  );
}

/** The only place where editors go by a list of ids: an output of a subgraph is connected by the links that it lists. */
function unlistedAtOutputs({ level, subgraph, graph }: LevelView): RuleFinding[] {
  return (level.bySlot.get(subgraphOutputId) ?? []).flatMap((link): RuleFinding[] => {
    const output = subgraph?.outputs[link.targetSlot];
    const id = partNode(link, 'id');
    if (!output || !id || output.linkIds.length > 0) return [];
    const { text } = graph.document;
    return [
      {
        code: 'link-table',
        range: link.node,
        message: t`Link ${link.id} leads to the output ${output.name}, which doesn't list it, so the ComfyUI editor ignores it. List it there.`,
        related: [{ range: output.node, message: t`The output ${output.name} is here.` }],
        fix: {
          kind: 'replaceTexts',
          title: t`List Link ${link.id} at ${output.name}`,
          places: [member(text, output.node, 'linkIds', `[${textOf(text, id)}]`)],
        },
      },
    ];
  });
}

function connectedBySlot(
  view: LevelView,
  node: GraphNode,
  links: readonly GraphLink[],
  inputs: readonly LiveInput[],
  remove: RemoveRows,
): RuleFinding[] {
  const [used, unused] = [[], []] as [GraphLink[], GraphLink[]];
  for (const link of links) (inputs[link.targetSlot]?.link === link.id ? used : unused).push(link);
  const found = unused.map((link): RuleFinding => ({
    code: 'link-table',
    severity: 'information',
    range: link.node,
    message: t`Link ${link.id} leads to ${graphNodeName(node)}, where no input uses it, so it has no effect.`,
    fix: { kind: 'replaceTexts', title: t`Remove Link ${link.id}`, places: remove([link]) },
  }));
  const [first, ...others] = used;
  if (!first) return found;
  const names = used.map(({ targetSlot }) => slotName(inputs[targetSlot]?.name, targetSlot)).join(', ');
  return [
    ...found,
    {
      code: 'link-table',
      severity: 'information',
      range: first.node,
      message: plural(
        used.length,
        t`Link ${first.id} leads to ${names} of ${graphNodeName(node)} by its slot number alone: the input doesn't name it, so older ComfyUI editors ignore it. Name it there.`,
        t`${used.length} links lead to ${graphNodeName(node)} by their slot numbers alone (${names}): the inputs don't name them, so older ComfyUI editors ignore them. Name them there.`,
      ),
      related: others.map(linkHere),
      fix: {
        kind: 'replaceTexts',
        title: t`Name the Links at ${graphNodeName(node)}`,
        places: namedAt(view, node, used, inputs),
      },
    },
  ];
}

/** Edits that write links into the inputs that they feed, and inputs that the file lacks. */
function namedAt(
  { graph }: LevelView,
  node: GraphNode,
  links: readonly GraphLink[],
  inputs: readonly LiveInput[],
): NewText[] {
  const { text } = graph.document;
  const places: NewText[] = [];
  const added: string[] = [];
  for (const { id, targetSlot, node: row } of links) {
    const input = inputs[targetSlot];
    const part = partNode({ node: row }, 'id');
    const idText = part?.kind === 'string' ? JSON.stringify(id) : id;
    const { place, name, type, widget } = input ?? { name: '', type: '*' };
    if (!place) {
      const saved = JSON.stringify({ name, type, ...(widget !== undefined && { widget: { name: widget } }) });
      added.push(`${saved.slice(0, -1)},"link":${idText}}`);
      continue;
    }
    if (place.kind === 'object') places.push(member(text, place, 'link', idText));
  }
  if (added.length === 0) return places;
  const list = node.node.get('inputs');
  if (list?.kind !== 'array') return [...places, member(text, node.node, 'inputs', `[${added.join(', ')}]`)];
  const last = list.items.at(-1);
  const range = { offset: last ? last.offset + last.length : list.offset + 1, length: 0 };
  return [...places, { range, text: `${last ? ', ' : ''}${added.join(', ')}` }];
}

function member(text: string, object: JsonObject, name: string, value: string): NewText {
  const edit = setProperty(text, object, name, value);
  return { range: edit, text: edit.newText };
}

/** Editors connect by the name, unless another link has the slot. The fix corrects all of the node, lest they meet. */
function moved(
  node: GraphNode,
  { input, slot, link }: Named,
  rival: GraphLink | undefined,
  places: NewText[],
): RuleFinding {
  const name = slotName(input.name, slot);
  return {
    code: 'link-table',
    severity: rival ? 'warning' : 'information',
    range: partNode(link, 'targetSlot') ?? link.node,
    message: rival
      ? t`Links ${link.id} and ${rival.id} end at the same slot of ${graphNodeName(node)}, so the ComfyUI editor drops one of them. ${name} names link ${link.id}: change its slot to ${slot}.`
      : t`Link ${link.id} ends at slot ${link.targetSlot} of ${graphNodeName(node)}, but ${name} names it, and the name counts. Change the slot to ${slot}.`,
    related: rival && [linkHere(rival)],
    fix: { kind: 'replaceTexts', title: t`Correct the Slots of ${graphNodeName(node)}`, places },
  };
}

function ownSlots(all: readonly Named[]): NewText[] {
  return all.flatMap(({ link, slot }) => {
    const range = partNode(link, 'targetSlot');
    return range ? [{ range, text: String(slot) }] : [];
  });
}

function lost(
  node: GraphNode,
  { input, link }: Named,
  inputs: readonly LiveInput[],
  removal: NewText[],
): RuleFinding {
  const named = input.node.get('link');
  const other = inputs[link.targetSlot];
  const owner = graphNodeName(node);
  return {
    code: 'link-table',
    range: input.node.get('name') ?? input.node,
    message:
      other && other.link === undefined
        ? t`${input.name} is linked, but ${owner} doesn't have this input, or not with its current values. The link is lost; the ComfyUI editor connects it to ${other.name}. Remove it, or choose the value that has the input.`
        : t`${input.name} is linked, but ${owner} doesn't have this input, or not with its current values. The link is lost. Remove it, or choose the value that has the input.`,
    related: [linkHere(link)],
    fix: named && {
      kind: 'replaceTexts',
      title: t`Remove Link ${link.id}`,
      places: [...removal, { range: named, text: 'null' }],
    },
  };
}
