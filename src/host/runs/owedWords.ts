import type { OwnedRun } from '../../core/runLife/ownedRun';
import { errorWords } from '../../core/safety/errorWords';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { timeOfDay } from '../../core/safety/timeText';
import type { RunPointer, RunTrouble } from '../ledger/runPointer';
import { isCancellation, UserProblem } from '../platform/problems';
import { showWarning } from '../platform/show';

/** Loaded when a run is owed. */

export function runTrouble(error: unknown): RunTrouble {
  // Signing in or out closes it, for example.
  if (isCancellation(error)) return { kind: 'server', words: t`The connection to the server was closed.` };
  const cause = error instanceof UserProblem ? error.cause : error;
  const reason = cause instanceof Error && 'reason' in cause ? cause.reason : undefined;
  const { message, nextAction } = errorWords(error);
  const words = nextAction === '' ? message : `${message} ${nextAction}`;
  return { kind: reason === 'diskFull' || reason === 'notWritable' ? 'disk' : 'server', words };
}

/** The row stays as it is until the server is asked again, so it says until when. */
export function notSeenWords(mayArriveFor: number): string {
  if (mayArriveFor === 0) return t`Comfy Deck can't tell whether any job on the server is this run.`;
  const until = timeOfDay(Date.now() + mayArriveFor);
  return t`The server doesn't list a job for this run yet, but it may still appear until ${until}.`;
}

export function serverUnknown({ serverName }: RunPointer): RunTrouble {
  return { kind: 'serverUnknown', words: t`The server ${serverName} has been removed. Add it again.` };
}

export async function unknownOutputs({ record }: OwnedRun): Promise<RunTrouble> {
  const { troubleWords } = await import('../../core/records/runWords');
  return { kind: 'outputsUnknown', words: troubleWords(record) ?? '' };
}

export function neverAccepted({ serverName, label, sentAt }: RunPointer): void {
  void showWarning(
    shown`${serverName} has no job for ${label}, which was about to be submitted at ${timeOfDay(sentAt)}. It was probably never accepted. Check the server's queue before you run it again.`,
  );
}
