import type { GraphNode } from '../../workflow/graph/graphNode';
import { acceptsType } from '../../workflow/graph/slotTypes';
import { type GraphRule, graphNodeName, type LevelView } from '../graphRule';
import { typeRange } from '../../workflow/promptPlaces';
import { shownType } from '../wording';
import { t } from '../../safety/localize';

/** Muted nodes that required inputs depend on, and bypassed nodes that have nothing to pass on. */
export const silencedNodes: GraphRule = (view, report) => {
  if (view.level.nodes.every(({ mode }) => mode === 'always')) return;
  const origins = new Origins(view);
  const types = new Map<GraphNode, TypesPassedOn>();
  for (const node of view.level.nodes) {
    const definition = node.mode === 'always' ? view.definitionOf(node) : undefined;
    if (!definition) continue;
    const isRequired = (input: string): boolean =>
      definition.inputs.some(({ name, section }) => section === 'required' && name === input);
    for (const slot of node.inputs) {
      const link = slot.link === undefined ? undefined : view.level.links.get(slot.link);
      const origin = link && origins.of(link.originId);
      if (!origin || origin.mode === 'always' || !isRequired(slot.name)) continue;
      if (origin.mode === 'muted') {
        report({
          code: 'muted-source',
          range: slot.node.get('name') ?? slot.node,
          explains: [slot.node],
          message: t`${slot.name} of ${graphNodeName(node)} comes from ${graphNodeName(origin)}, which is muted, so it is missing when the graph runs. Unmute that node, or connect another one.`,
          related: [{ range: typeRange(origin.node), message: t`The muted node is here.` }],
        });
      } else if (!passesOn(origin, slot.type, types)) {
        report({
          code: 'bypass-without-match',
          range: origin.node.get('mode') ?? typeRange(origin.node),
          message: t`${graphNodeName(origin)} is bypassed and has no connected input of type ${shownType(slot.type)} to pass on to ${slot.name} of ${graphNodeName(node)}, which needs it.`,
          related: [{ range: slot.node.get('name') ?? slot.node, message: t`Required here.` }],
          explains: [slot.node],
        });
      }
    }
  }
};

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

/** What is known about a bypassed node: which types it passes on; undefined once it was reported to pass nothing on. */
type TypesPassedOn = Map<string, boolean> | undefined;

/** Whether a bypassed node passes a type on; a node that once did not is not reported again. */
function passesOn(node: GraphNode, type: string, types: Map<GraphNode, TypesPassedOn>): boolean {
  if (types.has(node) && !types.get(node)) return true;
  const known = types.get(node) ?? new Map<string, boolean>();
  let passes = known.get(type);
  passes ??= node.inputs.some((input) => input.link !== undefined && acceptsType(input.type, type));
  types.set(node, passes ? known.set(type, passes) : undefined);
  return passes;
}
