import type { SubgraphDefinition } from './graph';
import type { GraphInput, GraphNode } from './graphNode';
import { groupByKey } from './grouped';
import type { LiveInput, LiveNode } from './liveNode';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { linkOwners, type RepairedLinks } from './graphLinks';
import { type LoadedLayout, loadLayout } from './widgetValues';
import { memoizeByObject } from '../../safety/memoizeByObject';

/** The inputs of a node after loading, with the links of its level that feed them. */
export function loadedInputs(
  node: GraphNode,
  { links, bySlot }: Pick<RepairedLinks, 'links' | 'bySlot'>,
  definition: NodeDefinition | undefined,
  subgraph: SubgraphDefinition | undefined,
): LiveInput[] {
  const inputs = subgraph
    ? instanceInputs(node, subgraph)
    : definition
      ? mergedInputs(node, loadLayout(node, definition))
      : slotsOfFile(node);
  const rows = bySlot.get(node.id);
  if (!rows) return inputs;
  const owners = linkOwners(node, links);
  for (const { id, targetSlot } of rows) {
    const input = inputs[targetSlot];
    const other = input?.link === undefined ? undefined : links.get(input.link);
    // A link that belongs to another input gives way.
    const isOwn = other !== undefined && owners.get(other)?.node === input?.place;
    if (input && !isOwn) input.link = id;
  }
  return inputs;
}

/** The inputs in the file whose links are not in the list of links, or that the node doesn't have once it is loaded. */
export function lostInputs({ source, inputs }: Pick<LiveNode, 'source' | 'inputs'>): GraphInput[] {
  let kept: ReadonlySet<unknown> | undefined;
  return source.inputs.filter(({ node, link, isLost }, index) => {
    if (link === undefined) return isLost;
    if (inputs[index]?.place === node) return false;
    // A node pack may have made an input anew, with the same link.
    kept ??= new Set(inputs.flatMap((input) => [input.place, input.link]));
    return !kept.has(node) && !kept.has(link);
  });
}

/** Those of the definition with the links of saved inputs of that name, then the file's others (workflows 2, A4). */
function mergedInputs({ inputs: savedInputs }: GraphNode, layout: LoadedLayout): LiveInput[] {
  const saved = lastByName(savedInputs);
  const inputs: LiveInput[] = layout.slots.map(({ name, type, widget }) => {
    const input = saved(name);
    return { name, type, widget, link: input?.link, place: input?.node };
  });
  const defined = namesOf(layout.slots);
  const further = savedInputs.filter(({ name }) => !defined.has(name));
  if (further.length > 0) {
    const isLost = lostInBranches(layout);
    for (const input of further) if (!isLost(input)) inputs.push(liveInput(input));
  }
  return withoutLostWidgets(inputs, layout);
}

/** Below this many inputs a search is faster than an index. */
const indexFrom = 17;

/** If several inputs share a name, one with a link counts, or else the last one. */
function lastByName(inputs: readonly GraphInput[]): (name: string) => GraphInput | undefined {
  const linkedLast = [
    ...inputs.filter(({ link }) => link === undefined),
    ...inputs.filter(({ link }) => link !== undefined),
  ];
  if (inputs.length < indexFrom) return (name) => linkedLast.findLast((input) => input.name === name);
  const index = new Map(linkedLast.map((input) => [input.name, input]));
  return (name) => index.get(name);
}

/** Nodes of one type share their slots, unless values affect them. */
const namesOf = memoizeByObject(
  (slots: LoadedLayout['slots']): ReadonlySet<string> => new Set(slots.map(({ name }) => name)),
);

function slotsOfFile({ type, inputs }: GraphNode): LiveInput[] {
  // The editor's own reroutes have an input even if the file lists none.
  const isBare = type === 'Reroute' && inputs.length === 0;
  return isBare
    ? [{ name: '', type: '*', link: undefined, widget: undefined, place: undefined }]
    : inputs.map(liveInput);
}

function instanceInputs(source: GraphNode, { inputs }: SubgraphDefinition): LiveInput[] {
  const free = groupByKey(source.inputs, ({ name }) => name);
  const take = (name: string, type?: string): GraphInput | undefined => {
    const saved = free.list(name);
    const index = type === undefined ? 0 : saved.findIndex((each) => each.type === type);
    return index < 0 ? undefined : saved.splice(index, 1)[0];
  };
  const exact = inputs.map(({ name, type }) => take(name, type));
  return inputs.map(({ name, type }, index) => {
    const input = exact[index] ?? take(name);
    return { name, type, link: input?.link, widget: input?.widget, place: input?.node };
  });
}

function liveInput({ name, type, link, widget, node }: GraphInput): LiveInput {
  return { name, type, link, widget, place: node };
}

/** When its key is read, a dynamic combo drops all its inputs except those of the branch. */
function lostInBranches({ widgets, growing }: LoadedLayout): (input: GraphInput) => boolean {
  const branches = widgets.flatMap(({ widget, valueNode }) =>
    widget.spec?.kind === 'dynamicCombo' && valueNode ? [`${widget.name}.`] : [],
  );
  if (branches.length === 0) return () => false;
  const known = new Set(growing.flatMap(({ name, members }) => members.map((member) => `${name}.${member}`)));
  return ({ name }) => !known.has(name) && branches.some((prefix) => name.startsWith(prefix));
}

/** The editor removes inputs without their widget while iterating, so of two such neighbors the second one stays. */
function withoutLostWidgets(inputs: LiveInput[], { widgets }: LoadedLayout): LiveInput[] {
  if (inputs.every(({ widget }) => widget === undefined)) return inputs;
  const names = new Set(widgets.map(({ widget }) => widget.name));
  const isLost = ({ widget: name }: LiveInput): boolean => name !== undefined && !names.has(name);
  for (let at = 0; at < inputs.length; at++) {
    const input = inputs[at];
    if (input && isLost(input)) inputs.splice(at, 1);
  }
  return inputs;
}
