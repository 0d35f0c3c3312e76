import { errorWords } from '../../core/safety/errorWords';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { timeOfDay } from '../../core/safety/timeText';
import type { RunTrouble } from '../ledger/pointerStore';
import type { RunPointer } from '../ledger/runPointer';
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
export function notSeen(mayArriveFor: number): RunTrouble {
  const until = timeOfDay(Date.now() + mayArriveFor);
  const words =
    mayArriveFor === 0
      ? t`Comfy Deck can't tell whether any job on the server is this run.`
      : t`The server doesn't list a job for this run yet, but it may still appear until ${until}.`;
  return { kind: 'notSeen', words };
}

export function notAnswered(): RunTrouble {
  const words = t`The server didn't respond, so it may or may not have accepted the workflow.`;
  return { kind: 'notSeen', words };
}

export function noOutputsListed({ serverName }: RunPointer): RunTrouble {
  return { kind: 'notSeen', words: t`${serverName} currently lists no outputs for this job.` };
}

export function removedServer({ serverName }: RunPointer): RunTrouble {
  return { kind: 'server', words: t`The server ${serverName} has been removed. Add it again.` };
}

export function neverAccepted({ serverName, label, sentAt }: RunPointer): void {
  void showWarning(
    shown`${serverName} has no job for ${label}, which was about to be submitted at ${timeOfDay(sentAt)}. It was probably never accepted. Check the server's queue before you run it again.`,
  );
}
