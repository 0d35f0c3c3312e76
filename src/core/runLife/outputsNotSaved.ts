import { outputsText } from '../safety/countText';
import { t } from '../safety/localize';
import type { OutputFile } from '../protocol/outputFile';
import { ServerError, type ServerErrorReason } from '../protocol/serverError';
import type { NotSavedWhy } from '../records/runRecord';
import { OutputError, type OutputErrorReason } from '../outputs/outputError';
import type { SavedOutput } from '../outputs/expectedFile';

export interface FailedOutput {
  /** Missing when it was the run record that could not be written. */
  readonly file?: OutputFile | undefined;
  readonly error: unknown;
}

export class OutputsNotSavedError extends OutputError {
  constructor(
    readonly saved: readonly SavedOutput[],
    readonly failed: readonly [FailedOutput, ...FailedOutput[]],
  ) {
    const { error } = failed[0];
    super(sentence(saved.length, failed), error instanceof OutputError ? error.reason : 'broken', error);
  }

  override get nextAction(): string {
    return this.cause instanceof ServerError ? this.cause.nextAction : super.nextAction;
  }
}

export function notSavedWhy(error: unknown): NotSavedWhy {
  return OutputError.is(error) || ServerError.is(error) ? error.reason : 'other';
}

export function notSavedSentence(error: unknown): string {
  return error instanceof Error ? error.message : t`${t`An output`} couldn't be saved.`;
}

function sentence(savedCount: number, failed: readonly [FailedOutput, ...FailedOutput[]]): string {
  const { error } = failed[0];
  const count = failed.filter(({ file }) => file !== undefined).length;
  return [
    notSavedSentence(error),
    ...(count > 1 ? [t`${outputsText(count)} couldn't be saved.`] : []),
    ...(savedCount > 0 ? [t`${outputsText(savedCount)} saved.`] : []),
  ].join(' ');
}

const passing: ReadonlySet<ServerErrorReason | OutputErrorReason> = new Set([
  ...(['network', 'certificate', 'timeout', 'server', 'rateLimited', 'unauthorized', 'forbidden'] as const),
  ...(['diskFull', 'notWritable', 'missing', 'tooMany', 'tooSlow', 'broken', 'taken'] as const),
]);

/** Whether the cause of unsaved outputs can go away: a file that the server does not have never arrives. */
export function mayBeSavedLater(error: unknown): boolean {
  if (error instanceof OutputsNotSavedError)
    return error.failed.some(({ error: each }) => mayBeSavedLater(each));
  return (ServerError.is(error) || OutputError.is(error)) && passing.has(error.reason);
}
