import { type ExactObject, type ExactValue, isExactList, isExactObject } from '../../core/json/exactValue';
import { badRequest, type Exchange, RequestRefusal } from '../http/exchange';
import { getRoute, postRoute, type Route } from './router';
import {
  cloudQueueItem,
  localQueueItem,
  historyEntry,
  historyResult,
  type SandboxJob,
} from '../queue/sandboxJob';
import { isCloud, type SandboxServer } from '../sandboxServer';

export const queueRoutes: readonly Route[] = [
  getRoute('/queue', getQueue),
  postRoute('/queue', changeQueue),
  postRoute('/interrupt', interrupt),
];

function getQueue(exchange: Exchange, server: SandboxServer): void {
  const { queue } = server;
  if (isCloud(server)) {
    const running = queue.running.map((job, at) => cloudQueueItem(job, at + 1));
    const byAge = [...queue.pending].sort((a, b) => a.createTime - b.createTime || a.number - b.number);
    const pending = byAge.map((job, at) => cloudQueueItem(job, running.length + at + 1));
    exchange.answer({ queue_running: running, queue_pending: pending });
    return;
  }
  exchange.answer({
    queue_running: queue.running.map(localQueueItem),
    queue_pending: queue.pendingHeap.map(localQueueItem),
  });
}

/** The cloud also ends running jobs, and reports what it did (protocol 1.9). */
async function changeQueue(exchange: Exchange, server: SandboxServer): Promise<void> {
  const body = memberMap(await exchange.json(), server, ['delete', 'clear']);
  const clear = body.get('clear') === true;
  const ids = textList(body.get('delete'));
  if (clear) server.queue.clearPending();
  const deleted = ids.filter(
    (id) => server.queue.cancelPending(id) || (isCloud(server) && server.queue.interrupt(id)),
  );
  // The documentation doesn't say what it answers.
  if (server.dialect === 'documented') exchange.answer({});
  else if (isCloud(server)) exchange.answer({ deleted, cleared: clear });
  else exchange.answerEmpty(200);
}

async function interrupt(exchange: Exchange, server: SandboxServer): Promise<void> {
  const id = await targetOfInterrupt(exchange);
  if (isCloud(server)) {
    // The first running or waiting job (protocol 1.10).
    const [first] = [...server.queue.running, ...server.queue.pending];
    if (first && !server.queue.interrupt(first.id)) server.queue.cancelPending(first.id);
    exchange.answer({});
    return;
  }
  server.queue.interrupt(id);
  exchange.answerEmpty(200);
}

/** Without a JSON body, whatever runs. */
async function targetOfInterrupt(exchange: Exchange): Promise<string | undefined> {
  const body = (await exchange.body()).toString('utf8');
  try {
    const data: unknown = JSON.parse(body);
    const id = typeof data === 'object' && data !== null && 'prompt_id' in data ? data.prompt_id : undefined;
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The cloud refuses unknown members. @throws TypeError for a body that is no object (500 of the local server); Refusal
 */
export function memberMap(body: ExactValue, server: SandboxServer, allowed: readonly string[]): ExactObject {
  if (!isExactObject(body)) throw new TypeError('The body is no object.');
  const stranger = [...body.keys()].find((key) => !allowed.includes(key));
  if (stranger !== undefined && isCloud(server)) throw badRequest(`Unknown member ${stranger}`);
  return body;
}

export function textList(value: ExactValue | undefined): readonly string[] {
  return isExactList(value) ? value.filter((item) => typeof item === 'string') : [];
}

const changeRoute: Route = postRoute('/history', changeHistory);

export const localHistoryRoutes: readonly Route[] = [
  getRoute('/history', getHistory),
  getRoute('/history/:id', (exchange, { queue }) => {
    const job = queue.find(exchange.param('id'));
    exchange.answer(job?.state === 'ended' ? { [job.id]: historyEntry(job) } : {});
  }),
  changeRoute,
];

export const cloudHistoryRoutes: readonly Route[] = [
  getRoute(
    '/history_v2',
    (exchange, { queue }) => {
      const newestFirst = [...queue.ended].reverse();
      const page = slice(newestFirst, whole(exchange, 'max_items'), whole(exchange, 'offset') ?? 0);
      exchange.answer({ history: page.map((job) => ({ ...cloudEntry(job), prompt_id: job.id })) });
    },
    'api',
  ),
  getRoute(
    '/history_v2/:id',
    (exchange, { queue }) => {
      const job = queue.find(exchange.param('id'));
      if (job?.state !== 'ended') throw new RequestRefusal(404, 'NOT_FOUND', 'History not found');
      exchange.answer({ [job.id]: cloudEntry(job) });
    },
    'api',
  ),
  changeRoute,
];

/** `max_items` without `offset` means the last ones (protocol 4.2). */
function getHistory(exchange: Exchange, { queue }: SandboxServer): void {
  const max = whole(exchange, 'max_items');
  const offset = whole(exchange, 'offset') ?? -1;
  const all = queue.ended;
  const start = offset < 0 && max !== undefined ? Math.max(0, all.length - max) : Math.max(0, offset);
  const page = slice(all, max, start);
  exchange.answer(Object.fromEntries(page.map((job) => [job.id, historyEntry(job)])));
}

async function changeHistory(exchange: Exchange, server: SandboxServer): Promise<void> {
  const body = memberMap(await exchange.json(), server, ['clear', 'delete']);
  if (body.get('clear') === true) server.queue.clearRecords();
  for (const id of textList(body.get('delete'))) server.queue.deleteRecord(id);
  exchange.answerEmpty(200);
}

function cloudEntry(job: SandboxJob): object {
  return {
    create_time: job.createTime,
    prompt: {
      priority: job.number,
      prompt_id: job.id,
      prompt: job.prompt,
      extra_data: job.extraData,
      outputs_to_execute: job.targets,
    },
    ...historyResult(job),
  };
}

function slice(jobs: readonly SandboxJob[], max: number | undefined, start: number): readonly SandboxJob[] {
  return jobs.slice(start, max === undefined ? undefined : start + max);
}

/** @throws TypeError for text that is not a number, as the real server does */
function whole(exchange: Exchange, name: string): number | undefined {
  const text = exchange.query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw new TypeError(`${name} is no number.`);
  return Number(text);
}
