import type { Exchange } from '../http/exchange';
import { get, post, type Route } from './router';
import { executionStatus, historyEntry } from '../queue/jobRecords';
import type { SandboxJob } from '../queue/sandboxJob';
import type { SandboxServer } from '../sandboxServer';
import { CloudRefusal } from './cloudErrors';
import { memberMap, textList } from './queueRoutes';

const changeRoute: Route = post('/history', changeHistory);

export const localHistoryRoutes: readonly Route[] = [
  get('/history', getHistory),
  get('/history/:id', (exchange, { queue }) => {
    const job = queue.find(exchange.param('id'));
    exchange.answer(job?.state === 'ended' ? { [job.id]: historyEntry(job) } : {});
  }),
  changeRoute,
];

export const cloudHistoryRoutes: readonly Route[] = [
  get(
    '/history_v2',
    (exchange, { queue }) => {
      const newestFirst = [...queue.ended].reverse();
      const page = slice(newestFirst, whole(exchange, 'max_items'), whole(exchange, 'offset') ?? 0);
      exchange.answer({ history: page.map((job) => ({ ...cloudEntry(job), prompt_id: job.id })) });
    },
    'api',
  ),
  get(
    '/history_v2/:id',
    (exchange, { queue }) => {
      const job = queue.find(exchange.param('id'));
      if (job?.state !== 'ended') throw new CloudRefusal(404, 'NOT_FOUND', 'History not found');
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
    outputs: job.result?.outputs ?? {},
    status: executionStatus(job),
    meta: job.result?.meta ?? {},
  };
}

function slice(jobs: readonly SandboxJob[], max: number | undefined, start: number): readonly SandboxJob[] {
  return jobs.slice(start, max === undefined ? undefined : start + max);
}

/** @throws TypeError as the real server fails on text that is not a number. */
function whole(exchange: Exchange, name: string): number | undefined {
  const text = exchange.query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw new TypeError(`${name} is no number.`);
  return Number(text);
}
