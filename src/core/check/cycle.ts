import type { ExactValue } from '../json/exactValue';
import { pythonStr } from '../workflow/values';
import type { ErrorPlace } from './errorPlace';
import { nodePlace, type ServerNode } from './serverPrompt';
import type { ValidationError } from './validationError';

/** One error for each node of a loop of links, given in the order of the walk; the first is the one met again. */
export function cycleErrors(cycle: readonly ServerNode[]): Map<ServerNode, ValidationError> {
  const ids = cycle.map(({ id }) => id);
  const steps = [...cycle, ...cycle.slice(0, 1)].map(
    ({ id, classType }) => `${id} (${pythonStr(classType ?? null)})`,
  );
  return new Map(
    cycle.map((node): [ServerNode, ValidationError] => [
      node,
      {
        type: 'dependency_cycle',
        message: 'Dependency cycle detected',
        details: steps.join(' -> '),
        extra_info: new Map<string, ExactValue>([
          ['node_id', node.id],
          ['cycle_nodes', ids],
        ]),
        place: linkInto(node, cycle) ?? nodePlace(node),
      },
    ]),
  );
}

/** The link of a node that keeps the loop closed: the one to the node after it. */
function linkInto(node: ServerNode, cycle: readonly ServerNode[]): ErrorPlace | undefined {
  const next = cycle[(cycle.indexOf(node) + 1) % cycle.length];
  const input = node.source.inputs.find(({ link }) => link?.nodeId === next?.id);
  return input && { nodeId: node.id, input, range: input.valueNode };
}
