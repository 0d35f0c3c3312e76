import type { SavedOutput } from '../../core/outputs/expectedFile';
import { filesSavedAsText } from '../../core/outputs/neutralEnding';
import { OutputError } from '../../core/outputs/outputError';
import { notSavedSentence } from '../../core/runLife/outputsNotSaved';
import type { RunPointer } from '../../core/runLife/runPointers';
import { errorWords } from '../../core/safety/errorWords';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { timeOfDay } from '../../core/safety/timeText';
import { commands } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { showInformation, showWarning } from '../platform/show';

/** The outputs are there, but nobody will know how they were made. */
export function tellNotRecorded(records: string | number, error: unknown): void {
  const { message, nextAction } = errorWords(error);
  const what =
    typeof records === 'string'
      ? t`The run record ${records} couldn't be written.`
      : t`Run records that couldn't be written: ${records}.`;
  const next = OutputError.is(error, 'taken') ? nextAction : t`Check the output folder.`;
  void showWarning(shown`${what} ${message} ${next}`);
}

export function tellNeverAccepted({ serverName, label, sentAt }: RunPointer): void {
  void showWarning(
    shown`${serverName} has no job for ${label}, which was about to be submitted at ${timeOfDay(sentAt)}. It was probably never accepted. Check the server's queue before you run it again.`,
  );
}

export function tellNeutralised(saved: readonly SavedOutput[]): void {
  const [first, ...others] = filesSavedAsText(saved);
  if (!first) return;
  void showInformation(
    others.length === 0
      ? shown`${first.file.filename} could run as a program, so it was saved as ${first.name}.`
      : shown`${others.length + 1} outputs could run as programs, so .txt was added to their names.`,
  );
}

export function savingProblem(error: unknown, jobId: string | undefined): Error {
  if (!OutputError.is(error))
    return error instanceof Error ? error : new Error(notSavedSentence(error), { cause: error });
  return new UserProblem(
    shown`${error.message}`,
    shown`${error.nextAction}`,
    jobId === undefined ? [] : [{ label: shown`Save Outputs`, command: commands.saveOutputs, args: [jobId] }],
    { cause: error },
  );
}
