import { MayStillRun, type CancelResult } from '../core/jobs/cancelJobs';
import { followJob, ServerGone } from '../core/jobs/followJob';
import type { Job } from '../core/jobs/job';
import type { JobTracker } from '../core/jobs/jobTracker';
import type { TrackerState } from '../core/jobs/trackerState';
import { endSentence } from '../core/safety/endSentence';
import type { Trouble } from './commandReport';
import type { RunReport } from './runReport';
import { cancelWords, troubleOf } from './runWords';
import { t } from '../core/safety/localize';

/** How long a server may be unreachable before a run stops waiting for it, in ms: a restart takes less. */
const patience = 120_000;

export interface Waiting {
  readonly tracker: Pick<JobTracker, 'finished' | 'state' | 'onDidChangeState' | 'cancel'>;
  readonly jobId: string;
  /** Ctrl-C ends this wait and not the job, which another command started. */
  readonly isGuest?: true;
  readonly report: Pick<RunReport, 'say' | 'trouble' | 'queue'>;
  readonly signal: AbortSignal;
  /** ms. */
  readonly patience?: number | undefined;
}

/** How long what a cancelled job left behind is waited for, and then saved, ms. */
export const graceAfterCancel = 15_000;

/**
 * Waits for the end of the job; Ctrl-C cancels it on the server and waits for that: it may have been faster, or made
 * something before. Throws `MayStillRun` if in vain.
 */
export async function waitForEnd(waiting: Waiting): Promise<Job> {
  const { tracker, jobId, signal, patience: limit = patience } = waiting;
  const forget = watchServer(waiting);
  try {
    return await followJob(tracker, jobId, limit, signal);
  } catch (error) {
    if (error instanceof ServerGone) throw new ServerStaysAway(jobId, error);
    if (!signal.aborted || waiting.isGuest || !(await cancelThere(waiting))) throw error;
    return await tracker.finished(jobId, AbortSignal.timeout(graceAfterCancel));
  } finally {
    forget();
  }
}

/** It was waited for in vain. */
class ServerStaysAway extends Error implements Trouble {
  override readonly name = 'ServerStaysAway';
  readonly nextAction: string;

  constructor(jobId: string, cause: ServerGone) {
    super(t`The server didn't come back.`, { cause });
    this.nextAction = t`Job ${jobId} may still be running. When the server is back, check it before you run again.`;
  }
}

/** Reports when the server cannot be reached and when it is back. */
function watchServer({ tracker, report }: Waiting): () => void {
  let isAway = false;
  let hangTold = false;
  let unreadTold = false;
  const look = ({ trouble, suspectedHang, unread, queueLength }: TrackerState): void => {
    if (queueLength !== undefined) report.queue(queueLength);
    if (trouble && !isAway)
      report.say(t`${endSentence(trouble.message)} Waiting for the server. The job may still be running.`);
    else if (!trouble && isAway) report.say(t`The server is back.`);
    isAway = trouble !== undefined;
    if (unread !== undefined && !unreadTold) {
      unreadTold = true;
      report.say(t`${unread} It was skipped: progress may be missing.`);
    }
    if (suspectedHang && !hangTold) {
      hangTold = true;
      report.say(
        t`The server isn't making progress. If this continues, press Ctrl+C and restart the server.`,
      );
    }
  };
  look(tracker.state);
  return tracker.onDidChangeState(look);
}

/** Whether it has ended. */
async function cancelThere({ tracker, jobId, report }: Waiting): Promise<boolean> {
  let result: CancelResult | undefined;
  try {
    result = await tracker.cancel(jobId);
  } catch (error) {
    const { message } = troubleOf(error);
    report.trouble({
      message: t`The job couldn't be cancelled: ${message}`,
      nextAction: t`Job ${jobId} may still be running. Cancel it on the server.`,
    });
  }
  if (result === 'stillRunning') throw new MayStillRun(jobId);
  if (result) report.say(cancelWords[result]);
  return result === 'cancelled' || result === 'alreadyEnded';
}
