import type { PreparedRun } from './preparedRun';
import type { RunProblem } from './runRefusal';

/**
 * The server's `node_errors` (protocol 7.2), of any shape, at their places in the workflow text. A complaint about
 * a node that the text does not hold is placed at the start of the text.
 */
export function placeNodeErrors(prepared: Pick<PreparedRun, 'places'>, nodeErrors: unknown): RunProblem[] {
  void prepared;
  void nodeErrors;
  return [];
}
