import type { Exchange } from '../http/exchange';
import { get, post, type Route } from './router';
import { jobDetail, jobEntry } from '../queue/jobRecords';
import { jobFailure, jobWord, type JobWord, type SandboxJob } from '../queue/sandboxJob';
import type { SandboxServer } from '../sandboxServer';
import { CloudRefusal } from './cloudErrors';
import { endJob } from './endJob';
import { ListingRefusal, readListingQuery, selectJobs } from './jobListing';
import { jobIds } from './localJobRoutes';
import { memberMap } from './queueRoutes';

/** The status of one job, in the documented words or in those of the service. */
export const jobStatusRoutes: readonly Route[] = [get('/job/:id/status', getStatus, 'api')];

/** The cloud's jobs and the older status endpoint (protocol 2.1, 1.6). */
export const cloudJobRoutes: readonly Route[] = [
  get('/jobs', listJobs, 'api'),
  get('/jobs/:id', getJob, 'api'),
  ...jobStatusRoutes,
  post('/jobs/cancel', cancelMany, 'api'),
  post('/jobs/:id/cancel', cancelOne, 'api'),
];

function listJobs(exchange: Exchange, server: SandboxServer): void {
  try {
    const query = readListingQuery(exchange, ['create_time', 'execution_time']);
    const limit = query.limit ?? 100;
    if (limit > 1000) throw new ListingRefusal('limit must be between 1 and 1000');
    const jobs = selectJobs(server.queue, query);
    const after = exchange.query.get('after');
    const start = after === null ? query.offset : jobs.findIndex((job) => job.id === jobOfCursor(after)) + 1;
    const page = jobs.slice(start, start + limit);
    const last = page.at(-1);
    const hasMore = start + limit < jobs.length;
    exchange.answer({
      jobs: page.map((job) => jobEntry(job)),
      pagination: {
        offset: after === null ? query.offset : 0,
        limit,
        total: after === null ? jobs.length : 0,
        has_more: hasMore,
        next_cursor: hasMore && last ? cursorOf(last) : undefined,
      },
    });
  } catch (error) {
    if (!(error instanceof ListingRefusal)) throw error;
    throw new CloudRefusal(400, 'INVALID_REQUEST', error.message);
  }
}

function cursorOf(job: SandboxJob): string {
  return Buffer.from(job.id).toString('base64url');
}

function jobOfCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}

function getJob(exchange: Exchange, server: SandboxServer): void {
  const job = server.queue.find(exchange.param('id')) ?? unknownJob();
  exchange.answer({
    ...jobDetail(job),
    // The local server withholds it until the job has ended, this one does not (protocol 2.1).
    workflow: { prompt: job.prompt, extra_data: job.extraData },
    update_time: job.endTime ?? job.startTime ?? job.createTime,
  });
}

/** The service reports raw states and much more, despite its contract. */
function getStatus(exchange: Exchange, server: SandboxServer): void {
  const job = server.queue.find(exchange.param('id')) ?? unknownJob();
  if (server.dialect === 'documented') {
    exchange.answer({ status: jobWord(job) });
    return;
  }
  const failure = jobFailure(job);
  exchange.answer({
    id: job.id,
    status: rawStates[jobWord(job)],
    created_at: new Date(job.createTime).toISOString(),
    updated_at: new Date(job.endTime ?? job.startTime ?? job.createTime).toISOString(),
    assigned_inference: null,
    error_message: failure ? JSON.stringify(failure) : null,
  });
}

const rawStates: Readonly<Record<JobWord, string>> = {
  pending: 'queued_limited',
  in_progress: 'executing',
  completed: 'success',
  failed: 'error',
  cancelled: 'cancelled',
};

function cancelOne(exchange: Exchange, server: SandboxServer): void {
  const id = exchange.param('id');
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    throw new CloudRefusal(400, 'INVALID_REQUEST', 'job_id must be a UUID');
  }
  const job = server.queue.find(id) ?? unknownJob();
  exchange.answer({ cancelled: endJob(server, job.id) });
}

/** All or nothing: one unknown id, and nothing is cancelled. */
async function cancelMany(exchange: Exchange, server: SandboxServer): Promise<void> {
  const ids = jobIds(memberMap(await exchange.json(), server, ['job_ids']));
  if (!ids || ids.length > 100)
    throw new CloudRefusal(400, 'INVALID_REQUEST', 'job_ids must hold 1 to 100 ids');
  if (ids.some((id) => !server.queue.find(id))) unknownJob();
  exchange.answer({ cancelled: ids.filter((id) => endJob(server, id)) });
}

function unknownJob(): never {
  throw new CloudRefusal(404, 'NOT_FOUND', 'Job not found');
}
