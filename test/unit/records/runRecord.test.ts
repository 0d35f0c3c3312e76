import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { readRunRecord, writeRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import { budgets } from '../../../src/core/safety/budgets';
import * as z from 'zod';
import { recordWithoutSecrets } from '../../../src/core/records/recordSecrets';
import { savedRun } from '../gallery/galleryRecords';
import { readFileSync } from 'node:fs';
import { getLanguageService, TextDocument, type JSONSchema } from 'vscode-json-languageservice';

const first = sendingRecord({ server: 'http://127.0.0.1:8188', label: 'w.json', seeds: {}, sentAt: 0 });

const written = (record: Partial<RunRecord>): string =>
  Buffer.from(writeRunRecord({ ...first, ...record })).toString();

const prompt =
  '{"10":{"class_type":"KSampler","inputs":{"seed": 18446744073709551615,"cfg":7.0,"model":["4",0]}},"4":{}}';

describe('a run record on disk', () => {
  it('holds the prompt as JSON, laid out, with every digit and in its order', () => {
    expect(written({ promptText: prompt })).toContain(`
  "prompt": {
    "10": {
      "class_type": "KSampler",
      "inputs": {
        "seed": 18446744073709551615,
        "cfg": 7.0,
        "model": ["4", 0]
      }
    },
    "4": {}
  }
}
`);
  });

  it('holds the graph on one line', () => {
    const graph = '{\n  "nodes": [],\n  "note": "a  b"\n}';
    expect(written({ workflowText: graph })).toContain('"workflow": {"nodes":[],"note":"a  b"}\n}\n');
  });

  it('is read with the same texts, but for blanks', () => {
    const read = readRunRecord(written({ promptText: prompt, workflowText: '{ "nodes": [1e400] }' }));
    expect(read?.promptText?.replace(/\s/g, '')).toBe(prompt.replace(/\s/g, ''));
    expect(read?.workflowText).toBe('{"nodes":[1e400]}');
  });

  it('is read with the same texts, whatever they contain', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        const label = text.slice(0, 1_000);
        const read = readRunRecord(written({ promptText: text, label, workflowText: text }));
        expect(JSON.parse(read?.promptText ?? '')).toEqual(JSON.parse(text));
        expect(JSON.parse(read?.workflowText ?? '')).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps what the server told of a file, and only that', () => {
    const known = { name: 'v.mp4', node: '3', area: 'output', original: 'v.mp4' };
    const told = {
      facts: { width: 64, height: 48, duration: 1.5, fps: 8, frames: 12 },
      asset: { id: 'a1', preview: 'p1', hash: 'blake3:00' },
    };
    const read = readRunRecord(written({ expected: [{ ...known, ...told }] }));
    expect(read?.expected).toEqual([{ ...known, ...told }]);
    const odd = { ...known, facts: { width: -1, height: '9' }, asset: 'id' };
    const text = JSON.stringify({ ...first, expected: [odd] });
    expect(readRunRecord(text)?.expected).toEqual([known]);
  });

  it.each([
    ['invalid', '{"3": '],
    ['not an object', '[]'],
    ['of too many parts', `{"3": [${'0,'.repeat(budgets.fileValues / 4)}0]}`],
  ])('stays readable with a prompt that is %s', (_what, promptText) => {
    expect(readRunRecord(written({ promptText }))?.promptText).toBe(promptText);
  });

  it('is read without what a newer version wrote differently', () => {
    const text = written({ promptText: '{}' }).replace('"state"', '"nodes": [7], "inputs": {}, "state"');
    expect(readRunRecord(text)).toMatchObject({ state: 'sending', promptText: '{}' });
  });
});

it('a record of which no output is known is of format 4, and read like any other', () => {
  const text = written({ state: 'outputsUnknown', outputNodes: ['9'], promptText: '{}' });
  expect(JSON.parse(text)).toMatchObject({ format: 4, state: 'outputsUnknown' });
  expect(readRunRecord(text)).toMatchObject({ state: 'outputsUnknown', outputNodes: ['9'] });
});

it.each([1, 2, 5])('a record of format %s, of another version, is not read, and says so', (format) => {
  const text = written({ promptText: prompt }).replace('"format": 3', `"format": ${format}`);
  let problem: Error | undefined;
  expect(readRunRecord(text, 'a.run.json', (error) => (problem = error))).toBeUndefined();
  expect(problem?.message).toBe('a.run.json is not a run record, or another version of Comfy Deck wrote it.');
});

describe('a run record from someone else', () => {
  const plain = Buffer.from(
    writeRunRecord(sendingRecord({ server: 'http://127.0.0.1', label: 'a', seeds: {}, sentAt: 0 })),
  ).toString();

  /** The record with one additional member. */
  const withMember = (text: string): string => plain.replace('{', `{"x":${text},`);

  /** How many mistakes were put into words. */
  function explainedBy(read: () => void): number {
    const { localeError } = z.config();
    let explained = 0;
    z.config({ localeError: (issue) => (explained++, localeError?.(issue)) });
    try {
      read();
    } finally {
      z.config({ localeError });
    }
    return explained;
  }

  it.each([
    ['lists in lists', '['.repeat(budgets.fileValues * 2)],
    ['many objects', `[${'{},'.repeat(budgets.fileValues * 2)}{}]`],
    ['many numbers', `[${'0,'.repeat(budgets.fileValues * 2)}0]`],
  ])('is not read when it would take far more memory than its text: %s', (_what, text) => {
    const before = process.memoryUsage().rss;
    expect(readRunRecord(withMember(text))).toBeUndefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it.each([
    ['expected', '[]', `[${'{},'.repeat(1_000)}{}]`],
    ['files', '[]', `[${'{},'.repeat(1_000)}{}]`],
    ['texts', '[]', `[${'{},'.repeat(1_000)}{}]`],
    ['seeds', '{}', `{${Array.from({ length: 1_000 }, (_, index) => `"${index}": 1`).join()}}`],
  ])('is read up to its first mistake, by the one format that it names: wrong %s', (member, right, wrong) => {
    const text = plain.replace(`"${member}": ${right}`, `"${member}": ${wrong}`);
    expect(text).not.toBe(plain);
    expect(explainedBy(() => expect(readRunRecord(text)).toBeUndefined())).toBeLessThan(10);
  });

  it('is read without its traceback if that is none, line by line', () => {
    const text = withMember('0').replace(
      '"x"',
      `"error":{"message":"m","traceback":[${'1,'.repeat(1_000)}1]},"x"`,
    );
    const read = (): void => expect(readRunRecord(text)?.error).toEqual({ message: 'm' });
    expect(explainedBy(read)).toBeLessThan(10);
  });

  it('has no longer name than is shown', () => {
    const read = readRunRecord(plain.replace('"label": "a"', `"label": "${'a'.repeat(5_000)}"`));
    expect(read?.label).toBe('a'.repeat(1_000));
  });

  it('may contain a prompt with any brackets and quotes, since that is one string', () => {
    const text = JSON.stringify('[{,\\"'.repeat(budgets.fileValues));
    expect(readRunRecord(withMember(text))).toMatchObject({ state: 'sending' });
  });

  it('affects nothing else through names such as __proto__', () => {
    const seeds = '"seeds": {"__proto__": "1", "constructor": "2"}';
    const read = readRunRecord(plain.replace('"seeds": {}', seeds));
    expect(Object.getPrototypeOf(read?.seeds)).toBe(Object.prototype);
    expect('1' in {}).toBe(false);
  });
});

describe('secrets', () => {
  const hide = (text: string): string => text.replaceAll('secret', '***');

  it('a record names no secret, wherever it stands, and still its server and files', () => {
    const named = { name: 'a.png', node: '1', area: 'output', original: 'a.png', sha256: '', bytes: 1 };
    const shown = { ...named, displayName: 'secret.png' };
    const run = savedRun(0, ['a.png'], {
      label: 'secret.json',
      expected: [named, shown],
      files: [shown],
      temporary: [shown],
      nodes: { 1: { title: 'Load secret' }, 2: { cached: true } },
      promptText: '{"key":"secret"}',
      workflowText: '["secret"]',
      texts: [{ node: '1', text: 'secret' }],
    });
    const written = recordWithoutSecrets(run, hide);
    expect(JSON.stringify(written)).not.toContain('secret');
    const plain = savedRun(0, ['a.png']);
    expect(recordWithoutSecrets(plain, hide)).toEqual(plain);
    expect(written).toMatchObject({
      server: run.server,
      expected: [named, { ...named, displayName: '***.png' }],
      files: [{ name: 'a.png', displayName: '***.png' }],
      temporary: [{ original: 'a.png', displayName: '***.png' }],
      nodes: { 1: { title: 'Load ***' }, 2: { cached: true } },
      promptText: '{"key":"***"}',
      workflowText: '["***"]',
    });
  });
});

describe('the schema of run records', () => {
  const schema = JSON.parse(readFileSync('media/schemas/run-record.schema.json', 'utf8')) as JSONSchema;

  const asset = { id: 'a1', preview: 'p1', hash: 'blake3:00' };
  const facts = { width: 64, height: 48, duration: 1.5, fps: 8, frames: 12 };
  const output = { name: 'a.png', node: '3', area: 'output', original: 'a.png' };
  const kept = { bytes: 1, sha256: 'a'.repeat(64) };

  const full: RunRecord = {
    ...sendingRecord({
      server: 'http://127.0.0.1:8188',
      serverKind: 'local',
      serverVersion: '0.33.0',
      label: 'w.json',
      sourceUri: 'w.json',
      sourceHash: 'a'.repeat(64),
      promptHash: 'b'.repeat(64),
      promptId: 'key',
      promptText: '{"3":{"class_type":"KSampler","inputs":{}}}',
      workflowText: '{"nodes":[]}',
      targets: ['3'],
      seeds: { '3.seed': '1' },
      inputs: [{ ...kept, node: '3', input: 'image', name: 'a.png', path: 'input/a.png', asset }],
      warnings: ['A node is not connected.'],
      sentAt: 0,
    }),
    state: 'failed',
    job: 'job-1',
    startedAt: new Date(0).toISOString(),
    nodes: { 3: { title: 'KSampler', startedAt: new Date(0).toISOString(), cached: true } },
    price: { credits: 12.5, nodes: { 3: 12.5 } },
    error: { message: 'No.', kind: 'ValueError', node: '3', nodeType: 'KSampler', traceback: ['a', 'b'] },
    blocked: [{ message: 'No image.' }],
    notices: [{ text: 'Queued for execution', at: new Date(0).toISOString() }],
    leftOut: { outputs: ['9'], nodes: ['8', '9'] },
    jobState: 'failed',
    why: 'forgotten',
    notSaved: 'diskFull',
    expected: [{ ...output, media: 'image', displayName: 'A', facts, asset }],
    temporary: [{ node: '3', area: 'temp', original: 'b.png' }],
    unlisted: 1,
    misnamed: true,
    files: [{ ...output, ...kept }],
    texts: [{ node: '3', text: 'a cat' }],
    batch: { id: 'a', row: 0 },
  };

  async function problems(text: string): Promise<readonly unknown[]> {
    const service = getLanguageService({});
    const document = TextDocument.create('file:///a.run.json', 'json', 0, text);
    const json = service.parseJSONDocument(document);
    const found = await service.doValidation(document, json, {}, schema);
    return found.map(({ message }) => message);
  }

  it('accepts a record with everything, and knows every member of it', async () => {
    const text = Buffer.from(writeRunRecord(full)).toString();
    expect(await problems(text)).toEqual([]);
    const members = Object.keys(JSON.parse(text) as object);
    expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(members));
  });
});
