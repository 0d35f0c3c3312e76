import type { QueueSnapshot } from '../protocol/queue';
import { ServerError } from '../protocol/serverError';
import { endSentence } from '../safety/endSentence';
import { budgets } from '../safety/budgets';
import type { FollowedJobs } from './followedJobs';
import { jobLabel } from './jobWords';
import type { ServerJobs } from './serverJobs';
import { t } from '../safety/localize';

interface ServerReading {
  readonly jobs: ServerJobs;
  readonly followed: FollowedJobs;
  readonly hang: StallDetector;
  /** A view shows the jobs of others too. */
  readonly list: boolean;
  readonly heard: boolean;
  /** Everyone's running and queued jobs, as last reported by the socket. */
  readonly queueRemaining: number | undefined;
}

/**
 * One poll: each tracked job, by its own record. The queue contains everyone's jobs with full prompts, so it is read
 * only for a view that shows it or for our own queued job, and less often when it is large. It is read first, because a
 * job moves from it to the history (protocol 4.3).
 */
export async function readServer(
  reading: ServerReading,
  signal: AbortSignal,
): Promise<{ readonly lookAgain: boolean; readonly quietFor?: number | undefined }> {
  const { jobs, followed, hang, list } = reading;
  const open = followed.open();
  const wanted = list || open.some((id) => jobs.get(id)?.state === 'pending');
  const queue = wanted ? await jobs.readQueue(signal) : undefined;
  if (list) await jobs.readList(signal);
  const queued = new Set(queue ? [...queue.running, ...queue.pending].map((item) => item.id) : []);
  const others = list ? jobs.live().filter((job) => !followed.has(job.id)) : [];
  const unseen = [...open, ...others.map((job) => job.id)].filter((id) => !queued.has(id));
  /** A job was not found, and it takes more polls to conclude that it is gone. */
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
  return { lookAgain, quietFor: hang.read({ queue: known, nodeKnown, at: jobs.awake() }) };
}

/** The queue as known without reading it: our running jobs, and whether others wait behind them. */
function ownQueue({ jobs, queueRemaining }: ServerReading, open: readonly string[]): QueueSnapshot {
  const item = (id: string) => ({ id, number: 0 });
  const running = open.filter((id) => jobs.get(id)?.state === 'running').map(item);
  const somebodyWaits = (queueRemaining ?? 0) > running.length;
  return { running, pending: somebodyWaits ? [item('')] : [] };
}

function hasNamelessNode({ jobs, followed }: ServerReading, { running }: QueueSnapshot): boolean {
  const runs = new Set(running.map((item) => item.id));
  return followed
    .open()
    .map((id) => jobs.get(id))
    .some((job) => job?.state === 'running' && runs.has(job.id) && job.currentNodeId === undefined);
}

function unknownJob(id: string): ServerError {
  return new ServerError(endSentence(t`${jobLabel({ id })} is no longer on the server`), {
    reason: 'notFound',
    endpoint: `GET /api/jobs/${id}`,
  });
}

/** A server that does not even name a node that it runs is suspected sooner than one that is busy with a node. */
const quietWithoutNode = 2 * 60_000;
const quietWithNode = 10 * 60_000;

interface Quiet {
  readonly queue: QueueSnapshot;
  /** The node that runs is known for every running job, or can't be known because its events are sent elsewhere. */
  readonly nodeKnown: boolean;
  /** ms for which this machine was awake: see `ServerJobs.awake`. */
  readonly at: number;
}

/**
 * Suspects a server that answers but no longer runs anything: an accepted prompt can kill its worker; then the job runs
 * forever and later ones wait forever (protocol 7.2). Only a suspicion: a long node is silent too.
 */
export class StallDetector {
  #movedAt: number | undefined;
  #seen = '';

  moved(at: number): void {
    this.#movedAt = at;
  }

  /** The queue was read. Returns for how long nothing has moved (ms), if long enough to report. */
  read({ queue, nodeKnown, at }: Quiet): number | undefined {
    const ids = [queue.running, queue.pending].map((items) => items.map((item) => item.id));
    const seen = JSON.stringify(ids);
    if (seen !== this.#seen || this.#movedAt === undefined || seen === '[[],[]]') {
      this.#seen = seen;
      this.#movedAt = at;
    }
    const waits = queue.pending.length > 0 || !nodeKnown;
    const quiet = nodeKnown && queue.running.length > 0 ? quietWithNode : quietWithoutNode;
    const still = at - this.#movedAt;
    return waits && still >= quiet ? still : undefined;
  }
}
