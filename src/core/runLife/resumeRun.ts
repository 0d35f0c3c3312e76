import { isTerminal, type Job } from '../jobs/job';
import { jobOfRecord } from '../records/jobOfRecord';
import { originOf } from '../records/recordSteps';
import type { RunRecord } from '../records/runRecord';
import { findOwedJob, type OwedJobSession } from './findOwedJob';
import { finishRun, saveRun, type FollowingSession } from './finishRun';
import { followRun } from './followRun';
import { OwnedRun } from './ownedRun';
import type { RunEnd } from './runEnd';
import type { RunPorts } from './ownedRun';

/**
 * Takes up a run that was sent, or was about to be sent, when its program ended: looks for its job, follows it and saves
 * its outputs. Never sends anything. What a server says of a job that it doesn't know decides the tracker, as for one
 * that was never left: a gateway may forget it for half a minute, and a false "lost" invites paying twice.
 * @param wait false: a job that has not ended is `notEnded`
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
  tracker.resumed(jobId, { ...originOf(run.record), ...ports.origin });
  if (known && !wait && !isTerminal(known.state))
    return { kind: 'owed', why: 'notEnded', job: tracker.known(jobId), files: [] };
  return finishRun(run, session, ports, signal);
}

/**
 * Saves the outputs of an ended job that was not run from here, next to a record of its own. Undefined: the server
 * doesn't know the job.
 */
export async function saveForeign(
  jobId: string,
  { tracker, client }: FollowingSession,
  ports: RunPorts,
  { wait }: { readonly wait: boolean },
  signal: AbortSignal,
): Promise<RunEnd | undefined> {
  const known = await tracker.details(jobId, signal);
  if (!known) return undefined;
  if (!wait && !isTerminal(known.state)) return { kind: 'owed', why: 'notEnded', job: known, files: [] };
  const job = await followRun(tracker, jobId, ports, signal);
  const run = await OwnedRun.foreign(job, ports);
  try {
    return await saveRun(run, client, ports, job, signal);
  } finally {
    await run.close();
  }
}

/** Undefined once the job is known. */
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

/**
 * The job by its record, for a server that forgot it and may keep its files. A run that had ended keeps its end: a
 * cancelled or failed one that counted as lost would be offered to be run again.
 */
function endedJob(record: RunRecord): Job | undefined {
  const job = jobOfRecord(record);
  const isStopped = job?.state === 'failed' || job?.state === 'cancelled';
  if (!job || isStopped) return job;
  if (record.expected.length === 0 && record.state !== 'saved') return undefined;
  return { ...job, state: record.error ? 'failed' : 'completed' };
}
