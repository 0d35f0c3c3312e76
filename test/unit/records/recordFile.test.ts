import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutputError } from '../../../src/core/outputs/outputError';
import { claimName } from '../../../src/core/records/claimRecord';
import { RecordFile } from '../../../src/core/records/recordFile';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { readRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import { unchanged } from '../../support/unchanged';
import { MemoryFolder } from '../outputs/memoryFolder';

const first = sendingRecord({ server: 'http://127.0.0.1:8188', label: 'cat.json', seeds: {}, sentAt: 0 });
const held = new OutputError('Somebody reads it.', 'notWritable');
const withJob =
  (job: string) =>
  (record: RunRecord): RunRecord => ({ ...record, job, state: 'submitted' });

/** A record that somebody has open: it can't be replaced until `free`. */
async function heldRecord() {
  const folder = new MemoryFolder();
  const file = await RecordFile.create(folder, 'cat-20261122-101500', first, unchanged);
  const replace = folder.replace.bind(folder);
  folder.replace = () => Promise.reject(held);
  const onDisk = (): string | undefined =>
    readRunRecord(Buffer.from(folder.files.get(file.name) ?? []).toString())?.job;
  return { folder, file, onDisk, free: () => (folder.replace = replace) };
}

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] }),
);
afterEach(() => vi.useRealTimers());

describe('a record that cannot be written at the moment', () => {
  it('stops nothing, and is written when it can be, in its latest state', async () => {
    const { file, onDisk, free } = await heldRecord();
    await file.change(withJob('one'));
    await file.change(withJob('two'));
    expect(onDisk()).toBeUndefined();
    expect(file.isWriting).toBe(true);
    free();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(onDisk()).toBe('two');
    expect(file.isWriting).toBe(false);
    expect(await file.close()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is written at the end at the latest', async () => {
    const { file, onDisk, free } = await heldRecord();
    await file.change(withJob('one'));
    free();
    expect(await file.close()).toBeUndefined();
    expect(onDisk()).toBe('one');
  });

  it('and never can be is what closing it says', async () => {
    const { file } = await heldRecord();
    await file.change(withJob('one'));
    expect(await file.close()).toBe(held);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a record whose folder somebody renamed', () => {
  it('is written again where it was, and locked there', async () => {
    const { folder, file, onDisk, free } = await heldRecord();
    free();
    folder.files.clear();
    await file.change(withJob('one'));
    expect(onDisk()).toBe('one');
    expect(folder.names).toContain(claimName(file.name));
    await file.close();
    expect(folder.names).toEqual([file.name]);
  });

  it('is nothing to send anything for', async () => {
    const { folder, file } = await heldRecord();
    folder.files.clear();
    await expect(file.requireOwn()).rejects.toMatchObject({ reason: 'taken' });
  });

  it('is not written if another program has locked one of that name meanwhile', async () => {
    const { folder, file, onDisk, free } = await heldRecord();
    free();
    folder.files.delete(file.name);
    const owner = `.comfy-deck-${randomUUID()}.stamp`;
    folder.files.set(claimName(file.name), Buffer.from(`${owner} 1`));
    const changing = expect(file.change(withJob('one'))).rejects.toMatchObject({ reason: 'taken' });
    const timer = setInterval(() => folder.files.set(owner, Buffer.from(randomUUID())), 500);
    await vi.advanceTimersByTimeAsync(3_000);
    await changing;
    clearInterval(timer);
    expect(onDisk()).toBeUndefined();
  });
});

describe('a record that another program took while this machine slept', () => {
  it('is neither written nor removed any more', async () => {
    const { folder, file, onDisk, free } = await heldRecord();
    free();
    folder.files.set(claimName(file.name), Buffer.from('of another program'));
    await expect(file.change(withJob('mine'))).rejects.toMatchObject({ reason: 'taken' });
    await expect(file.requireOwn()).rejects.toMatchObject({ reason: 'taken' });
    await expect(file.remove()).rejects.toMatchObject({ reason: 'taken' });
    expect(onDisk()).toBeUndefined();
    expect(folder.names).toContain(file.name);
  });
});
