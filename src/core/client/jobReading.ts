import { jobStatusAnswer } from '../protocol/answers';
import { historyAnswer } from '../protocol/history';
import type { JobDetail, JobListing } from '../protocol/jobRecord';
import { jobDetailAnswer, jobListings } from '../protocol/jobRecord';
import { readJobState } from '../protocol/jobStatus';
import type { QueueItem } from '../protocol/queue';
import { refusalError } from '../protocol/refusal';
import { ServerError } from '../protocol/serverError';
import { readAnswer } from './answerShape';
import { isMissingRoute } from './missingRoute';
import type { QueueReader } from './queueReader';
import type { Transport } from './transport';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';

export interface JobsQuery {
  /** 1 to 1000. */
  readonly limit: number;
}

export interface JobsPage {
  readonly jobs: readonly JobListing[];
  readonly hasMore: boolean;
  /** The server lists no jobs that have ended. */
  readonly liveOnly?: true;
  /** The queue is unknown, so jobs that run or wait are missing. */
  readonly queueUnknown?: true;
}

const recordBytes = 256 * 1024 * 1024;

/** The history of a local server: one job, or the last `most` of them, oldest first. */
export function readHistory(
  transport: Transport,
  which: { readonly id: string } | { readonly most: number },
  signal?: AbortSignal,
): Promise<JobDetail[]> {
  return transport.json(historyAnswer, {
    path: 'id' in which ? `/api/history/${encodeURIComponent(which.id)}` : '/api/history',
    query: 'id' in which ? {} : { max_items: which.most },
    maxBytes: recordBytes,
    maxValues: 'id' in which ? budgets.fileValues : undefined,
    signal,
  });
}

export async function listJobs(
  transport: Transport,
  query: JobsQuery,
  signal?: AbortSignal,
): Promise<JobsPage> {
  return transport.json(jobListings, {
    path: '/api/jobs',
    query: { ...query },
    maxBytes: recordBytes,
    signal,
  });
}

export async function readJob(
  transport: Transport,
  id: string,
  signal?: AbortSignal,
): Promise<JobDetail | undefined> {
  const path = `/api/jobs/${encodeURIComponent(id)}`;
  const accepts = (status: number) => status === 404;
  const answer = await transport.request({ path, accepts, maxBytes: recordBytes, signal });
  if (answer.status !== 404) {
    const detail = readAnswer(jobDetailAnswer, answer.text, `GET ${path}`, budgets.fileValues);
    if (detail.id !== id) throw anotherJob(`GET ${path}`);
    return detail;
  }
  if (!isMissingRoute(answer)) return undefined;
  throw refusalError({ endpoint: `GET ${path}`, status: 404, bodyText: answer.text });
}

/** The contents of such an answer are useless: they are not about the requested job. */
export function anotherJob(endpoint: string): ServerError {
  return new ServerError(t`The server returned a different job than the one requested.`, {
    reason: 'unexpectedShape',
    endpoint,
  });
}

/** For servers without the jobs endpoints. A job moves from the queue to the history (protocol 4.3). */
export async function findJob(
  transport: Transport,
  queues: QueueReader,
  id: string,
  signal?: AbortSignal,
): Promise<JobDetail | undefined> {
  const remembered = await readRemembered(transport, id, signal);
  if (remembered) return remembered;
  const recent = await queues.recent(signal);
  const running = recent?.queue.running.find((item) => item.id === id);
  if (running) return { ...queuedListing(running, 'in_progress'), displayNodes: {}, events: [] };
  const pending = recent?.queue.pending.find((item) => item.id === id);
  if (pending) return { ...queuedListing(pending, 'pending'), displayNodes: {}, events: [] };
  if (recent?.isNow) return readRemembered(transport, id, signal);
  // The queue may contain it but is unknown: no change.
  return { ...queuedListing({ id, number: 0 }, 'pending'), displayNodes: {}, events: [], isAssumed: true };
}

async function readRemembered(
  transport: Transport,
  id: string,
  signal?: AbortSignal,
): Promise<JobDetail | undefined> {
  return (await readHistory(transport, { id }, signal)).find((entry) => entry.id === id);
}

/** For a cloud without the jobs endpoints (protocol 1.6). */
export async function readCloudJob(
  transport: Transport,
  id: string,
  hasHistory: boolean,
  signal?: AbortSignal,
): Promise<JobDetail | undefined> {
  const path = `/api/job/${encodeURIComponent(id)}/status`;
  const answer = await transport.request({ path, accepts: (status) => status === 404, signal });
  if (answer.status === 404) return undefined;
  const told = readAnswer(jobStatusAnswer, answer.text, `GET ${path}`);
  const status = readJobState(told.status);
  const remembered = status.terminal && hasHistory ? await readRemembered(transport, id, signal) : undefined;
  return {
    displayNodes: {},
    events: [],
    ...remembered,
    id,
    status,
    rawStatus: told.status,
    ...(hasHistory ? {} : { tellsOutputs: false }),
    ...(told.error_message ? { failure: told.error_message } : {}),
  };
}

export async function listFromQueueAndHistory(
  transport: Transport,
  queues: QueueReader,
  query: JobsQuery,
  signal?: AbortSignal,
): Promise<JobsPage> {
  const { live, queueUnknown } = await liveJobs(queues, signal);
  const ended: readonly JobListing[] = await readHistory(transport, { most: query.limit + 1 }, signal);
  const endedIds = new Set(ended.map((job) => job.id));
  const queued = live.filter((job) => !endedIds.has(job.id));
  const all = [...ended, ...queued].reverse().map(listingOnly);
  return { ...pageOf(all, query), ...queueUnknown };
}

/** The jobs that a server without history lists. */
export async function listFromQueue(
  queues: QueueReader,
  query: JobsQuery,
  signal?: AbortSignal,
): Promise<JobsPage> {
  const { live, queueUnknown } = await liveJobs(queues, signal);
  return { ...pageOf(live.reverse(), query), liveOnly: true, ...queueUnknown };
}

function pageOf(all: readonly JobListing[], { limit }: JobsQuery): JobsPage {
  return { jobs: all.slice(0, limit), hasMore: all.length > limit };
}

/** Running and queued jobs, in the order in which they end. */
async function liveJobs(
  queues: QueueReader,
  signal?: AbortSignal,
): Promise<{ live: JobListing[]; queueUnknown: Pick<JobsPage, 'queueUnknown'> }> {
  const recent = await queues.recent(signal);
  const { running = [], pending = [] } = recent?.queue ?? {};
  const live = [
    ...running.map((item) => queuedListing(item, 'in_progress')),
    ...pending.map((item) => queuedListing(item, 'pending')),
  ];
  return { live, queueUnknown: recent ? {} : { queueUnknown: true } };
}

function queuedListing(item: QueueItem, rawStatus: 'pending' | 'in_progress'): JobListing {
  return {
    id: item.id,
    status: readJobState(rawStatus),
    rawStatus,
    createdAt: item.createTime,
  };
}

/** A list of thousands must not keep every output record in memory. */
function listingOnly(job: JobListing & Partial<JobDetail>): JobListing {
  const listing: { -readonly [K in keyof JobDetail]?: JobDetail[K] } & JobListing = { ...job };
  delete listing.outputs;
  delete listing.displayNodes;
  delete listing.events;
  return listing;
}
