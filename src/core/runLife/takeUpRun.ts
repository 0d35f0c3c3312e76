import { MayStillRun } from '../jobs/cancelJobs';
import { coalesceCalls } from '../jobs/coalesce';
import { isTerminal, type Job } from '../jobs/job';
import { jobOfRecord } from '../records/jobOfRecord';
import { finalState, recordJobOrigin } from '../records/recordSteps';
import type { RunRecord } from '../records/runRecord';
import { OutputsNotSavedError } from './outputsNotSaved';
import type { OwnedRun, RunPorts } from './ownedRun';
import { findLostJob, type LostSubmission } from './recoverSubmission';
import { type EndPhase, type OwedPhase, RunLeft } from './run';
import { runPrice } from '../jobs/runPrice';
import type { RunSession } from './runSession';
import { budgets } from '../safety/budgets';
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
): Promise<EndPhase> {
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
    if (RunLeft.is(signal.reason)) return owed('notFollowed', error, job);
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
): Promise<EndPhase> {
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
): Promise<EndPhase> {
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
      shown: () => ports.shown?.(job.id),
      onProgress: (progress) => ports.on?.({ kind: 'saving', progress }),
      signal,
    });
    ports.on?.({ kind: 'saved', job, files, isPart: false });
    const kind = finalState(job, run.record);
    if (kind === 'lost') return { kind, why: 'forgotten', job, files: [] };
    return kind === 'incomplete' ? owed('notSaved', undefined, job) : { kind, job, files };
  } catch (error) {
    if (!(error instanceof OutputsNotSavedError))
      return owed(signal.aborted ? 'notFollowed' : 'endUnknown', error, job);
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
  why: OwedPhase['why'],
  error: unknown,
  job: Job | undefined,
): EndPhase & { readonly kind: 'owed' } {
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

/**
 * Resumes a run that was sent, or was about to be. Never sends anything. The tracker judges a forgotten job: a gateway
 * may forget it for half a minute, and a false "lost" invites paying twice.
 * @param wait false: a job that has not ended is `notFollowed`
 * @param arrivesWithin how long a prompt without a job may still arrive, ms
 * @throws ServerError when the server can't be reached
 */
export async function resumeRun(
  run: OwnedRun,
  session: FollowingSession & OwedJobSession,
  ports: RunPorts,
  { wait, arrivesWithin }: { readonly wait: boolean; readonly arrivesWithin?: number | undefined },
  signal: AbortSignal,
): Promise<EndPhase> {
  const { isOwed } = run;
  const jobId = run.jobId ?? (await findJob(run, session, arrivesWithin, signal));
  if (typeof jobId !== 'string') return jobId;
  const { tracker, client } = session;
  const known = await tracker.details(jobId, signal);
  // Meanwhile, the user has given it up.
  if (isOwed && run.record.why === 'givenUp') return { kind: 'lost', why: 'givenUp', files: [] };
  if (run.jobId === undefined) await run.accepted(jobId);
  const remembered = known ? undefined : endedJob(run.record);
  ports.on?.({ kind: 'resumed', jobId, job: known ?? remembered });
  await ports.pointers?.put(run);
  // The server forgot the job, and may still have its files.
  if (remembered) return saveRun(run, client, ports, remembered, signal);
  tracker.resumed(jobId, { ...recordJobOrigin(run.record), ...ports.origin }, jobOfRecord(run.record));
  if (known && !wait && !isTerminal(known.state))
    return { kind: 'owed', why: 'notFollowed', job: tracker.known(jobId), files: [] };
  return finishRun(run, session, ports, signal);
}

async function findJob(
  run: OwnedRun,
  session: OwedJobSession,
  arrivesWithin: number | undefined,
  signal: AbortSignal,
): Promise<string | EndPhase> {
  const looked = await findOwedJob(session, { ...run.record, arrivesWithin }, signal);
  if (looked.kind === 'notSeen')
    return { kind: 'owed', why: 'notSeen', files: [], mayArriveFor: looked.mayArriveFor };
  if (looked.kind === 'found') return looked.id;
  await run.giveUp('neverAccepted');
  return { kind: 'lost', why: 'neverAccepted', files: [] };
}

/** Used if the server forgot the job and may keep its files. A run that had ended keeps its end. */
function endedJob(record: RunRecord): Job | undefined {
  const job = jobOfRecord(record);
  const isStopped = job?.state === 'failed' || job?.state === 'cancelled';
  // Until it has ended, the record has only what events told.
  const isOver = record.state !== 'submitted' && (record.expected.length > 0 || record.state === 'saved');
  return isStopped || isOver ? job : undefined;
}

interface UnclearRun extends Pick<RunRecord, 'promptId' | 'promptText' | 'sentAt'> {
  /** How long after it was about to leave it may arrive, ms. */
  readonly arrivesWithin?: number | undefined;
}

interface OwedJobSession extends Pick<RunSession, 'now' | 'earliestNow' | 'sentTextsOf'> {
  readonly client: LostSubmission['client'];
  capabilities(): Promise<Pick<Awaited<ReturnType<RunSession['capabilities']>>, 'dialect'>>;
}

/**
 * The server's knowledge of such a prompt. `notSeen`: it may still arrive, or the server lists only some of its jobs.
 * `gone`: it will not arrive, and the server has no job for it, because it never accepted or has since removed it.
 */
type OwedJob =
  | { readonly kind: 'found'; readonly id: string }
  | { readonly kind: 'notSeen'; readonly mayArriveFor: number }
  | { readonly kind: 'gone' };

/** Looks once, and sends nothing. @throws ServerError when the server can't be reached */
export async function findOwedJob(
  session: OwedJobSession,
  { promptId, promptText, sentAt: sent, arrivesWithin = budgets.latestArrival }: UnclearRun,
  signal: AbortSignal,
): Promise<OwedJob> {
  const sentAt = sent === undefined ? undefined : Date.parse(sent);
  const left = sentAt === undefined ? 0 : Math.max(0, sentAt + arrivesWithin - session.now());
  // A clock that was set back must not lengthen the wait beyond its duration from now.
  const mayArriveFor = Math.min(left, arrivesWithin);
  if (promptId === undefined) return { kind: 'notSeen', mayArriveFor };
  const isLocal = (await session.capabilities()).dialect === 'local';
  const earliest = session.earliestNow();
  const looked = await findLostJob(
    {
      client: session.client,
      promptId: isLocal ? promptId : undefined,
      runKey: promptId,
      promptText: promptText ?? '{}',
      // A clock that was changed in the meantime must not hide the job.
      since: undefined,
      reach: sentAt === undefined || earliest === undefined ? undefined : sentAt + earliest - session.now(),
      isKnown: () => false,
      sentTextsOf: (id, each) => session.sentTextsOf(id, each),
      giveUpAfter: 0,
    },
    signal,
  );
  if (looked.kind === 'found') return looked;
  const isGone = sentAt !== undefined && mayArriveFor === 0 && looked.sawAll;
  return isGone ? { kind: 'gone' } : { kind: 'notSeen', mayArriveFor };
}
