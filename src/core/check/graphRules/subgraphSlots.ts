import type { JsonObject } from '../../json/node';
import { linksFrom } from '../../workflow/graph/graphLinks';
import { type GraphRule, graphNodeLabel } from '../graphRule';
import { t } from '../../safety/localize';

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
