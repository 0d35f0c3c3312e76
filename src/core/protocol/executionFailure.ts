import * as z from 'zod';
import type { ExecutionFailure } from './serverEvent';
import { nodeIdText, wireOptional, wireTexts } from './wire';

/** Every field may be missing (protocol 2.1, 3.3). `current_inputs` may contain what nobody wants logged, so it is left out. */
export const executionFailure = z
  .object({
    node_id: wireOptional(nodeIdText),
    node_type: wireOptional(z.string()),
    exception_type: wireOptional(z.string()),
    exception_message: wireOptional(z.string()),
    traceback: wireOptional(z.union([wireTexts, z.string().transform((text) => [text])])),
  })
  .transform((raw): ExecutionFailure => ({
    nodeId: raw.node_id === '' ? undefined : raw.node_id,
    nodeType: raw.node_type === '' ? undefined : raw.node_type,
    exceptionType: raw.exception_type ?? 'Error',
    message: (raw.exception_message ?? '').trim(),
    traceback: raw.traceback ?? [],
  }));

/** One branch was blocked and the run continues: not the end of the job (protocol 3.4). */
export function isBlockedBranch(failure: ExecutionFailure): boolean {
  return failure.exceptionType === 'ExecutionBlocked';
}
