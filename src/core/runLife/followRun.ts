import { AwakeClock } from '../jobs/awakeClock';
import type { Job } from '../jobs/job';
import type { JobTracker } from '../jobs/jobTracker';
import type { RunPorts } from './ownedRun';

/** The server became unreachable while a job was there, and did not come back in time. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';
}

/**
 * Waits for the end of a job, and tells how its server is.
 * @throws ServerGone when the server was unreachable for `giveUpAfter`; the signal's reason when aborted
 */
export async function followRun(
  tracker: Pick<JobTracker, 'finished' | 'state' | 'onDidChangeState'>,
  jobId: string,
  { giveUpAfter, on }: Pick<RunPorts, 'giveUpAfter' | 'on'>,
  signal: AbortSignal,
): Promise<Job> {
  const gone = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const { state } = tracker;
    on?.({ kind: 'server', state });
    const { trouble } = state;
    if (trouble && !timer && Number.isFinite(giveUpAfter)) {
      timer = awakeTimeout(giveUpAfter, () =>
        gone.abort(new ServerGone(trouble.message, { cause: trouble })),
      );
    } else if (!trouble && timer) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  look();
  const stop = tracker.onDidChangeState(look);
  try {
    return await tracker.finished(jobId, AbortSignal.any([signal, gone.signal]));
  } finally {
    stop();
    clearInterval(timer);
  }
}

/** How often the time is checked, in ms. */
const awakeTick = 5_000;

/**
 * Calls once after this many ms in which the machine was awake: a closed laptop does not count as waiting.
 * `clearInterval` ends it.
 */
function awakeTimeout(ms: number, call: () => void): NodeJS.Timeout {
  const clock = new AwakeClock(Date.now);
  const end = clock.now() + ms;
  const timer = setInterval(
    () => {
      if (clock.now() < end) return;
      clearInterval(timer);
      call();
    },
    Math.min(ms, awakeTick),
  );
  return timer;
}
