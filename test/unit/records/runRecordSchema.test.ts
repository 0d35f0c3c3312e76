import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { getLanguageService, TextDocument, type JSONSchema } from 'vscode-json-languageservice';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { writeRunRecord, type RunRecord } from '../../../src/core/records/runRecord';

const schema = JSON.parse(readFileSync('media/schemas/run-record.schema.json', 'utf8')) as JSONSchema;

const asset = { id: 'a1', preview: 'p1', hash: 'blake3:00' };
const facts = { width: 64, height: 48, duration: 1.5, fps: 8, frames: 12 };

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
    inputs: [
      {
        node: '3',
        input: 'image',
        name: 'a.png',
        path: 'input/a.png',
        bytes: 1,
        sha256: 'a'.repeat(64),
        asset,
      },
    ],
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
  expected: [
    {
      name: 'a.png',
      node: '3',
      area: 'output',
      original: 'a.png',
      media: 'image',
      displayName: 'A',
      facts,
      asset,
    },
  ],
  temporary: [{ node: '3', area: 'temp', original: 'b.png' }],
  unlisted: 1,
  misnamed: true,
  files: [{ name: 'a.png', node: '3', area: 'output', original: 'a.png', bytes: 1, sha256: 'a'.repeat(64) }],
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

describe('the schema of run records', () => {
  it('accepts a record with everything', async () => {
    expect(await problems(Buffer.from(writeRunRecord(full)).toString())).toEqual([]);
  });

  it('knows every member of such a record', () => {
    const record = JSON.parse(Buffer.from(writeRunRecord(full)).toString()) as object;
    expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(record)));
  });

  it('marks an unknown state', async () => {
    const text = Buffer.from(writeRunRecord(full)).toString().replace('"failed"', '"done"');
    expect(await problems(text)).toHaveLength(1);
  });
});
