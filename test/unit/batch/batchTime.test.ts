import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { recordName } from '../../../src/core/outputs/outputNames';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { writeRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import { writeWhole } from '../../../src/core/outputs/writeWhole';
import { BatchTimes, samplerSteps, type BatchTime } from '../../../src/core/batch/batchTime';
import type { BatchAxis } from '../../../src/core/batch/batchTable';
import { parseJson } from '../../../src/core/json/tree';
import { readPrompt } from '../../../src/core/workflow/prompt';

const [fast, slow] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];

const ten = { rows: 10, steps: new Map<string, number>() };

const never = new AbortController().signal;

async function timesOf(
  runs: readonly (readonly [server: string, seconds: number, more?: Partial<RunRecord>])[],
  onRead: () => void = () => undefined,
): Promise<BatchTimes> {
  const root = mkdtempSync(path.join(tmpdir(), 'times-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = new NodeFolder(root);
  for (const [index, [server, seconds, more]] of runs.entries()) {
    const sent = sendingRecord({
      server,
      label: 'w.json',
      sourceUri: 'w.json',
      promptText: '{}',
      seeds: {},
      sentAt: 0,
    });
    const times = { startedAt: at(0), endedAt: at(seconds) };
    const bytes = writeRunRecord({ ...sent, ...times, state: 'saved', ...more });
    const name = recordName(`w-20260501-00000${index}`);
    await writeWhole(folder, name, bytes);
  }
  const read = folder.read.bind(folder);
  folder.read = (...given) => (onRead(), read(...given));
  return new BatchTimes(folder, 'w.json');
}

function at(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

describe('the time of a batch', () => {
  it('is the median on the server for each row', async () => {
    const times = await timesOf([
      [fast, 1],
      [fast, 90],
      [fast, 2],
      [slow, 60],
    ]);
    expect(await times.of(ten, [{ name: 'Fast', origin: fast }], never)).toEqual({
      kind: 'time',
      ms: 20_000,
    });
  });

  it('is shared by servers, each as fast as it was', async () => {
    const times = await timesOf([
      [fast, 1],
      [slow, 4],
    ]);
    const both = [
      { name: 'Fast', origin: fast },
      { name: 'Slow', origin: slow },
    ];
    expect(await times.of(ten, both, never)).toEqual({ kind: 'time', ms: 8_000 });
  });

  it('is not known without runs on every server, which are named', async () => {
    const times = await timesOf([[fast, 1]]);
    const servers = [
      { name: 'Fast', origin: fast },
      { name: 'Slow', origin: slow },
      { name: 'Sandbox', origin: undefined },
    ];
    expect(await times.of(ten, servers, never)).toEqual({ kind: 'unknown', servers: ['Slow', 'Sandbox'] });
  });

  it('is read no further once nobody wants it, and from the start for the next who does', async () => {
    let reads = 0;
    const first = new AbortController();
    const runs = Array.from({ length: 9 }, () => [fast, 2] as const);
    const times = await timesOf(runs, () => {
      reads++;
      if (reads === 2) first.abort();
    });
    const server = { name: 'Fast', origin: fast };
    const unwanted = times.of(ten, [server], first.signal);
    await expect(unwanted).rejects.toThrow('aborted');
    expect(reads).toBe(2);
    expect(await times.of(ten, [server], never)).toEqual({ kind: 'time', ms: 20_000 });
    expect(reads).toBe(11);
    await times.of(ten, [server], never);
    expect(reads).toBe(11);
  });
});

describe('the time of a batch whose steps have changed', () => {
  const sampler = (steps: unknown, classType = 'KSampler') => ({ class_type: classType, inputs: { steps } });
  const prompt = (...nodes: readonly object[]): string =>
    JSON.stringify(Object.fromEntries(nodes.map((node, index) => [String(index + 3), node])));
  const stepsOf = (text: string, axes: readonly BatchAxis[] = []) =>
    samplerSteps(readPrompt(parseJson(text)), axes);
  /** A sampler ran for this long, from 5 s on. */
  const took = (...seconds: readonly number[]) => ({
    nodes: Object.fromEntries(
      seconds.map((each, index) => [String(index + 3), { startedAt: at(5), endedAt: at(5 + each) }]),
    ),
  });
  const row = async (
    text: string,
    runs: Parameters<typeof timesOf>[0],
    axes: readonly BatchAxis[] = [],
  ): Promise<BatchTime> => {
    const times = await timesOf(runs);
    return times.of({ rows: 1, steps: stepsOf(text, axes) }, [{ name: 'Fast', origin: fast }], never);
  };
  const unknown = { kind: 'unknown', servers: ['Fast'] };

  it('is that of earlier runs, with as much time per step', async () => {
    const earlier = { promptText: prompt(sampler(50)), ...took(60) };
    expect(await row(prompt(sampler(15)), [[fast, 65, earlier]])).toEqual({ kind: 'time', ms: 23_000 });
    expect(await row(prompt(sampler(100)), [[fast, 65, earlier]])).toEqual({ kind: 'time', ms: 125_000 });
  });

  it('is that of runs with as many steps, if there are any', async () => {
    const [many, few] = [
      { promptText: prompt(sampler(50)), ...took(60) },
      { promptText: prompt(sampler(15)) },
    ];
    const runs = [
      [fast, 65, many],
      [fast, 65, many],
      [fast, 24, few],
    ] as const;
    expect(await row(prompt(sampler(15)), runs)).toEqual({ kind: 'time', ms: 24_000 });
  });

  it('is unknown if no run tells how long its sampler took, whatever another type or a cached one did', async () => {
    const text = prompt(sampler(15));
    const other = { promptText: prompt(sampler(50, 'KSamplerAdvanced')), ...took(60) };
    const cached = { promptText: text, nodes: { 3: { cached: true as const } } };
    for (const more of [{ promptText: prompt(sampler(50)) }, other, cached, { promptText: undefined }])
      expect(await row(text, [[fast, 65, more]])).toEqual(unknown);
  });

  it('counts the samplers of each type together', async () => {
    const earlier = {
      promptText: prompt(sampler(20), sampler(10), sampler(10, 'Other')),
      ...took(20, 10, 40),
    };
    const text = prompt(sampler(10), sampler(40, 'Other'));
    // 75 - 20 steps of 1 s + 30 steps of 4 s
    expect(await row(text, [[fast, 75, earlier]])).toEqual({ kind: 'time', ms: 175_000 });
  });

  it('is that of the mean where a batch sets the steps', async () => {
    const earlier = { promptText: prompt(sampler(50)), ...took(50) };
    const column = { nodeId: '3', nodeName: 'KSampler', input: 'steps', offset: 0, length: 1 };
    const axes = [{ columns: [column], steps: [['10'], ['30']] }];
    expect(await row(prompt(sampler(50)), [[fast, 60, earlier]], axes)).toEqual({ kind: 'time', ms: 30_000 });
  });

  it('finds the steps of a number that is linked, and the sampler that a scheduler works for', () => {
    const text = JSON.stringify({
      1: { class_type: 'PrimitiveInt', inputs: { value: 12 } },
      2: { class_type: 'BasicScheduler', inputs: { steps: ['1', 0] } },
      3: { class_type: 'SplitSigmas', inputs: { sigmas: ['2', 0], step: 3 } },
      4: { class_type: 'SamplerCustomAdvanced', inputs: { sigmas: ['3', 1] } },
      5: { class_type: 'KSampler', inputs: { steps: ['6', 0] } },
      6: { class_type: 'ComputedSteps', inputs: {} },
    });
    expect([...stepsOf(text)]).toEqual([['SamplerCustomAdvanced', 12]]);
    const column = { nodeId: '1', nodeName: 'PrimitiveInt', input: 'value', offset: 0, length: 1 };
    expect([...stepsOf(text, [{ columns: [column], steps: [['8'], ['4']] }])]).toEqual([
      ['SamplerCustomAdvanced', 6],
    ]);
  });
});
