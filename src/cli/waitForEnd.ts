import type { Job } from '../core/jobs/job';
import type { JobTracker } from '../core/jobs/jobTracker';
import type { TrackerState } from '../core/jobs/trackerState';
import { endSentence } from '../core/protocol/endSentence';
import type { RunReport } from './runReport';
import { cancelWords, troubleOf } from './runWords';

/** How long a server may stay away before a run stops waiting for it, in ms: a restart takes less. */
const patience = 120_000;

/** The server went away while a job was there, and did not come back. */
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
  readonly tracker: Pick<JobTracker, 'finished' | 'cancel' | 'state' | 'onDidChangeState'>;
  readonly jobId: string;
  readonly report: Pick<RunReport, 'say' | 'trouble'>;
  readonly signal: AbortSignal;
  /** ms. */
  readonly patience?: number;
}

/** Waits for the end of the job; Ctrl-C cancels it on the server and waits until that is so. */
export async function waitForEnd(waiting: Waiting): Promise<Job> {
  const { tracker, jobId, signal } = waiting;
  const gone = new AbortController();
  const forget = watchServer(waiting, gone);
  try {
    return await tracker.finished(jobId, AbortSignal.any([signal, gone.signal]));
  } catch (error) {
    if (signal.aborted) await cancelThere(waiting);
    throw error;
  } finally {
    forget();
  }
}

/** Says when the server cannot be reached and when it is back; ends the wait when it stays away. */
function watchServer({ tracker, jobId, report, patience: limit = patience }: Waiting, gone: AbortController) {
  let timer: NodeJS.Timeout | undefined;
  let hangTold = false;
  const look = ({ trouble, suspectedHang }: TrackerState): void => {
    if (trouble && !timer) {
      report.say(`${endSentence(trouble.message)} Waiting for the server; the job may go on there.`);
      timer = setTimeout(() => {
        const next = `Job ${jobId} may go on there: look at its queue when it is back, or run again.`;
        gone.abort(new ServerGone('The server did not come back.', next, tracker.state.trouble));
      }, limit);
    } else if (!trouble && timer) {
      report.say('The server is back.');
      clearTimeout(timer);
      timer = undefined;
    }
    if (suspectedHang && !hangTold) {
      hangTold = true;
      report.say('Nothing moves on the server. If that lasts, press Ctrl-C and restart the server.');
    }
  };
  look(tracker.state);
  const stop = tracker.onDidChangeState(look);
  return () => {
    stop();
    clearTimeout(timer);
  };
}

async function cancelThere({ tracker, jobId, report }: Waiting): Promise<void> {
  try {
    report.say(cancelWords[await tracker.cancel(jobId)]);
  } catch (error) {
    const { message } = troubleOf(error);
    report.trouble({
      message: `The job could not be cancelled: ${message}`,
      nextAction: `Job ${jobId} may go on there: cancel it on the server.`,
    });
  }
}
