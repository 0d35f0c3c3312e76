import * as z from 'zod';
import type { ExecutionFailure } from './serverEvent';
import { nodeIdText, optional, texts } from './wire';

/**
 * The error record of a run, as reported by the socket, the job and the history (protocol 2.1, 3.3). Every field may
 * be missing. Leaves out `current_inputs` on purpose: it may contain things that the user does not want logged.
 */
export const executionFailure = z
  .object({
    node_id: optional(nodeIdText),
    node_type: optional(z.string()),
    exception_type: optional(z.string()),
    exception_message: optional(z.string()),
    traceback: optional(z.union([texts, z.string().transform((text) => [text])])),
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
