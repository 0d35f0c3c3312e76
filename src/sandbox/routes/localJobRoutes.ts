import { type ExactValue, isExactList, isExactObject } from '../../core/json/exactValue';
import type { Exchange } from '../http/exchange';
import { get, post, type Route } from './router';
import { jobDetail, jobEntry } from '../queue/jobRecords';
import type { SandboxServer } from '../sandboxServer';
import { endJob } from './endJob';
import { ListingRefusal, readListingQuery, selectJobs } from './jobListing';

/** The jobs API of local servers since December 2025 (protocol 2.1). */
export const localJobRoutes: readonly Route[] = [
  get('/jobs', listJobs, 'api'),
  get('/jobs/:id', getJob, 'api'),
  post('/jobs/cancel', cancelMany, 'api'),
  post(
    '/jobs/:id/cancel',
    (exchange, server) => exchange.answer({ cancelled: endJob(server, exchange.param('id')) }),
    'api',
  ),
];

function listJobs(exchange: Exchange, server: SandboxServer): void {
  try {
    const query = readListingQuery(exchange, ['created_at', 'execution_duration']);
    const jobs = selectJobs(server.queue, query);
    const end = query.limit === undefined ? jobs.length : query.offset + query.limit;
    exchange.answer({
      jobs: jobs.slice(query.offset, end).map((job) => jobEntry(job)),
      pagination: {
        offset: query.offset,
        limit: query.limit ?? null,
        total: jobs.length,
        has_more: end < jobs.length,
      },
    });
  } catch (error) {
    if (!(error instanceof ListingRefusal)) throw error;
    exchange.answerJson(400, { error: error.message });
  }
}

function getJob(exchange: Exchange, server: SandboxServer): void {
  const job = server.queue.find(exchange.param('id'));
  if (job) exchange.answer(jobDetail(job));
  else exchange.answerJson(404, { error: 'Job not found' });
}

async function cancelMany(exchange: Exchange, server: SandboxServer): Promise<void> {
  const ids = jobIds(await readBody(exchange));
  if (!ids) {
    exchange.answerJson(400, { error: 'job_ids must be a non-empty list of strings' });
    return;
  }
  const ended = ids.map((id) => endJob(server, id));
  exchange.answer({ cancelled: ended.includes(true) });
}

async function readBody(exchange: Exchange): Promise<ExactValue> {
  try {
    return await exchange.json();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export function jobIds(body: ExactValue): readonly string[] | undefined {
  const ids = isExactObject(body) ? body.get('job_ids') : undefined;
  if (!isExactList(ids) || ids.length === 0) return undefined;
  const texts = ids.filter((id) => typeof id === 'string');
  return texts.length === ids.length ? texts : undefined;
}
