import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { isTerminal, type Job } from '../../src/core/jobs/job';
import type { JobObservation } from '../../src/core/jobs/jobObservation';
import { reduceJobs } from '../unit/jobs/observations';
import { parsePythonJson } from '../../src/core/json/boundedJson';
import { featuresAnswer, systemStats, uploadAnswer } from '../../src/core/protocol/answers';
import { parseSocketFrame } from '../../src/core/protocol/binaryFrame';
import { readErrorBody } from '../../src/core/protocol/errorBody';
import { historyAnswer } from '../../src/core/protocol/history';
import { jobDetailAnswer, jobListings } from '../../src/core/protocol/jobRecord';
import { collectOutputs } from '../../src/core/protocol/outputRecord';
import { promptAnswer } from '../../src/core/protocol/promptAnswer';
import { queueSnapshot } from '../../src/core/protocol/queue';
import type { ServerEvent } from '../../src/core/protocol/serverEvent';
import { parseSocketText } from '../../src/core/protocol/socketMessage';
import { corpusFolder, corpusNames, corpusNote, corpusPath, corpusText } from '../support/corpus';

/*
 * Reports of real servers about their jobs, through our parsers and the reducer: every job ends as in the server's
 * history and job list, whatever the channel and order of the reports.
 */

const skip = corpusFolder === undefined;
const server = 'http://127.0.0.1:8188';
const transcripts = skip
  ? []
  : ['0.3.64', '0.33.0'].flatMap((version) =>
      corpusNames('transcripts', version)
        .filter((name) => name.endsWith('.ndjson'))
        .map((name) => [version, name] as const),
    );

type Json = Readonly<Record<string, unknown>>;

/** Only the messages of a node pack are unknown. */
const foreign = new Set(['odd.custom']);

const answers = [
  { path: /^(\/api)?\/queue$/, method: 'GET', schema: queueSnapshot },
  { path: /^(\/api)?\/history(\/[^/]+)?$/, method: 'GET', schema: historyAnswer },
  { path: /^\/api\/jobs$/, method: 'GET', schema: jobListings },
  { path: /^\/api\/jobs\/[^/]+$/, method: 'GET', schema: jobDetailAnswer },
  { path: /^(\/api)?\/prompt$/, method: 'POST', schema: promptAnswer },
  { path: /^(\/api)?\/upload\/(image|mask)$/, method: 'POST', schema: uploadAnswer },
  { path: /^(\/api)?\/system_stats$/, method: 'GET', schema: systemStats },
  { path: /^(\/api)?\/features$/, method: 'GET', schema: featuresAnswer },
];

interface Recorded {
  readonly submitted: JobObservation[];
  readonly events: JobObservation[];
  readonly polls: JobObservation[];
  /** In recorded order. */
  readonly all: JobObservation[];
  /** Job -> its end, according to the server's history and list, read without our parsers. */
  readonly ends: Map<string, string>;
  /** Job -> its end, according to the last of its events, read without our parsers. */
  readonly heardEnds: Map<string, string>;
}

function linesOf(version: string, name: string): Json[] {
  const lines = corpusText('transcripts', version, name).split('\n').filter(Boolean);
  return lines.map((text) => parsePythonJson(text) as Json);
}

function read(version: string, name: string): Recorded {
  const recorded: Recorded = {
    submitted: [],
    events: [],
    polls: [],
    all: [],
    ends: new Map(),
    heardEnds: new Map(),
  };
  for (const line of linesOf(version, name)) {
    const at = 1_795_252_000_000 + Math.round((line['t'] as number) * 1000);
    const observed = observationsOf(line, at, version);
    recorded.all.push(...observed.told);
    recorded[observed.way].push(...observed.told);
    if (line['ev'] === 'http') noteEnds(line, recorded.ends);
    if (line['ev'] === 'ws') noteHeardEnd(line['msg'] as { type: string; data: Json }, recorded.heardEnds);
  }
  return recorded;
}

function observationsOf(
  line: Json,
  at: number,
  version: string,
): { way: 'submitted' | 'events' | 'polls'; told: JobObservation[] } {
  const base = { server, at };
  if (line['ev'] === 'ws' || line['ev'] === 'ws-bin') {
    const event = eventOf(line, version);
    return { way: 'events', told: event ? [{ ...base, kind: 'event', event }] : [] };
  }
  const path = String(line['path']).replace(/^\/api\/(queue|history)/, '/$1');
  const { body } = line;
  if (line['ev'] !== 'http' || line['status'] !== 200 || 'body_cut' in line)
    return { way: 'polls', told: [] };
  if (line['method'] === 'POST' && path === '/prompt') {
    const prompt = (line['request'] as Json)['prompt'] as Record<string, { class_type: string }>;
    const nodeNames = Object.fromEntries(
      Object.entries(prompt).map(([id, { class_type }]) => [id, class_type]),
    );
    const id = (body as { prompt_id: string }).prompt_id;
    const origin = { label: 'recorded.json', nodeNames, seeds: {} };
    return { way: 'submitted', told: [{ ...base, kind: 'submitted', id, origin }] };
  }
  if (line['method'] !== 'GET') return { way: 'polls', told: [] };
  return { way: 'polls', told: pollsOf(path, body).map((told) => ({ ...base, ...told })) };
}

type Polled =
  | { kind: 'queued'; running: string[]; pending: string[] }
  | { kind: 'listed'; listing: ReturnType<typeof jobListings.parse>['jobs'][number] }
  | { kind: 'detail'; detail: ReturnType<typeof jobDetailAnswer.parse> };

function pollsOf(path: string, body: unknown): Polled[] {
  if (path === '/queue') {
    const queue = queueSnapshot.parse(body);
    const ids = (items: typeof queue.running) => items.map((item) => item.id);
    return [{ kind: 'queued', running: ids(queue.running), pending: ids(queue.pending) }];
  }
  if (path.startsWith('/history'))
    return historyAnswer.parse(body).map((detail) => ({ kind: 'detail', detail }));
  if (/^\/api\/jobs(\?|$)/.test(path)) {
    return jobListings.parse(body).jobs.map((listing) => ({ kind: 'listed', listing }));
  }
  if (path.startsWith('/api/jobs/')) return [{ kind: 'detail', detail: jobDetailAnswer.parse(body) }];
  return [];
}

function eventOf(line: Json, version: string): ServerEvent | undefined {
  const bytes = frameOf(line, version);
  if (bytes) return parseSocketFrame(bytes);
  return line['ev'] === 'ws' ? parseSocketText(JSON.stringify(line['msg'])) : undefined;
}

/** The bytes of a binary frame if all of it was kept. */
function frameOf(line: Json, version: string): Uint8Array | undefined {
  if (typeof line['frame_hex'] === 'string') return Buffer.from(line['frame_hex'], 'hex');
  if (typeof line['file'] === 'string') return readFileSync(corpusPath('transcripts', version, line['file']));
  return undefined;
}

function noteEnds(line: Json, ends: Map<string, string>): void {
  const path = String(line['path']);
  if (line['status'] !== 200 || line['method'] !== 'GET' || 'body_cut' in line) return;
  if (/^(\/api)?\/history/.test(path)) {
    for (const [id, entry] of Object.entries(line['body'] as Record<string, { status: Json }>)) {
      const messages = (entry.status['messages'] as [string, Json][]).map(([type]) => type);
      const cancelled = messages.includes('execution_interrupted');
      const failed = messages.includes('execution_error') || entry.status['status_str'] === 'error';
      ends.set(id, cancelled ? 'cancelled' : failed ? 'failed' : 'completed');
    }
  }
  if (!path.startsWith('/api/jobs')) return;
  const body = line['body'] as { jobs?: { id: string; status: string }[]; id?: string; status?: string };
  for (const { id, status } of [...(body.jobs ?? []), body]) {
    if (id !== undefined && status !== undefined && !['pending', 'in_progress'].includes(status)) {
      ends.set(id, status);
    }
  }
}

const lastWords: Readonly<Record<string, string>> = {
  execution_success: 'completed',
  execution_error: 'failed',
  execution_interrupted: 'cancelled',
};

function noteHeardEnd({ type, data }: { type: string; data: Json }, heardEnds: Map<string, string>): void {
  const end = lastWords[type];
  if (end !== undefined && data['exception_type'] !== 'ExecutionBlocked') {
    heardEnds.set(String(data['prompt_id']), end);
  }
}

type Jobs = ReadonlyMap<string, Job>;

function replay(observations: readonly JobObservation[]): Jobs {
  return observations.reduce<Jobs>(reduceJobs, new Map());
}

/** Which jobs ended, and how, according to the reducer. */
function endsOf(jobs: Jobs): Map<string, string> {
  return new Map([...jobs].flatMap(([id, { state }]) => (isTerminal(state) ? [[id, state] as const] : [])));
}

function checkMessage(event: ServerEvent | undefined, line: Json): void {
  expect(event, JSON.stringify(line).slice(0, 300)).toBeDefined();
  expect(event?.type === 'unknown').toBe(foreign.has((line['msg'] as Json)['type'] as string));
  if (event?.type === 'executed') collectOutputs({ [event.nodeId]: event.output });
}

function checkFrame(event: ServerEvent | undefined, line: Json): void {
  expect(event?.type).toBe(line['type'] === 3 ? 'progressText' : 'preview');
  const metadata = line['metadata'] as Json | undefined;
  if (event?.type !== 'preview' || !metadata) return;
  expect(event).toMatchObject({ promptId: metadata['prompt_id'], nodeId: metadata['node_id'] });
}

function checkAnswer({ path: target, method, status, text, body }: Json): void {
  const path = String(target).replace(/\?.*/, '');
  const where = `${String(method)} ${path}`;
  if (Number(status) >= 400) {
    const other = body === undefined ? '' : JSON.stringify(body);
    const said = typeof text === 'string' ? text : other;
    // If a server sends a message, it is quoted.
    expect(readErrorBody(said).message === undefined, where).toBe(said === '');
    return;
  }
  const known = answers.find((answer) => answer.method === method && answer.path.test(path));
  if (!known || body === undefined) return;
  const result = known.schema.safeParse(body);
  expect(result.success, `${where}: ${JSON.stringify(result.error?.issues ?? [])}`).toBe(true);
}

describe.skipIf(skip)(`recordings of real servers${corpusNote}`, () => {
  it.each(transcripts)('%s %s: all of it is read', (version, name) => {
    for (const line of linesOf(version, name)) {
      if (line['ev'] === 'ws') checkMessage(eventOf(line, version), line);
      if (line['ev'] === 'ws-bin' && frameOf(line, version)) checkFrame(eventOf(line, version), line);
      if (line['ev'] === 'http') checkAnswer(line);
    }
  });

  it.each(transcripts)('%s %s: every job ends as the server says', (version, name) => {
    const { all, ends, heardEnds } = read(version, name);
    expect(endsOf(replay(all))).toEqual(new Map([...heardEnds, ...ends]));
  });

  it.each(transcripts)('%s %s: and so by events alone and by polls alone', (version, name) => {
    const { submitted, events, polls, ends, heardEnds } = read(version, name);
    expect(endsOf(replay([...submitted, ...events]))).toEqual(heardEnds);
    expect(endsOf(replay([...submitted, ...polls]))).toEqual(ends);
  });

  it('0.33.0 odd-nodes: expanded nodes count for their node in the file', () => {
    const { all, submitted } = read('0.33.0', 'odd-nodes.ndjson');
    const jobs = replay(all);
    for (const told of submitted) {
      if (told.kind !== 'submitted') continue;
      const names = Object.keys(told.origin.nodeNames);
      expect(names).toEqual(expect.arrayContaining(Object.keys(jobs.get(told.id)?.nodes ?? {})));
    }
    const blocked = [...jobs.values()].filter((job) => job.blocked.length > 0);
    expect(blocked.length).toBeGreaterThan(0);
  });
});
