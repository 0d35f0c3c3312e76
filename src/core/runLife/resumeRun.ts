import { isTerminal, type Job } from '../jobs/job';
import { jobOfRecord } from '../records/jobOfRecord';
import { recordJobOrigin } from '../records/recordSteps';
import type { RunRecord } from '../records/runRecord';
import { finishRun, type FollowingSession, followRun, saveRun } from './finishRun';
import { OwnedRun, type RunPorts } from './ownedRun';
import type { RunEnd } from './runEnd';
import { budgets } from '../safety/budgets';
import { findLostJob, type LostSubmission } from './recoverSubmission';
import type { RunSession } from './runSession';

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
): Promise<RunEnd> {
  if (run.jobId === undefined) {
    const unseen = await findJob(run, session, arrivesWithin, signal);
    if (unseen) return unseen;
  }
  const { jobId = '' } = run;
  const { tracker, client } = session;
  const known = await tracker.details(jobId, signal);
  const remembered = known ? undefined : endedJob(run.record);
  ports.on?.({ kind: 'resumed', jobId, job: known ?? remembered });
  // The server forgot the job, and may still have its files.
  if (remembered) return saveRun(run, client, ports, remembered, signal);
  tracker.resumed(jobId, { ...recordJobOrigin(run.record), ...ports.origin }, heardBefore(run));
  if (known && !wait && !isTerminal(known.state))
    return { kind: 'owed', why: 'notFollowed', job: tracker.known(jobId), files: [] };
  return finishRun(run, session, ports, signal);
}

/** Saves the outputs of someone else's ended job next to a new record. Undefined if the server doesn't have it. */
export async function saveForeign(
  jobId: string,
  { tracker, client }: FollowingSession,
  ports: RunPorts,
  { wait }: { readonly wait: boolean },
  signal: AbortSignal,
): Promise<RunEnd | undefined> {
  const known = await tracker.details(jobId, signal);
  if (!known) return undefined;
  if (!wait && !isTerminal(known.state)) return { kind: 'owed', why: 'notFollowed', job: known, files: [] };
  const job = await followRun(tracker, jobId, ports, signal);
  const run = await OwnedRun.foreign(job, ports);
  try {
    return await saveRun(run, client, ports, job, signal);
  } finally {
    await run.close();
  }
}

async function findJob(
  run: OwnedRun,
  session: OwedJobSession,
  arrivesWithin: number | undefined,
  signal: AbortSignal,
): Promise<RunEnd | undefined> {
  const { promptId, promptText, sentAt } = run.record;
  const time = sentAt === undefined ? undefined : Date.parse(sentAt);
  const looked = await findOwedJob(session, { promptId, promptText, sentAt: time, arrivesWithin }, signal);
  switch (looked.kind) {
    case 'found':
      await run.accepted(looked.id);
      return undefined;
    case 'gone':
      await run.giveUp('neverAccepted');
      return { kind: 'lost', why: 'neverAccepted' };
    case 'notSeen':
      return { kind: 'owed', why: 'notSeen', files: [], mayArriveFor: looked.mayArriveFor };
  }
}

/** What events told of a job whose end was not seen. */
export function heardBefore({ record }: Pick<OwnedRun, 'record'>): Job | undefined {
  return record.state === 'submitted' ? jobOfRecord(record) : undefined;
}

/** Used if the server forgot the job and may keep its files. A run that had ended keeps its end. */
function endedJob(record: RunRecord): Job | undefined {
  const job = jobOfRecord(record);
  const isStopped = job?.state === 'failed' || job?.state === 'cancelled';
  if (!job || isStopped) return job;
  // Until it has ended, the record has only what events told.
  if (record.state === 'submitted' || (record.expected.length === 0 && record.state !== 'saved'))
    return undefined;
  return { ...job, state: record.error ? 'failed' : 'completed' };
}

interface UnclearRun extends Pick<RunRecord, 'promptId' | 'promptText'> {
  /** When it was about to leave, ms since the epoch by our clock. */
  readonly sentAt: number | undefined;
  /** How long after that it may arrive, ms. */
  readonly arrivesWithin?: number | undefined;
}

export interface OwedJobSession extends Pick<RunSession, 'now' | 'earliestNow' | 'sentTextsOf'> {
  readonly client: LostSubmission['client'];
  capabilities(): Promise<Pick<Awaited<ReturnType<RunSession['capabilities']>>, 'dialect'>>;
}

/**
 * The server's knowledge of such a prompt. `notSeen`: it may still arrive, or the server lists only some of its jobs.
 * `gone`: it will not arrive, and the server has no job for it, because it never accepted or has since removed it.
 */
export type OwedJob =
  | { readonly kind: 'found'; readonly id: string }
  | { readonly kind: 'notSeen'; readonly mayArriveFor: number }
  | { readonly kind: 'gone' };

/** Looks once, and sends nothing. @throws ServerError when the server can't be reached */
export async function findOwedJob(
  session: OwedJobSession,
  { promptId, promptText, sentAt, arrivesWithin = budgets.latestArrival }: UnclearRun,
  signal: AbortSignal,
): Promise<OwedJob> {
  const mayArriveFor = arrivesFor(sentAt, session.now(), arrivesWithin);
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

/** A clock that was set back must not lengthen the wait beyond its duration from now. */
function arrivesFor(sentAt: number | undefined, now: number, within: number): number {
  if (sentAt === undefined) return 0;
  return Math.min(Math.max(0, sentAt + within - now), within);
}
