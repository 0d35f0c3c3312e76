import { ServerError } from '../protocol/serverError';
import type { FollowedJobs } from './followedJobs';
import type { HangWatch } from './hangWatch';
import type { ServerJobs } from './serverJobs';

/** Most jobs of others that one poll asks about one by one. */
const mostOthers = 20;

export interface ServerReading {
  readonly jobs: ServerJobs;
  readonly followed: FollowedJobs;
  readonly hang: HangWatch;
  readonly clock: () => number;
  /** A view shows the jobs of others too. */
  readonly list: boolean;
  /** The events of our jobs come here. */
  readonly heard: boolean;
}

export interface ServerRead {
  /** A job was not found, and it takes a second look to say that it is gone. */
  readonly lookAgain: boolean;
  /** Since when nothing has moved; ms since the epoch. */
  readonly hangSince?: number | undefined;
}

/**
 * One poll: the queue, the list where it is shown, and each job that is in neither list of the queue though it has not
 * ended. The queue is read first: a job leaves it for the history (protocol 4.3).
 */
export async function readServer(reading: ServerReading, signal: AbortSignal): Promise<ServerRead> {
  const { jobs, followed, hang, list } = reading;
  const queue = await jobs.readQueue(signal);
  if (list) await jobs.readList(signal);
  const queued = new Set([...queue.running, ...queue.pending].map((item) => item.id));
  const others = list ? jobs.live().filter((job) => !followed.has(job.id)) : [];
  const open = [...followed.open(), ...others.slice(0, mostOthers).map((job) => job.id)];
  let lookAgain = false;
  for (const id of open.filter((each) => !queued.has(each))) {
    const found = await jobs.lookFor(id, signal);
    if (found === 'missing') lookAgain = true;
    if (found === 'gone' && !jobs.get(id)) followed.drop(id, unknownJob(id));
  }
  const nodeKnown = !reading.heard || !hasNamelessNode(reading, queued);
  return { lookAgain, hangSince: hang.read({ queue, nodeKnown, at: reading.clock() }) };
}

/** A job of ours runs and no event has named a node of it that does. */
function hasNamelessNode({ jobs, followed }: ServerReading, queued: ReadonlySet<string>): boolean {
  return followed
    .open()
    .map((id) => jobs.get(id))
    .some((job) => job?.state === 'running' && queued.has(job.id) && job.currentNodeId === undefined);
}

function unknownJob(id: string): ServerError {
  return new ServerError('The server does not know this job.', {
    reason: 'notFound',
    endpoint: `GET /api/jobs/${id}`,
  });
}
