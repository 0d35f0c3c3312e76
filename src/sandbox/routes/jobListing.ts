import type { Exchange } from '../http/exchange';
import type { JobQueue } from '../queue/jobQueue';
import { workflowId } from '../queue/jobRecords';
import { jobWord, type JobWord, jobWords, type SandboxJob } from '../queue/sandboxJob';

/** What is wrong with the query of a list, in the server's words. */
export class ListingRefusal extends Error {}

export interface ListingQuery {
  readonly words: readonly JobWord[];
  readonly workflowId: string | undefined;
  readonly sortBy: string;
  readonly ascending: boolean;
  readonly limit: number | undefined;
  readonly offset: number;
}

/** The query of `GET /api/jobs` (protocol 2.1). @throws ListingRefusal */
export function readListingQuery(exchange: Exchange, sortKeys: readonly string[]): ListingQuery {
  const { query } = exchange;
  const words = (query.get('status') ?? '').split(',').map((word) => word.trim().toLowerCase());
  const wanted = words.filter((word) => word !== '');
  const unknown = wanted.filter((word) => !(jobWords as readonly string[]).includes(word));
  if (unknown.length > 0) {
    const known = jobWords.join(', ');
    throw new ListingRefusal(`Invalid status value(s): ${unknown.join(', ')}. Valid values: ${known}`);
  }
  const sortBy = query.get('sort_by') ?? sortKeys[0] ?? '';
  if (!sortKeys.includes(sortBy)) {
    throw new ListingRefusal(`sort_by must be one of: ${sortKeys.join(', ')}`);
  }
  const order = query.get('sort_order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw new ListingRefusal("sort_order must be 'asc' or 'desc'");
  const limit = whole(query, 'limit');
  if (limit !== undefined && limit <= 0) throw new ListingRefusal('limit must be a positive integer');
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
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw new ListingRefusal(`${name} must be an integer`);
  return Number(text);
}

/** Every job that matches the query, sorted; the caller cuts pages. */
export function selectJobs(queue: JobQueue, query: ListingQuery): readonly SandboxJob[] {
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
