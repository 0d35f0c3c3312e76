import { badRequest, type Exchange, RequestRefusal } from '../http/exchange';
import type { JobQueue } from '../queue/jobQueue';
import {
  workflowId,
  sandboxJobDetail,
  jobEntry,
  jobWord,
  type JobWord,
  sandboxJobStates,
  type SandboxJob,
  jobFailure,
} from '../queue/sandboxJob';
import { isCloud, type SandboxServer, sendQueueSize } from '../sandboxServer';
import { type ExactValue, isExactList, isExactObject } from '../../core/json/exactValue';
import { getRoute, postRoute, type Route } from './router';
import { memberMap } from './queueRoutes';

interface ListingQuery {
  readonly words: readonly JobWord[];
  readonly workflowId: string | undefined;
  readonly sortBy: string;
  readonly ascending: boolean;
  readonly limit: number | undefined;
  readonly offset: number;
}

/** `GET /api/jobs` (protocol 2.1). @throws Refusal */
function readListingQuery(exchange: Exchange, sortKeys: readonly [string, string]): ListingQuery {
  const { query } = exchange;
  const words = exchange
    .queryText('status')
    .split(',')
    .map((word) => word.trim().toLowerCase());
  const wanted = words.filter((word) => word !== '');
  const unknown = wanted.filter((word) => !(sandboxJobStates as readonly string[]).includes(word));
  if (unknown.length > 0) {
    const known = sandboxJobStates.join(', ');
    throw badRequest(`Invalid status value(s): ${unknown.join(', ')}. Valid values: ${known}`);
  }
  const sortBy = query.get('sort_by') ?? sortKeys[0];
  if (!sortKeys.includes(sortBy)) {
    throw badRequest(`sort_by must be one of: ${sortKeys.join(', ')}`);
  }
  const order = query.get('sort_order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw badRequest("sort_order must be 'asc' or 'desc'");
  const limit = whole(query, 'limit');
  if (limit !== undefined && limit <= 0) throw badRequest('limit must be a positive integer');
  return {
    words: wanted as JobWord[],
    workflowId: query.get('workflow_id') ?? undefined,
    sortBy,
    ascending: order === 'asc',
    limit,
    offset: Math.max(0, whole(query, 'offset') ?? 0),
  };
}

function whole(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw badRequest(`${name} must be an integer`);
  return Number(text);
}

function selectJobs(queue: JobQueue, query: ListingQuery): readonly SandboxJob[] {
  const all = [...queue.ended, ...queue.running, ...queue.pending];
  const meant = all.filter(
    (job) =>
      (query.words.length === 0 || query.words.includes(jobWord(job))) &&
      (query.workflowId === undefined || workflowId(job) === query.workflowId),
  );
  const key = query.sortBy.startsWith('execution') ? duration : (job: SandboxJob) => job.createTime;
  const sign = query.ascending ? 1 : -1;
  return meant
    .map((job, place) => ({ job, place, key: key(job) }))
    .sort((a, b) => sign * (a.key - b.key || a.place - b.place))
    .map(({ job }) => job);
}

function duration(job: SandboxJob): number {
  return job.startTime === undefined || job.endTime === undefined ? 0 : job.endTime - job.startTime;
}

/** False if there is nothing left to cancel. */
function endJob(server: SandboxServer, id: string): boolean {
  if (!server.queue.cancelPending(id)) return server.queue.interrupt(id);
  // The real local server reports this change twice.
  if (!isCloud(server)) sendQueueSize(server);
  return true;
}

function findJob(exchange: Exchange, { queue }: SandboxServer): SandboxJob {
  return queue.find(exchange.param('id')) ?? unknownJob();
}

function unknownJob(): never {
  throw new RequestRefusal(404, 'NOT_FOUND', 'Job not found');
}

/** Since December 2025 (protocol 2.1). */
export const localJobRoutes: readonly Route[] = [
  getRoute('/jobs', listLocalJobs, 'api'),
  getRoute(
    '/jobs/:id',
    (exchange, server) => exchange.answer(sandboxJobDetail(findJob(exchange, server))),
    'api',
  ),
  postRoute('/jobs/cancel', cancelLocalJobs, 'api'),
  postRoute(
    '/jobs/:id/cancel',
    (exchange, server) => exchange.answer({ cancelled: endJob(server, exchange.param('id')) }),
    'api',
  ),
];

/** In the documented words, or in those of the service. */
export const jobStatusRoutes: readonly Route[] = [getRoute('/job/:id/status', getStatus, 'api')];

/** With the older status endpoint (protocol 2.1, 1.6). */
export const cloudJobRoutes: readonly Route[] = [
  getRoute('/jobs', listCloudJobs, 'api'),
  getRoute(
    '/jobs/:id',
    (exchange, server) => {
      const job = findJob(exchange, server);
      exchange.answer({ ...sandboxJobDetail(job), update_time: updateTime(job) });
    },
    'api',
  ),
  ...jobStatusRoutes,
  postRoute('/jobs/cancel', cancelCloudJobs, 'api'),
  postRoute('/jobs/:id/cancel', cancelCloudJob, 'api'),
];

function listLocalJobs(exchange: Exchange, server: SandboxServer): void {
  const query = readListingQuery(exchange, ['created_at', 'execution_duration']);
  const jobs = selectJobs(server.queue, query);
  const end = query.limit === undefined ? jobs.length : query.offset + query.limit;
  exchange.answer({
    jobs: jobs.slice(query.offset, end).map(jobEntry),
    pagination: {
      offset: query.offset,
      limit: query.limit ?? null,
      total: jobs.length,
      has_more: end < jobs.length,
    },
  });
}

function listCloudJobs(exchange: Exchange, server: SandboxServer): void {
  const query = readListingQuery(exchange, ['create_time', 'execution_time']);
  const limit = query.limit ?? 100;
  if (limit > 1000) throw badRequest('limit must be between 1 and 1000');
  const jobs = selectJobs(server.queue, query);
  const cursor = exchange.query.get('after');
  const after = cursor === null ? undefined : Buffer.from(cursor, 'base64url').toString('utf8');
  const start = after === undefined ? query.offset : jobs.findIndex(({ id }) => id === after) + 1;
  const page = jobs.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = start + limit < jobs.length;
  exchange.answer({
    jobs: page.map(jobEntry),
    pagination: {
      offset: after === undefined ? query.offset : 0,
      limit,
      total: after === undefined ? jobs.length : 0,
      has_more: hasMore,
      next_cursor: hasMore && last ? Buffer.from(last.id).toString('base64url') : undefined,
    },
  });
}

function getStatus(exchange: Exchange, server: SandboxServer): void {
  const job = findJob(exchange, server);
  if (server.dialect === 'documented') {
    exchange.answer({ status: jobWord(job) });
    return;
  }
  const failure = jobFailure(job);
  exchange.answer({
    id: job.id,
    status: rawStates[jobWord(job)],
    created_at: new Date(job.createTime).toISOString(),
    updated_at: new Date(updateTime(job)).toISOString(),
    assigned_inference: null,
    error_message: failure ? JSON.stringify(failure) : null,
  });
}

function updateTime(job: SandboxJob): number {
  return job.endTime ?? job.startTime ?? job.createTime;
}

const rawStates: Readonly<Record<JobWord, string>> = {
  pending: 'queued_limited',
  in_progress: 'executing',
  completed: 'success',
  failed: 'error',
  cancelled: 'cancelled',
};

function cancelCloudJob(exchange: Exchange, server: SandboxServer): void {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(exchange.param('id')))
    throw badRequest('job_id must be a UUID');
  exchange.answer({ cancelled: endJob(server, findJob(exchange, server).id) });
}

async function cancelCloudJobs(exchange: Exchange, server: SandboxServer): Promise<void> {
  const ids = jobIds(memberMap(await exchange.json(), server, ['job_ids']));
  if (!ids || ids.length > 100) throw badRequest('job_ids must hold 1 to 100 ids');
  if (ids.some((id) => !server.queue.find(id))) unknownJob();
  exchange.answer({ cancelled: ids.filter((id) => endJob(server, id)) });
}

async function cancelLocalJobs(exchange: Exchange, server: SandboxServer): Promise<void> {
  const body = await exchange.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return null;
    throw error;
  });
  const ids = jobIds(body);
  if (!ids) throw badRequest('job_ids must be a non-empty list of strings');
  const ended = ids.map((id) => endJob(server, id));
  exchange.answer({ cancelled: ended.includes(true) });
}

function jobIds(body: ExactValue): readonly string[] | undefined {
  const ids = isExactObject(body) ? body.get('job_ids') : undefined;
  if (!isExactList(ids) || ids.length === 0) return undefined;
  const texts = ids.filter((id) => typeof id === 'string');
  return texts.length === ids.length ? texts : undefined;
}
