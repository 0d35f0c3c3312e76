import { embeddedValidation } from '../protocol/errorBody';
import type { ExecutionFailure } from '../protocol/serverEvent';
import { placeNodeErrors } from './placeNodeErrors';
import type { PromptPlaces } from './promptPlaces';
import type { RunProblem } from './runRefusal';

/**
 * Why a job failed, at its places in the workflow text: the node that raised, or the nodes that a validation names
 * which the cloud makes only after it has taken the prompt (protocol 1.5).
 */
export function placeFailure(
  prepared: { readonly places: PromptPlaces },
  failure: ExecutionFailure,
): RunProblem[] {
  const late = lateComplaints(failure, prepared.places);
  if (late.length > 0) return late;
  const { nodeId, nodeType, exceptionType, message } = failure;
  if (nodeId === undefined) return [];
  const name = nodeType === undefined ? `Node ${nodeId}` : `${nodeType} (node ${nodeId})`;
  return [
    {
      nodeId,
      ...prepared.places.node(nodeId),
      message: `${name}: ${message === '' ? exceptionType : message}`,
      type: exceptionType,
    },
  ];
}

const nowhere: PromptPlaces = { node: () => ({ offset: 0, length: 1 }), input: () => undefined };

/** The complaints alone, about a text whose places are not known unless told. */
export function lateComplaints(failure: ExecutionFailure, places = nowhere): RunProblem[] {
  return placeNodeErrors({ places }, embeddedValidation(failure.message)?.nodeErrors ?? {});
}
