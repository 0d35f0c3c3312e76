import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NodeFolder } from '../../../../src/core/outputs/nodeFolder';
import type { OutputFolder } from '../../../../src/core/outputs/outputFolder';
import { recordName } from '../../../../src/core/outputs/outputNames';
import { sendingRecord } from '../../../../src/core/records/recordSteps';
import { writeRunRecord } from '../../../../src/core/records/runRecord';
import { writeWhole } from '../../../../src/core/outputs/writeWhole';
import { BatchTimes } from '../../../../src/host/batch/batchTimes';

const [fast, slow] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];

const never = new AbortController().signal;

async function timesOf(
  runs: readonly (readonly [server: string, seconds: number])[],
  onRead: () => void = () => undefined,
): Promise<BatchTimes> {
  const root = mkdtempSync(path.join(tmpdir(), 'times-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = new NodeFolder(root);
  for (const [index, [server, seconds]] of runs.entries()) {
    const sent = sendingRecord({
      server,
      label: 'w.json',
      sourceUri: 'w.json',
      promptText: '{}',
      seeds: {},
      sentAt: 0,
    });
    const times = { startedAt: new Date(0).toISOString(), endedAt: new Date(seconds * 1000).toISOString() };
    const bytes = writeRunRecord({ ...sent, ...times, state: 'saved' });
    const name = recordName(`w-20260501-00000${index}`);
    await writeWhole(folder, name, bytes);
  }
  const watched: OutputFolder = new Proxy(folder, {
    get: (target, member) => {
      if (member === 'read') onRead();
      return (Reflect.get(target, member) as () => unknown).bind(target);
    },
  });
  return new BatchTimes(watched, 'w.json');
}

describe('the time of a batch', () => {
  it('is the median on the server for each row', async () => {
    const times = await timesOf([
      [fast, 1],
      [fast, 90],
      [fast, 2],
      [slow, 60],
    ]);
    expect(await times.of(10, [{ name: 'Fast', origin: fast }], never)).toEqual({ kind: 'time', ms: 20_000 });
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
    expect(await times.of(10, both, never)).toEqual({ kind: 'time', ms: 8_000 });
  });

  it('is not known without runs on every server, which are named', async () => {
    const times = await timesOf([[fast, 1]]);
    const servers = [
      { name: 'Fast', origin: fast },
      { name: 'Slow', origin: slow },
      { name: 'Sandbox', origin: undefined },
    ];
    expect(await times.of(10, servers, never)).toEqual({ kind: 'unknown', servers: ['Slow', 'Sandbox'] });
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
    const unwanted = times.of(10, [server], first.signal);
    await expect(unwanted).rejects.toThrow('aborted');
    expect(reads).toBe(2);
    expect(await times.of(10, [server], never)).toEqual({ kind: 'time', ms: 20_000 });
    expect(reads).toBe(11);
    await times.of(10, [server], never);
    expect(reads).toBe(11);
  });
});
