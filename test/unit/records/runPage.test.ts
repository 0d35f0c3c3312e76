import { describe, expect, it } from 'vitest';
import { runPage } from '../../../src/core/records/runPage';
import type { RunRecord } from '../../../src/core/records/runRecord';

const prompt = `{
  "4": { "class_type": "CheckpointLoaderSimple", "inputs": { "ckpt_name": "sd.safetensors" } },
  "3": { "class_type": "KSampler", "inputs": { "seed": 18446744073709551615, "cfg": 7.50, "model": ["4", 0],
    "on": true }, "_meta": { "title": "Sampler" } }
}`;

const record: RunRecord = {
  format: 3,
  state: 'saved',
  job: 'job-1',
  server: 'http://127.0.0.1:8188',
  label: 'portrait.json',
  sourceUri: 'flows/portrait.json',
  promptText: prompt,
  seeds: { '3.seed': '18446744073709551615' },
  sentAt: '2026-03-14T09:26:53.000Z',
  startedAt: '2026-03-14T09:26:54.000Z',
  endedAt: '2026-03-14T09:27:06.000Z',
  expected: [
    { name: 'portrait-1.png', node: '3', area: 'output', original: '1.png' },
    { name: 'portrait-2.png', node: '3', area: 'output', original: '2.png' },
  ],
  files: [
    { name: 'portrait-1.png', node: '3', area: 'output', original: '1.png', bytes: 2048, sha256: 'ab' },
  ],
  texts: [{ node: '3', text: 'two\nlines' }],
};

const factOf = (of: RunRecord, name: string): string | undefined =>
  runPage(of).facts.find((fact) => fact.name === name)?.text;

describe('the page of a run record', () => {
  it('shows the size, the duration and the frames that the server told', () => {
    const [file] = record.expected;
    if (!file) throw new Error('no file');
    const facts = { width: 64, height: 48, duration: 1.5, fps: 8, frames: 12 };
    const page = runPage({ ...record, expected: [{ ...file, facts }], files: [] });
    expect(page.files.map((each) => each.facts)).toEqual(['64 × 48, 1.5 s, 12 frames']);
    expect(runPage(record).files[0]?.facts).toBe('');
  });

  it('lists the values of the nodes in the order of the prompt, with every digit', () => {
    expect(runPage(record).nodes.map(({ id, name, type, values }) => ({ id, name, type, values }))).toEqual([
      {
        id: '4',
        name: 'CheckpointLoaderSimple',
        type: 'CheckpointLoaderSimple',
        values: [{ name: 'ckpt_name', text: 'sd.safetensors', isLink: false, edit: { kind: 'text' } }],
      },
      {
        id: '3',
        name: 'Sampler',
        type: 'KSampler',
        values: [
          { name: 'seed', text: '18446744073709551615', isLink: false, edit: { kind: 'number' } },
          { name: 'cfg', text: '7.50', isLink: false, edit: { kind: 'number' } },
          { name: 'model', text: 'CheckpointLoaderSimple (node 4), slot 0', isLink: true },
          { name: 'on', text: 'true', isLink: false, edit: { kind: 'boolean' } },
        ],
      },
    ]);
  });

  it('lets a value be edited only if it is shown as it is', () => {
    const edits = (text: string, input = 'text', id = '6') => {
      const promptText = JSON.stringify({ [id]: { class_type: 'Text', inputs: { [input]: text } } });
      return runPage({ ...record, promptText }).nodes[0]?.values[0]?.edit;
    };
    expect(edits('a fox')).toEqual({ kind: 'text' });
    expect(edits('  a fox,\r\n\tred ')).toEqual({ kind: 'text', exact: '  a fox,\r\n\tred ' });
    expect(edits('a \u202Efox')).toBeUndefined();
    expect(edits('a\u200Bfox')).toBeUndefined();
    expect(edits('a'.repeat(20_001))).toBeUndefined();
    expect(edits('a fox', 'te\u200Bxt')).toBeUndefined();
    expect(edits('a fox', 'text', '6\u200B')).toBeUndefined();
  });

  it('says what was run, where, how long, and with which seeds', () => {
    const page = runPage(record);
    expect([page.title, page.stateText]).toEqual(['portrait.json', 'Saved']);
    expect(factOf(record, 'Server')).toBe('http://127.0.0.1:8188');
    expect(factOf(record, 'Duration')).toBe('12 s');
    expect(factOf(record, 'Workflow')).toBe('flows/portrait.json');
    expect(page.seeds).toEqual([{ node: 'Sampler', input: 'seed', digits: '18446744073709551615' }]);
    expect(page.texts).toEqual([{ node: 'Sampler', text: 'two\nlines' }]);
  });

  it('lists the outputs with their sizes, and those that are not saved without', () => {
    expect(runPage(record).files.map(({ label, media, size }) => [label, media, size])).toEqual([
      ['portrait-1.png', 'image', '2.0 KB'],
      ['portrait-2.png', 'image', undefined],
    ]);
  });

  it('shows what newer records contain', () => {
    const newer: RunRecord = {
      ...record,
      promptText: prompt.replace(', "_meta": { "title": "Sampler" }', ''),
      serverKind: 'local',
      serverVersion: '0.33.0',
      madeBy: '0.2.0',
      nodes: {
        3: { title: 'My sampler', startedAt: record.startedAt, endedAt: '2026-03-14T09:26:55.500Z' },
        4: { cached: true },
      },
      inputs: [{ node: '4', input: 'image', name: 'cat.png', path: 'in/cat.png', sha256: 'cd', bytes: 10 }],
      warnings: ['Left out: 9'],
      error: { message: 'Out of memory', node: '3', nodeType: 'KSampler' },
    };
    const page = runPage(newer);
    expect(page.nodes.map(({ name, time }) => [name, time])).toEqual([
      ['CheckpointLoaderSimple', 'cached'],
      ['My sampler', '1.5 s'],
    ]);
    expect(factOf(newer, 'Server')).toBe('ComfyUI 0.33.0 (http://127.0.0.1:8188)');
    expect(factOf({ ...newer, serverKind: 'sandbox' }, 'Server')).toBe('Sandbox');
    expect(page.inputs.map(({ name, path, size }) => [name, path, size])).toEqual([
      ['cat.png', 'in/cat.png', '10 bytes'],
    ]);
    expect([page.warnings, page.errors]).toEqual([['Left out: 9'], ['My sampler: Out of memory']]);
  });

  it.each([
    [undefined, "The record doesn't contain the workflow, because the job was submitted elsewhere."],
    ['[', "The recorded workflow can't be read."],
    ['{"a": 1}', "The recorded workflow can't be read."],
    [`{"1": {"inputs": {"a": [${'0,'.repeat(600_000)}0]}}}`, 'The workflow is too large to list its nodes.'],
  ])('says why it lists no nodes: %.20s', (promptText, words) => {
    const page = runPage({ ...record, promptText });
    expect([page.nodes, page.noNodes]).toEqual([[], words]);
  });

  it('is bounded for any record', () => {
    const long = 'x'.repeat(100_000);
    const inputs = Array.from({ length: 300 }, (_, index) => `"i${index}": "${long}"`).join(',');
    const nodes = Array.from(
      { length: 3_000 },
      (_, index) => `"${index}": {"class_type": "A", "inputs": {}}`,
    );
    const many = { ...record, texts: Array.from({ length: 1_000 }, () => ({ node: '1', text: long })) };
    const wide = runPage({ ...many, promptText: `{"1": {"class_type": "A", "inputs": {${inputs}}}}` });
    expect(wide.noNodes).toBe('The workflow is too large to list its nodes.');
    const tall = runPage({ ...many, promptText: `{${nodes.join(',')}}` });
    expect([tall.nodes.length, tall.moreNodes]).toEqual([2_000, 1_000]);
    expect(JSON.stringify(tall).length).toBeLessThan(5_000_000);
  });

  it('neutralizes what hides or reverses text, and ignores invalid times', () => {
    const odd = { ...record, label: 'a\u202egnp.exe\nb', startedAt: 'yesterday', sentAt: 'x', endedAt: '' };
    expect(runPage(odd).title).toBe('agnp.exe b');
    expect(['Submitted', 'Duration', 'Ended'].map((name) => factOf(odd, name))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
