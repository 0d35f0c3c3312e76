import type { JsonNode } from '../../json/node';
import { replaceValue } from '../../json/textEdit';
import type { GraphInput, GraphNode } from '../../workflow/graph/graphNode';
import { acceptsType } from '../../workflow/graph/members';
import { type GraphRule, graphNodeLabel, type LevelView } from '../graphRule';
import { typeRange } from '../../workflow/promptPlaces';
import { textsFix } from '../rule';
import { shownType } from '../wording';
import { t } from '../../safety/localize';
import { groupNodeName } from '../../workflow/graph/graph';
import { virtualNodeRole } from '../../workflow/graph/virtualNodes';

/** The ComfyUI editor writes the node type's name into the properties of every node that a server has: these lack it. */
export const unknownVirtualNodes: GraphRule = ({ level, graph, catalog, definitionOf }, report) => {
  if (!catalog) return;
  for (const node of level.nodes) {
    if (node.mode !== 'always' || definitionOf(node) || graph.subgraphs.has(node.type)) continue;
    if (groupNodeName(node.type) !== undefined || virtualNodeRole(node) !== 'executed') continue;
    if (node.properties?.property('Node name for S&R') !== undefined) continue;
    report({
      code: 'unknown-virtual-node',
      range: typeRange(node.node),
      message: t`${graphNodeLabel(node)} may exist only in the ComfyUI editor, so it won't run on the server. Replace it with links.`,
    });
  }
};

const mostRelated = 20;

/** Muted nodes that required inputs depend on, and bypassed nodes that have nothing to pass on: each once. */
export const silencedNodes: GraphRule = (view, report) => {
  if (view.level.nodes.every(({ mode }) => mode === 'always')) return;
  for (const [origin, needs] of needsOf(view)) {
    const [first, ...others] = needs;
    if (!first) continue;
    const [input, node, name] = [first.slot.name, graphNodeLabel(first.node), graphNodeLabel(origin)];
    const isMuted = origin.mode === 'muted';
    const mode = origin.node.get('mode');
    const also = (isMuted ? others : needs).slice(0, mostRelated);
    const here = { range: typeRange(origin.node), message: t`The muted node is here.` };
    report({
      code: isMuted ? 'muted-source' : 'bypass-without-match',
      range: isMuted ? nameOf(first) : (mode ?? typeRange(origin.node)),
      message: isMuted
        ? t`${input} of ${node} comes from ${name}, which is muted, so it is missing when the graph runs. Unmute that node, or connect another one.`
        : t`${name} is bypassed and has no connected input of type ${shownType(first.slot.type)} to pass on to ${input} of ${node}, which needs it.`,
      related: [
        ...(isMuted ? [here] : []),
        ...also.map((each) => ({ range: nameOf(each), message: t`Required here.` })),
      ],
      explains: needs.map(({ slot }) => slot.node),
      fix: isMuted && mode ? textsFix(t`Unmute ${name}`, [replaceValue(mode, '0')], true) : undefined,
    });
  }
};

interface Need {
  readonly node: GraphNode;
  readonly slot: GraphInput;
}

function needsOf(view: LevelView): ReadonlyMap<GraphNode, readonly Need[]> {
  const origins = new Origins(view);
  const passed = new Map<GraphNode, Map<string, boolean>>();
  const found = new Map<GraphNode, Need[]>();
  for (const node of view.level.nodes) {
    const definition = node.mode === 'always' ? view.definitionOf(node) : undefined;
    if (!definition) continue;
    const isRequired = (input: string): boolean =>
      definition.inputs.some(({ name, section }) => section === 'required' && name === input);
    for (const slot of node.inputs) {
      const link = slot.link === undefined ? undefined : view.level.links.get(slot.link);
      const origin = link && origins.of(link.originId);
      if (!origin || origin.mode === 'always' || !isRequired(slot.name)) continue;
      if (origin.mode !== 'muted' && passesOn(origin, slot.type, passed)) continue;
      const needs = found.get(origin);
      if (needs) needs.push({ node, slot });
      else found.set(origin, [{ node, slot }]);
    }
  }
  return found;
}

function nameOf({ slot }: Need): JsonNode {
  return slot.node.get('name') ?? slot.node;
}

/** The nodes behind links, reroutes looked through; each reroute of a chain is looked through once. */
class Origins {
  private readonly known = new Map<string, GraphNode | undefined>();

  constructor(private readonly view: LevelView) {}

  of(id: string): GraphNode | undefined {
    const { nodes, level } = this.view;
    const passed: string[] = [];
    let at: string | undefined = id;
    while (at !== undefined && !this.known.has(at)) {
      const node = nodes.get(at);
      // A cycle of reroutes ends at what is recorded here.
      this.known.set(at, node?.type === 'Reroute' && node.mode === 'always' ? undefined : node);
      passed.push(at);
      if (node?.type !== 'Reroute' || node.mode !== 'always') break;
      const link: string | undefined = node.inputs[0]?.link;
      at = link === undefined ? undefined : level.links.get(link)?.originId;
    }
    const found = at === undefined ? undefined : this.known.get(at);
    for (const each of passed) this.known.set(each, found);
    return found;
  }
}

function passesOn(node: GraphNode, type: string, passed: Map<GraphNode, Map<string, boolean>>): boolean {
  const known = passed.get(node) ?? new Map<string, boolean>();
  passed.set(node, known);
  let passes = known.get(type);
  passes ??= node.inputs.some((input) => input.link !== undefined && acceptsType(input.type, type));
  known.set(type, passes);
  return passes;
}
