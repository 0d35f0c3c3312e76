import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePythonJson } from '../../src/core/json/boundedJson';
import { featuresAnswer, systemStats, uploadAnswer } from '../../src/core/protocol/answers';
import { parseSocketFrame } from '../../src/core/protocol/binaryFrame';
import { readErrorBody } from '../../src/core/protocol/errorBody';
import { historyAnswer } from '../../src/core/protocol/history';
import { jobDetailAnswer, jobListings } from '../../src/core/protocol/jobRecord';
import { collectOutputs } from '../../src/core/protocol/outputRecord';
import { promptAnswer } from '../../src/core/protocol/promptAnswer';
import { queueSnapshot } from '../../src/core/protocol/queue';
import { parseSocketText } from '../../src/core/protocol/socketMessage';
import { corpusFolder, corpusNames, corpusNote, corpusPath, corpusText } from '../support/corpus';
import { readFileSync } from 'node:fs';

interface Line {
  readonly ev: string;
  readonly msg?: { readonly type: string };
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly type?: unknown;
  readonly body?: unknown;
  readonly text?: string;
  readonly file?: string;
  readonly frame_hex?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

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

const versions = corpusFolder === undefined ? [] : corpusNames('transcripts');

describe.skipIf(corpusFolder === undefined)(`recorded answers of real servers${corpusNote}`, () => {
  for (const version of versions) {
    const files = corpusNames('transcripts', version).filter((name) => name.endsWith('.ndjson'));
    for (const name of files) {
      it(`${version}/${name}`, () => {
        for (const line of linesOf(version, name)) check(line, version);
      });
    }
  }

  it('were checked for both servers', () => {
    expect(versions).toEqual(['0.3.64', '0.33.0']);
  });

  it('include complete preview frames', () => {
    for (const version of versions) {
      for (const name of corpusNames('transcripts', version).filter((file) => file.endsWith('.bin'))) {
        const event = parseSocketFrame(readFileSync(corpusPath('transcripts', version, name)));
        expect(event).toMatchObject({ type: 'preview', mime: 'image/jpeg' });
        expect(event?.type === 'preview' && event.promptId !== undefined).toBe(name.includes('metadata'));
      }
    }
  });
});

function linesOf(version: string, name: string): Line[] {
  const lines = corpusText('transcripts', version, name).split('\n').filter(Boolean);
  return lines.map((line) => parsePythonJson(line) as Line);
}

function check(line: Line, version: string): void {
  if (line.ev === 'ws' && line.msg) checkMessage(line.msg);
  if (line.ev === 'ws-bin') checkFrame(line, version);
  if (line.ev === 'http') checkAnswer(line);
}

function checkMessage(message: { readonly type: string }): void {
  const event = parseSocketText(JSON.stringify(message));
  expect(event, JSON.stringify(message).slice(0, 300)).toBeDefined();
  expect(event?.type === 'unknown').toBe(foreign.has(message.type));
  if (event?.type === 'executed') collectOutputs({ [event.nodeId]: event.output });
}

function checkFrame(line: Line, version: string): void {
  const bytes =
    line.file !== undefined && existsSync(corpusPath('transcripts', version, line.file))
      ? readFileSync(corpusPath('transcripts', version, line.file))
      : line.frame_hex !== undefined
        ? Buffer.from(line.frame_hex, 'hex')
        : undefined;
  if (!bytes) return;
  const event = parseSocketFrame(bytes);
  expect(event?.type).toBe(line.type === 3 ? 'progressText' : 'preview');
  if (event?.type === 'preview' && line.metadata) {
    expect(event.promptId).toBe(line.metadata['prompt_id']);
    expect(event.nodeId).toBe(line.metadata['node_id']);
  }
}

function checkAnswer(line: Line): void {
  const path = (line.path ?? '').split('?')[0] ?? '';
  const where = `${line.method ?? ''} ${path}`;
  if ((line.status ?? 0) >= 400) {
    const text = line.text ?? (line.body === undefined ? '' : JSON.stringify(line.body));
    const body = readErrorBody(text);
    // If a server sends a message, it is quoted.
    expect(body.message === undefined, where).toBe(text === '');
    return;
  }
  const known = answers.find((answer) => answer.method === line.method && answer.path.test(path));
  if (!known || line.body === undefined) return;
  const result = known.schema.safeParse(line.body);
  expect(result.success, `${where}: ${JSON.stringify(result.error?.issues ?? [])}`).toBe(true);
}
