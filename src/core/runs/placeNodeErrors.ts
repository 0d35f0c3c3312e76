import { nodeErrorWords } from '../protocol/failureWords';
import type { NodeError, NodeErrorMap } from '../protocol/nodeErrors';
import { oncePerLoop } from './oncePerLoop';
import type { PromptPlaces } from './promptPlaces';
import type { RunProblem } from './runRefusal';

/**
 * The server's complaints (protocol 7.2) at their places in the workflow text: at the value of the input that one
 * names, else at the node. A complaint about a node that the text does not hold, such as one that a node expanded
 * into, stands at the node it came from, or at the start of the prompt.
 */
export function placeNodeErrors(
  { places }: { readonly places: PromptPlaces },
  nodeErrors: NodeErrorMap,
): RunProblem[] {
  const isNew = oncePerLoop();
  return Object.entries(nodeErrors).flatMap(([nodeId, { classType, errors }]) =>
    errors.filter(isNew).map((error) => {
      const input = inputNamed(error);
      const known = input === undefined ? undefined : places.input(nodeId, input);
      const { offset, length } = known ?? places.node(nodeId);
      return {
        nodeId,
        ...(input !== undefined && { input }),
        offset,
        length,
        message: nodeErrorWords(error, nodeId, classType),
        type: error.type,
      };
    }),
  );
}

/**
 * The input that an error is about. The inner form names the consumer's input, which is not the broken one
 * (protocol 7.2), so that name is not used.
 */
function inputNamed({ type, extraInfo }: NodeError): string | undefined {
  if (type === 'exception_during_inner_validation' || type === 'exception_during_validation')
    return undefined;
  const name = extraInfo['input_name'];
  return typeof name === 'string' ? name : undefined;
}
