import type { QueueSnapshot } from '../protocol/queue';
import { ServerError } from '../protocol/serverError';
import { budgets } from '../safety/budgets';
import type { FollowedJobs } from './followedJobs';
import type { StallDetector } from './stallDetector';
import type { ServerJobs } from './serverJobs';
import { t } from '../safety/localize';

export interface ServerReading {
  readonly jobs: ServerJobs;
  readonly followed: FollowedJobs;
  readonly hang: StallDetector;
  /** ms for which this machine was awake. */
  readonly awake: number;
  /** A view shows the jobs of others too. */
  readonly list: boolean;
  /** Events of our jobs arrive here. */
  readonly heard: boolean;
  /** Everyone's running and queued jobs, as last reported by the socket. */
  readonly queueRemaining: number | undefined;
}

export interface ServerRead {
  /** A job was not found, and it takes more polls to conclude that it is gone. */
  readonly lookAgain: boolean;
  /** For how long nothing has moved, ms. */
  readonly quietFor?: number | undefined;
}

/**
 * One poll: each tracked job, by its own record. The queue contains everyone's jobs with full prompts, so it is read
 * only for a view that shows it or for our own queued job, and less often when it is large. It is read first, because a
 * job moves from it to the history (protocol 4.3).
 */
export async function readServer(reading: ServerReading, signal: AbortSignal): Promise<ServerRead> {
  const { jobs, followed, hang, list, awake } = reading;
  const open = followed.open();
  const wanted = list || open.some((id) => jobs.get(id)?.state === 'pending');
  const queue = wanted ? await jobs.readQueue(signal) : undefined;
  if (list) await jobs.readList(signal);
  const queued = new Set(queue ? [...queue.running, ...queue.pending].map((item) => item.id) : []);
  const others = list ? jobs.live().filter((job) => !followed.has(job.id)) : [];
  const unseen = [...open, ...others.map((job) => job.id)].filter((id) => !queued.has(id));
  let lookAgain = false;
  for (const id of jobs.leastLookedFor(unseen, budgets.jobsLookedFor)) {
    const found = await jobs.lookFor(id, signal);
    if (found === 'missing') lookAgain = true;
    if (found !== 'gone') continue;
    if (jobs.get(id)) followed.gone(id);
    else followed.drop(id, unknownJob(id));
  }
  const known = wanted ? jobs.lastQueue : ownQueue(reading, open);
  if (!known) return { lookAgain };
  const nodeKnown = !reading.heard || !hasNamelessNode(reading, known);
  return { lookAgain, quietFor: hang.read({ queue: known, nodeKnown, at: awake }) };
}

/** What is known about the queue without reading it: our running jobs, and whether others wait behind them. */
function ownQueue({ jobs, queueRemaining }: ServerReading, open: readonly string[]): QueueSnapshot {
  const item = (id: string) => ({ id, number: 0 });
  const running = open.filter((id) => jobs.get(id)?.state === 'running').map(item);
  const somebodyWaits = (queueRemaining ?? 0) > running.length;
  return { running, pending: somebodyWaits ? [item('')] : [] };
}

/** A job of ours runs and no event has named a node of it that does. */
function hasNamelessNode({ jobs, followed }: ServerReading, { running }: QueueSnapshot): boolean {
  const runs = new Set(running.map((item) => item.id));
  return followed
    .open()
    .map((id) => jobs.get(id))
    .some((job) => job?.state === 'running' && runs.has(job.id) && job.currentNodeId === undefined);
}

function unknownJob(id: string): ServerError {
  return new ServerError(t`The server doesn't have this job.`, {
    reason: 'notFound',
    endpoint: `GET /api/jobs/${id}`,
  });
}
