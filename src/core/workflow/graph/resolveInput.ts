import { mapDefined } from '../../safety/lists';
import type { JsonNode } from '../../json/node';
import { budgets } from '../../safety/budgets';
import type { ExecutedNode } from './executionOrder';
import { subgraphInputId, subgraphOutputId } from './graphLinks';
import { type GraphProblem, type GraphProblemCode, GraphRefusal, tooComplex } from './graphProblem';
import type { LiveInput, LiveLevel, LiveLink, LiveNode, PlacedValue } from './liveNode';
import { promotedValue } from './promotedWidgets';
import { acceptsType } from './members';
import { setterTypes, wireName } from './virtualNodes';
import { t } from '../../safety/localize';
import { memoizeByObject } from '../../safety/memoizeByObject';

export type Resolved =
  | { readonly kind: 'link'; readonly nodeId: string; readonly slot: number }
  | { readonly kind: 'value'; readonly value: PlacedValue };

/** One step upstream: at an input, or at an output that an input of this type is linked to. */
interface Step {
  readonly side: 'input' | 'output';
  readonly node: ExecutedNode;
  readonly slot: number;
  readonly type: string | undefined;
}

export class LinkWays {
  private readonly known = new Map<string, Resolved | undefined>();
  private readonly bypassed = new Map<LiveNode, Map<string, number | undefined>>();
  private steps = budgets.linkSteps;
  /** Links that lead nowhere, by their place: each once, however many ways end there. */
  readonly lost = new Map<JsonNode, GraphProblem>();

  constructor(readonly nodes: ReadonlyMap<string, ExecutedNode>) {}

  /** A step that leads to a known end without leaving its level, if the way so far has not left it either. */
  ofStep(step: Step): { readonly end: Resolved | undefined } | undefined {
    const key = keyOf(step);
    return this.known.has(key) ? { end: this.known.get(key) } : undefined;
  }

  keep(steps: readonly Step[], end: Resolved | undefined): void {
    for (const step of steps) this.known.set(keyOf(step), end);
  }

  bypass(node: LiveNode, slot: number, type: string): number | undefined {
    const known = this.bypassed.get(node) ?? new Map<string, number | undefined>();
    this.bypassed.set(node, known);
    const key = `${slot} ${type}`;
    if (!known.has(key)) known.set(key, bypassIndex(node, slot, type));
    return known.get(key);
  }

  lose(nodeId: string, node: JsonNode, message: string): void {
    if (!this.lost.has(node)) this.lost.set(node, { code: 'link-lost', message, node, nodeId });
  }

  count(node: ExecutedNode): void {
    if (--this.steps >= 0) return;
    throw tooComplex(node.live.source.node);
  }
}

function keyOf({ side, node, slot, type = '' }: Step): string {
  return `${side} ${slot} ${type} ${node.id}`;
}

/** Shorter ways are not cached: walking them again is faster. */
const keptFrom = 8;

/** Longer ways are checked for loops, as are all through subgraphs; nearly all ways take two steps. */
const shortWay = 128;

/** Follows links to their source (workflows 2, G); undefined without one. Refuses what the editor refuses: gaps and loops. */
export function resolveInput(ways: LinkWays, node: ExecutedNode, slot: number): Resolved | undefined {
  const first = node.live.inputs[slot];
  if (first?.link === undefined) return undefined;
  let step: Step = { side: 'input', node, slot, type: undefined };
  let visited: Set<string> | undefined;
  // The last steps of the way that stay in one level: their end is the same for every way that passes through them.
  let tail: Step[] = [];
  let hasMoved = false;
  for (let steps = 0; ; steps++) {
    const { instance } = step.node;
    hasMoved ||= instance !== node.instance;
    if (steps >= keptFrom) {
      ways.count(step.node);
      if (tail[0]?.node.instance !== instance) tail = [];
      tail.push(step);
      // The editor looks at definitions: inside one, a way from elsewhere is walked completely.
      const known = instance && hasMoved ? undefined : ways.ofStep(step);
      if (known) {
        ways.keep(tail, known.end);
        return known.end;
      }
    }
    if (steps >= shortWay || step.node.instance) {
      const key = placeOf(step);
      visited ??= new Set();
      if (visited.has(key)) {
        const { title, source } = step.node.live;
        const message = t`The links through ${title} form a cycle. Remove one of them.`;
        const place = first.place ?? source.node;
        const links = loopFrom(ways, { side: 'input', node, slot, type: undefined });
        throw new GraphRefusal({ code: 'link-loop', message, node: place, links });
      }
      visited.add(key);
    }
    const next = nextStep(ways, step);
    if (!next || 'kind' in next) {
      if (tail.length > 0) ways.keep(tail, next);
      return next;
    }
    step = next;
  }
}

function nextStep(ways: LinkWays, step: Step): Step | Resolved | undefined {
  return step.side === 'input' ? fromInput(ways.nodes, step) : fromOutput(ways, step);
}

/** By definition, not by instance: the editor sees a loop if a way passes one inner node in two instances. */
function placeOf({ side, slot, node }: Step): string {
  const { level, id } = node.live;
  return `${side} ${slot} ${level.subgraph?.id ?? ''} ${id}`;
}

function loopFrom(ways: LinkWays, start: Step): JsonNode[] {
  const passed = new Map<string, JsonNode | undefined>();
  let step: Step | Resolved | undefined = start;
  while (step && 'side' in step) {
    const place = placeOf(step);
    if (passed.has(place)) {
      const loop = [...passed].slice([...passed.keys()].indexOf(place));
      return [...new Set(mapDefined(loop, ([, link]) => link))];
    }
    passed.set(place, linkAt(step)?.node);
    step = nextStep(ways, step);
  }
  return [];
}

function linkAt({ side, slot, node: { live } }: Step): LiveLink | undefined {
  if (side === 'output') {
    const { inside } = live;
    return inside && firstLink(inside, slot);
  }
  const id = live.inputs[slot]?.link;
  return id === undefined ? undefined : live.level.links.get(id);
}

function fromInput(nodes: ReadonlyMap<string, ExecutedNode>, step: Step): Step | Resolved | undefined {
  const { node, slot, type } = step;
  const input = node.live.inputs[slot];
  if (!input) {
    const message = t`Node ${node.live.id} is bypassed and has no input to pass on. Remove it, or connect around it.`;
    return refuse('slot-missing', node, input, message);
  }
  const { level } = node.live;
  const link = input.link === undefined ? undefined : level.links.get(input.link);
  if (!link) return undefined;
  const { instance } = node;
  if (instance && link.originId === subgraphInputId) return outwards(instance, link.originSlot, node, input);
  const origin = level.byId.get(link.originId);
  const upstream = origin && nodes.get(instance ? `${instance.id}:${origin.id}` : origin.id);
  if (!upstream) {
    return refuse('origin-missing', node, input, goneOrigin(input.name, node, link));
  }
  return { side: 'output', node: upstream, slot: link.originSlot, type: type ?? input.type };
}

function outwards(
  instance: ExecutedNode,
  slot: number,
  from: ExecutedNode,
  asking: LiveInput | undefined,
): Step | Resolved | undefined {
  const input = instance.live.inputs[slot];
  if (!input) {
    const message = t`Node ${instance.live.id} has no input ${slot}. Reconnect the link inside the subgraph.`;
    return refuse('slot-missing', from, asking, message);
  }
  if (input.link === undefined) {
    const value = promotedValue(instance.live, slot);
    return value && { kind: 'value', value };
  }
  return { side: 'input', node: instance, slot, type: undefined };
}

function fromOutput(ways: LinkWays, step: Step): Step | Resolved | undefined {
  const { node, slot, type } = step;
  const { live } = node;
  if (live.mode === 'muted') return undefined;
  if (live.mode === 'bypassed') {
    if (!live.outputTypes[slot] && live.role !== 'passing') return refuseOutput(node, slot);
    const index = ways.bypass(live, slot, type ?? '*');
    return index === undefined ? undefined : { side: 'input', node, slot: index, type: undefined };
  }
  switch (live.role) {
    case 'executed':
      return { kind: 'link', nodeId: node.id, slot };
    case 'instance':
      return inwards(ways, node, slot, type);
    case 'passing': {
      const passed = live.inputs[slot] ? slot : 0;
      return live.inputs[passed] && { side: 'input', node, slot: passed, type };
    }
    case 'getter': {
      const setter = setterOf(ways.nodes, node);
      if (!setter) loseGetter(ways, node);
      return setter && { side: 'input', node: setter, slot: 0, type };
    }
    case 'silent':
      return undefined;
  }
}

function inwards(
  ways: LinkWays,
  instance: ExecutedNode,
  slot: number,
  type: string | undefined,
): Step | Resolved | undefined {
  const { inside } = instance.live;
  const output = inside?.subgraph?.outputs[slot];
  if (!inside || !output) return refuseOutput(instance, slot);
  const link = firstLink(inside, slot);
  if (!link) {
    loseOutput(ways, instance, inside, slot);
    return undefined;
  }
  if (link.originId === subgraphInputId) {
    const message = t`Output ${output.name} of the subgraph is connected directly to one of its inputs, which the ComfyUI editor rejects. Put a Reroute between them, or connect around the subgraph.`;
    throw new GraphRefusal({ code: 'origin-missing', message, node: link.node });
  }
  const origin = ways.nodes.get(`${instance.id}:${link.originId}`);
  if (!origin) {
    const message = goneOrigin(output.name, instance, link);
    throw new GraphRefusal({ code: 'origin-missing', message, node: link.node });
  }
  return { side: 'output', node: origin, slot: link.originSlot, type };
}

/** Links inside that the output doesn't name, or names though they are gone. */
function loseOutput(ways: LinkWays, { id, live }: ExecutedNode, inside: LiveLevel, slot: number): void {
  const output = inside.subgraph?.outputs[slot];
  const rows = [...inside.links.values()];
  const row = rows.find((each) => each.targetId === subgraphOutputId && each.targetSlot === slot);
  if (!output || (!row && output.linkIds.length === 0)) return;
  const message = t`Output ${output.name} of ${live.title} (node ${id}) refers to a link that doesn't exist, so nothing is sent for it. Connect it again inside the subgraph.`;
  ways.lose(id, row?.node ?? live.source.node.get('type') ?? live.source.node, message);
}

function loseGetter(ways: LinkWays, { id, live }: ExecutedNode): void {
  const { title, source } = live;
  const name = JSON.stringify(wireName(source) ?? '');
  const message = t`${title} (node ${id}) gets ${name}, but no Set node has this name, so nothing is sent for its links. Select another name, or add the Set node.`;
  ways.lose(id, source.node.get('type') ?? source.node, message);
}

function firstLink({ subgraph, links }: LiveLevel, slot: number): LiveLink | undefined {
  const id = subgraph?.outputs[slot]?.linkIds.find((each) => links.has(each));
  return id === undefined ? undefined : links.get(id);
}

/** The input that a bypassed node passes on to one of its outputs (workflows 2, G). */
function bypassIndex({ inputs, outputTypes }: LiveNode, slot: number, wanted: string): number | undefined {
  if (wanted === '*' || wanted === '') return inputs.length > slot ? slot : 0;
  const outputType = outputTypes[slot] ?? '*';
  const fits = (input: LiveInput | undefined): boolean => {
    return input !== undefined && acceptsType(input.type, outputType) && acceptsType(input.type, wanted);
  };
  if (fits(inputs[slot])) return slot;
  const exact = inputs.findIndex(({ type }) => type === wanted);
  const index = exact >= 0 ? exact : inputs.findIndex(fits);
  return index < 0 ? undefined : index;
}

/** The setter that a getter names: in its own level, or in one around it. */
function setterOf(nodes: ReadonlyMap<string, ExecutedNode>, getter: ExecutedNode): ExecutedNode | undefined {
  const name = wireName(getter.live.source);
  if (name === undefined) return undefined;
  for (let at: ExecutedNode | undefined = getter; at; at = at.instance) {
    const setter = settersIn(at.live.level).get(name);
    if (setter) return nodes.get(at.instance ? `${at.instance.id}:${setter.id}` : setter.id);
  }
  return undefined;
}

const settersIn = memoizeByObject((level: LiveLevel): ReadonlyMap<string, LiveNode> => {
  const setters = new Map<string, LiveNode>();
  for (const node of level.nodes) {
    const name = setterTypes.has(node.type) ? wireName(node.source) : undefined;
    if (name !== undefined && !setters.has(name)) setters.set(name, node);
  }
  return setters;
});

function goneOrigin(name: string, { live }: ExecutedNode, { originId }: LiveLink): string {
  return t`The link to ${name} of node ${live.id} comes from node ${originId}, which doesn't exist. Set the link to null, or restore the node.`;
}

function refuseOutput(node: ExecutedNode, slot: number): never {
  const message = t`Node ${node.live.id} has no output ${slot}. Reconnect the link.`;
  return refuse('slot-missing', node, undefined, message);
}

function refuse(
  code: GraphProblemCode,
  node: ExecutedNode,
  input: LiveInput | undefined,
  message: string,
): never {
  throw new GraphRefusal({ code, message, node: input?.place ?? node.live.source.node });
}
