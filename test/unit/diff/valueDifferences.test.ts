import { describe, expect, it } from 'vitest';
import { runDifferences } from '../../../src/core/diff/valueDifferences';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { savedRun } from '../gallery/galleryRecords';

function run(inputs: string, more: Partial<RunRecord> = {}): RunRecord {
  const promptText = `{"3": {"class_type": "KSampler", "inputs": {${inputs}}}}`;
  return savedRun(0, ['a.png'], { promptText, ...more });
}

function rows(...runs: readonly RunRecord[]): readonly (readonly string[])[] {
  return runDifferences(runs).map(({ group, name, values }) => [group, name, ...values]);
}

describe('what differs between runs', () => {
  it('is nothing between a run and its repetition', () => {
    expect(rows(run('"steps": 20'), run('"steps": 20'))).toEqual([]);
  });

  it('is shown with every digit, seeds first', () => {
    const seeds = { '3.seed': '' };
    const first = run('"cfg": 8.0, "seed": 18446744073709551615', { seeds });
    const second = run('"cfg": 8.5, "seed": 18446744073709551614', { seeds });
    expect(rows(first, second)).toEqual([
      ['seeds', 'KSampler (3), seed', '18446744073709551615', '18446744073709551614'],
      ['values', 'KSampler (3), cfg', '8.0', '8.5'],
    ]);
  });

  it('shows of long texts the part that differs, wherever it is', () => {
    const words = 'word '.repeat(600);
    const text = (middle: string): RunRecord => run(`"text": "${words}a ${middle} lighthouse ${words}"`);
    const [[, , ...values] = []] = rows(text('red'), text('white'));
    const [before, behind] = ['word '.repeat(12), 'word '.repeat(10).trim()];
    expect(values).toEqual(['red', 'white'].map((color) => `…${before}a ${color} lighthouse ${behind}…`));
  });

  it('tells models from other values', () => {
    const [first, second] = [run('"name": "a.safetensors"'), run('"name": "b.safetensors"')];
    expect(rows(first, second)).toEqual([['models', 'KSampler (3), name', 'a.safetensors', 'b.safetensors']]);
  });

  it('includes links, and inputs that only some of three runs have', () => {
    expect(rows(run('"a": ["1", 0]'), run('"a": ["2", 0]'), run('"b": true'))).toEqual([
      ['values', 'KSampler (3), a', 'from node 1, output 1', 'from node 2, output 1', ''],
      ['values', 'KSampler (3), b', '', '', 'true'],
    ]);
  });

  it('follows nodes that were renumbered, and says which were added or became another type', () => {
    const nodes = (id: string, steps: number, more: object = {}): RunRecord => {
      const sampler = { class_type: 'KSampler', inputs: { steps, model: ['1', 0] } };
      const loader = { class_type: 'Loader', inputs: { name: 'a.safetensors' } };
      const promptText = JSON.stringify({ '1': loader, [id]: sampler, ...more });
      return savedRun(0, ['a.png'], { promptText });
    };
    const save = { class_type: 'Save', inputs: {} };
    expect(rows(nodes('3', 20), nodes('7', 20))).toEqual([]);
    expect(rows(nodes('3', 20), nodes('3', 20, { '9': save }), nodes('3', 20))).toEqual([
      ['values', 'Save (9)', '', 'Save', ''],
    ]);
    const other = { '1': { class_type: 'OtherLoader', inputs: { name: 'a.safetensors' } } };
    expect(rows(nodes('3', 20), nodes('3', 30, other))).toEqual([
      ['values', 'Loader (1)', 'Loader', 'OtherLoader'],
      ['values', 'KSampler (3), steps', '20', '30'],
    ]);
  });

  it('has a value in place of a link to a node that is gone', () => {
    const prompt = (text: unknown, more: object): RunRecord =>
      savedRun(0, ['a.png'], {
        promptText: JSON.stringify({ '3': { class_type: 'Encode', inputs: { text } }, ...more }),
      });
    const fog = { '7': { class_type: 'Text', inputs: { value: 'fog' } } };
    expect(rows(prompt(['7', 0], fog), prompt('rain', {}))).toEqual([
      ['values', 'Text (7)', 'Text', ''],
      ['values', 'Text (7), value', 'fog', ''],
      ['values', 'Encode (3), text', 'from node 7, output 1', 'rain'],
    ]);
  });

  it('includes server, version and time taken', () => {
    const first = run('', { startedAt: '2026-05-01T09:00:00Z', endedAt: '2026-05-01T09:00:02Z' });
    const second = run('', {
      server: 'https://cloud.comfy.org',
      serverVersion: '0.33.0',
      startedAt: '2026-05-01T09:00:00Z',
      endedAt: '2026-05-01T09:00:03.500Z',
    });
    expect(rows(first, second)).toEqual([
      ['run', 'Server', 'http://127.0.0.1:8188', 'https://cloud.comfy.org'],
      ['run', 'ComfyUI version', '', '0.33.0'],
      ['run', 'Duration', '2.0 s', '3.5 s'],
    ]);
  });

  it('never says that a run took no time, and says long times as everywhere else', () => {
    const took = (ms: number) =>
      run('', {
        startedAt: '2026-05-01T09:00:00Z',
        endedAt: new Date(Date.UTC(2026, 4, 1, 9, 0, 0, ms)).toISOString(),
      });
    expect(rows(took(20), took(185_000))).toEqual([['run', 'Duration', 'under 0.1 s', '3 min 5 s']]);
  });

  it('uses short names, however long the titles, types and inputs are', () => {
    const long = '\u202e'.repeat(100) + 'x'.repeat(300_000);
    const prompt = (value: number): RunRecord => {
      const inputs = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`i${at}`, value]));
      const node = { class_type: long, inputs: { ...inputs, [long]: value }, _meta: { title: long } };
      return savedRun(0, ['a.png'], { promptText: JSON.stringify({ [long]: node }) });
    };
    const found = runDifferences([prompt(1), prompt(2)]);
    expect(found).toHaveLength(500);
    expect(JSON.stringify(found).length).toBeLessThan(500_000);
    expect(JSON.stringify(found)).not.toContain('\u202e');
  });
});
