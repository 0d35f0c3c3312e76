import { awakeTimeout } from '../core/jobs/awakeTimeout';
import { MayStillRun, type CancelResult } from '../core/jobs/cancelJobs';
import type { Job } from '../core/jobs/job';
import type { JobTracker } from '../core/jobs/jobTracker';
import type { TrackerState } from '../core/jobs/trackerState';
import { endSentence } from '../core/safety/endSentence';
import type { RunReport } from './runReport';
import { cancelWords, troubleOf } from './runWords';
import { t } from '../core/safety/localize';

/** How long a server may be unreachable before a run stops waiting for it, in ms: a restart takes less. */
const patience = 120_000;

/** The server became unreachable while a job was there, and did not come back. */
class ServerGone extends Error {
  override readonly name = 'ServerGone';

  constructor(
    message: string,
    readonly nextAction: string,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}

export interface Waiting {
  /** Without `cancel`, Ctrl-C ends this wait and not the job. */
  readonly tracker: Pick<JobTracker, 'finished' | 'state' | 'onDidChangeState'> &
    Partial<Pick<JobTracker, 'cancel'>>;
  readonly jobId: string;
  readonly report: Pick<RunReport, 'say' | 'trouble' | 'queue'>;
  readonly signal: AbortSignal;
  /** ms. */
  readonly patience?: number | undefined;
}

/** How long what a cancelled job left behind is waited for, ms. */
const graceAfterCancel = 15_000;

/**
 * Waits for the end of the job; Ctrl-C cancels it on the server and waits for that: it may have been faster, or made
 * something before. Throws `MayStillRun` if in vain.
 */
export async function waitForEnd(waiting: Waiting): Promise<Job> {
  const { tracker, jobId, signal } = waiting;
  const gone = new AbortController();
  const forget = watchServer(waiting, gone);
  try {
    return await tracker.finished(jobId, AbortSignal.any([signal, gone.signal]));
  } catch (error) {
    if (!signal.aborted || !(await cancelThere(waiting))) throw error;
    return await tracker.finished(jobId, AbortSignal.timeout(graceAfterCancel));
  } finally {
    forget();
  }
}

/** Reports when the server cannot be reached and when it is back; ends the wait if it stays away. */
function watchServer({ tracker, jobId, report, patience: limit = patience }: Waiting, gone: AbortController) {
  let timer: NodeJS.Timeout | undefined;
  let hangTold = false;
  let unreadTold = false;
  const look = ({ trouble, suspectedHang, unread, queueLength }: TrackerState): void => {
    if (queueLength !== undefined) report.queue(queueLength);
    if (trouble && !timer) {
      report.say(t`${endSentence(trouble.message)} Waiting for the server; the job may continue there.`);
      timer = awakeTimeout(limit, () => {
        const next = t`Job ${jobId} may still be running there: check it once the server is back, before you run again.`;
        gone.abort(new ServerGone(t`The server did not come back.`, next, tracker.state.trouble));
      });
    } else if (!trouble && timer) {
      report.say(t`The server is back.`);
      clearInterval(timer);
      timer = undefined;
    }
    if (unread !== undefined && !unreadTold) {
      unreadTold = true;
      report.say(t`${unread} It was skipped: progress may be missing.`);
    }
    if (suspectedHang && !hangTold) {
      hangTold = true;
      report.say(t`The server is making no progress. If that lasts, press Ctrl-C and restart the server.`);
    }
  };
  look(tracker.state);
  const stop = tracker.onDidChangeState(look);
  return () => {
    stop();
    clearInterval(timer);
  };
}

/** Whether it has ended. */
async function cancelThere({ tracker, jobId, report }: Waiting): Promise<boolean> {
  let result: CancelResult | undefined;
  try {
    result = await tracker.cancel?.(jobId);
  } catch (error) {
    const { message } = troubleOf(error);
    report.trouble({
      message: t`The job could not be cancelled: ${message}`,
      nextAction: t`Job ${jobId} may continue there: cancel it on the server.`,
    });
  }
  if (result === 'stillRunning') throw new MayStillRun(jobId);
  if (result) report.say(cancelWords[result]);
  return result === 'cancelled' || result === 'alreadyEnded';
}
