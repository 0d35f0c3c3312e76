import { MayStillRun } from '../jobs/cancelJobs';
import { coalesceCalls } from '../jobs/coalesce';
import { isTerminal, type Job } from '../jobs/job';
import { jobOfRecord } from '../records/jobOfRecord';
import { finalState } from '../records/recordSteps';
import type { RunRecord } from '../records/runRecord';
import { OutputsNotSavedError } from './outputsNotSaved';
import type { OwnedRun, RunPorts } from './ownedRun';
import type { OwedWhy } from './run';
import { type RunEnd, RunLeft } from './runEnd';
import { runPrice } from '../jobs/runPrice';
import type { RunSession } from './runSession';
import { saveRunOutputs, withEventNews } from './saveOutputs';
import { AwakeClock } from '../jobs/serverJobs';
import type { JobTracker } from '../jobs/jobTracker';

/** How long to wait for a cancelled job before saving what it made (ms). */
const graceAfterCancel = 15_000;

/** What events told is recorded at most this often (ms). */
const noteEvery = 250;

export type FollowingSession = Pick<RunSession, 'tracker' | 'client'>;

/** An abort cancels the job and saves what it made before, unless its reason is `RunLeft`. */
export async function finishRun(
  run: OwnedRun,
  { tracker, client }: FollowingSession,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<RunEnd> {
  const { jobId } = run;
  if (jobId === undefined) throw new Error('A run is followed before the server accepted it.');
  const noteNews = async (): Promise<void> => {
    const job = tracker.known(jobId);
    if (job) await run.change((record) => withEventNews(record, run.file.stem, job, ports.temporaryToo));
  };
  const noteSoon = coalesceCalls(() => void noteNews(), noteEvery);
  let isTold = false;
  const running = (): void => {
    if (!isTold) ports.on?.({ kind: 'running', jobId });
    isTold = true;
  };
  let noted: string | undefined;
  const unwatch = tracker.onDidChangeJob(jobId, (job) => {
    if (job.state !== 'running') return;
    running();
    const news = eventNews(job, run.record);
    if (news !== noted) noteSoon();
    noted = news;
  });
  try {
    const job = await followRun(tracker, jobId, ports, signal);
    noteSoon.cancel();
    // The job may have been too fast to be seen.
    running();
    return await saveRun(run, client, ports, job, signal);
  } catch (error) {
    await noteNews();
    const job = tracker.known(jobId);
    if (error instanceof ServerGone) return owed('serverAway', error, job);
    if (!signal.aborted) return owed('endUnknown', error, job);
    if (signal.reason instanceof RunLeft) return owed('left', error, job);
  } finally {
    unwatch();
    noteSoon.cancel();
  }
  return cancelRun(run, { tracker, client }, ports, jobId);
}

/** Changes with what only events tell of a job; undefined if there is nothing of it. */
function eventNews(job: Job, { outputNodes }: RunRecord): string | undefined {
  const { startedAt, outputs, texts, executed = [] } = job;
  const credits = runPrice(job)?.credits;
  // A server without a history lists no outputs.
  const told = outputNodes ? [startedAt, outputs.length, texts.length, executed.length] : [];
  return outputNodes || credits !== undefined ? [...told, credits].join() : undefined;
}

/** What the job made before is saved, since it was paid for; what isn't confirmed stays owed. */
async function cancelRun(
  run: OwnedRun,
  { tracker, client }: FollowingSession,
  ports: RunPorts,
  jobId: string,
): Promise<RunEnd> {
  try {
    const result = await tracker.cancel(jobId);
    ports.on?.({ kind: 'cancel', jobId, result });
    if (result === 'stillRunning') return owed('mayStillRun', new MayStillRun(jobId), tracker.known(jobId));
    const until = AbortSignal.timeout(graceAfterCancel);
    return await saveRun(run, client, ports, await tracker.finished(jobId, until), until);
  } catch (error) {
    ports.on?.({ kind: 'notCancelled', jobId, error });
    const job = tracker.known(jobId);
    return owed(job && isTerminal(job.state) ? 'endUnknown' : 'mayStillRun', error, job);
  }
}

/** Also saves what the job made before it failed. */
export async function saveRun(
  run: OwnedRun,
  client: RunSession['client'],
  ports: RunPorts,
  told: Job,
  signal: AbortSignal,
): Promise<RunEnd> {
  const job = withRecordedBlocks(told, run.record);
  ports.on?.({ kind: 'ended', job });
  await ports.ended?.(job);
  try {
    const files = await saveRunOutputs({
      job,
      client,
      folder: ports.folder,
      run: run.file,
      temporaryToo: ports.temporaryToo,
      shown: ports.shown,
      onProgress: (progress) => ports.on?.({ kind: 'saving', progress }),
      signal,
    });
    ports.on?.({ kind: 'saved', job, files, isPart: false });
    const kind = finalState(job, run.record);
    if (kind === 'lost') return { kind, why: 'forgotten', job };
    return kind === 'incomplete' ? owed('notSaved', undefined, job) : { kind, job, files };
  } catch (error) {
    if (!(error instanceof OutputsNotSavedError))
      return owed(signal.aborted ? 'left' : 'endUnknown', error, job);
    ports.on?.({ kind: 'saved', job, files: error.saved, isPart: true });
    return { ...owed('notSaved', error, job), files: error.saved };
  }
}

/** Only events report what was blocked, and only once. */
function withRecordedBlocks(job: Job, record: RunRecord): Job {
  const recorded = job.blocked.length > 0 ? undefined : jobOfRecord(record);
  return recorded ? { ...job, blocked: recorded.blocked } : job;
}

function owed(
  why: OwedWhy | 'left',
  error: unknown,
  job: Job | undefined,
): RunEnd & { readonly kind: 'owed' } {
  return { kind: 'owed', why, error, job, files: [] };
}

class ServerGone extends Error {
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

/** Calls once after `ms` of being awake, because a closed laptop isn't waiting. `clearInterval` ends it. */
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
