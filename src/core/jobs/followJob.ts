import type { Job } from './job';
import type { JobTracker } from './jobTracker';
import { AwakeClock } from './awakeClock';

/** The server became unreachable while a job was there, and did not come back in time. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';
}

/**
 * Waits for the end of a job.
 * @param patience how long the server may be unreachable, ms
 * @throws ServerGone after that; the signal's reason when aborted
 */
export async function followJob(
  tracker: Pick<JobTracker, 'finished' | 'state' | 'onDidChangeState'>,
  jobId: string,
  patience: number,
  signal: AbortSignal,
): Promise<Job> {
  const gone = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const { trouble } = tracker.state;
    if (trouble && !timer) {
      timer = awakeTimeout(patience, () => gone.abort(new ServerGone(trouble.message, { cause: trouble })));
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
