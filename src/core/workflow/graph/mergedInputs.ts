import type { GraphInput, GraphNode } from './graphNode';
import type { LiveInput } from './liveNode';
import type { LoadedLayout } from './widgetValues';

/**
 * The inputs of a node of a known type after loading: those of the definition, with the links of saved inputs of the
 * same name, then any others in the file (workflows 2, A4).
 */
export function mergedInputs({ inputs: savedInputs }: GraphNode, layout: LoadedLayout): LiveInput[] {
  const saved = lastByName(savedInputs);
  const inputs: LiveInput[] = layout.slots.map(({ name, type, widget }) => {
    const input = saved(name);
    return { name, type, widget, link: input?.link, place: input?.node };
  });
  const defined = namesOf(layout);
  const further = savedInputs.filter(({ name }) => !defined.has(name));
  if (further.length > 0) {
    const isLost = lostInBranches(savedInputs, defined, layout);
    for (const input of further) if (!isLost(input)) inputs.push(liveInput(input));
  }
  return withoutLostWidgets(inputs, layout);
}

/** Below this many inputs a search is faster than an index. */
const indexFrom = 17;

function lastByName(inputs: readonly GraphInput[]): (name: string) => GraphInput | undefined {
  if (inputs.length < indexFrom) return (name) => inputs.findLast((input) => input.name === name);
  const index = new Map(inputs.map((input) => [input.name, input]));
  return (name) => index.get(name);
}

/** Nodes of one type share their slots, unless values affect them. */
const slotNames = new WeakMap<LoadedLayout['slots'], ReadonlySet<string>>();

function namesOf({ slots }: LoadedLayout): ReadonlySet<string> {
  let names = slotNames.get(slots);
  if (!names) slotNames.set(slots, (names = new Set(slots.map(({ name }) => name))));
  return names;
}

export function liveInput({ name, type, link, widget, node }: GraphInput): LiveInput {
  return { name, type, link, widget, place: node };
}

/**
 * When its key is read, a dynamic combo drops all its inputs except those of the branch. New inputs appear with each
 * linked input, so nothing survives after a gap.
 */
function lostInBranches(
  saved: readonly GraphInput[],
  defined: ReadonlySet<string>,
  { widgets, growing }: LoadedLayout,
): (input: GraphInput) => boolean {
  const branches = widgets.flatMap(({ widget, valueNode }) =>
    widget.spec?.kind === 'dynamicCombo' && valueNode ? [`${widget.name}.`] : [],
  );
  if (branches.length === 0) return () => false;
  const next = new Map<string, string>();
  for (const { name, members } of growing) {
    members
      .slice(1)
      .forEach((member, index) => next.set(`${name}.${members[index] ?? ''}`, `${name}.${member}`));
  }
  const present = new Set(defined);
  for (const { name, link } of saved) {
    const grown = next.get(name);
    if (link !== undefined && grown !== undefined && present.has(name)) present.add(grown);
  }
  return ({ name }) => !present.has(name) && branches.some((prefix) => name.startsWith(prefix));
}

/**
 * The editor removes inputs whose widgets the node does not have. It does so while iterating over the list, so of two
 * such neighbors the second one stays.
 */
function withoutLostWidgets(inputs: LiveInput[], { widgets }: LoadedLayout): LiveInput[] {
  const isLost = ({ widget: name }: LiveInput): boolean => {
    return name !== undefined && !widgets.some(({ widget }) => widget.name === name);
  };
  for (let at = 0; at < inputs.length; at++) {
    const input = inputs[at];
    if (input && isLost(input)) inputs.splice(at, 1);
  }
  return inputs;
}
