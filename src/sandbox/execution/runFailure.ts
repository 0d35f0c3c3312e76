import { NodeFailure } from '../nodes/nodeFailure';
import { MissingNodeError } from './runOrder';
import type { InputLists } from './callInputs';
import { pythonStr } from '../nodes/pythonText';

/** Why a run ended early, with the node to blame. */
export interface RunFailure {
  readonly nodeId: string;
  readonly exceptionType: string;
  readonly message: string;
  readonly traceback: readonly string[];
  readonly currentInputs: Readonly<Record<string, readonly unknown[]>> | readonly never[];
}

/** What the real server adds to an out-of-memory message. */
const memoryTip =
  'This error means you ran out of memory on your GPU.\n\n' +
  'TIPS: If the workflow worked before you might have accidentally set the batch_size to a large number.';

/** A failure inside a node, with the inputs it had. */
export function failureOf(error: unknown, nodeId: string, classType: string, inputs: InputLists): RunFailure {
  const type = exceptionType(error);
  const text = error instanceof Error ? error.message : String(error);
  return {
    nodeId,
    exceptionType: type,
    // The real server ends every message with a line for tips, usually empty (protocol 7.3).
    message: `${text}\n${type === 'torch.OutOfMemoryError' ? memoryTip : ''}`,
    traceback: [`  File "sandbox/nodes", in ${classType}\n`],
    currentInputs: Object.fromEntries([...inputs].map(([name, values]) => [name, values.map(shown)])),
  };
}

/** The remaining nodes wait for each other (protocol 7.3). */
export function loopFailure(nodeId: string): RunFailure {
  return {
    nodeId,
    exceptionType: 'graph.DependencyCycleError',
    message: 'Dependency cycle detected',
    traceback: [],
    currentInputs: [],
  };
}

function exceptionType(error: unknown): string {
  if (error instanceof NodeFailure) return error.exceptionType;
  if (error instanceof MissingNodeError) return 'comfy_execution.graph.NodeNotFoundError';
  if (error instanceof TypeError) return 'TypeError';
  return 'RuntimeError';
}

function shown(value: unknown): unknown {
  const plain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return plain ? value : pythonStr(value);
}
