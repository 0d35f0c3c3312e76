import { ServerError } from '../protocol/serverError';
import type { ServerErrorReason } from '../protocol/serverError';
import { OutputError } from '../outputs/outputError';
import type { OutputErrorReason } from '../outputs/outputError';
import { OutputsNotSavedError } from './outputsNotSaved';

const passing: ReadonlySet<ServerErrorReason | OutputErrorReason> = new Set([
  ...(['network', 'certificate', 'timeout', 'server', 'rateLimited', 'unauthorized', 'forbidden'] as const),
  ...(['diskFull', 'notWritable', 'missing', 'tooMany', 'tooSlow', 'broken'] as const),
]);

/** Whether the cause of unsaved outputs can go away: a file that the server does not have never arrives. */
export function mayBeSavedLater(error: unknown): boolean {
  if (error instanceof OutputsNotSavedError)
    return error.failed.some(({ error: each }) => mayBeSavedLater(each));
  return (ServerError.is(error) || OutputError.is(error)) && passing.has(error.reason);
}
