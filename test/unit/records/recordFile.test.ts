import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi, onTestFinished } from 'vitest';
import { OutputError } from '../../../src/core/outputs/outputError';
import { lockFileName } from '../../../src/core/records/claimRecord';
import {
  RecordFile,
  findRecord,
  recordNamed,
  recordsIn,
  reserveStem,
} from '../../../src/core/records/recordFile';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { readRunRecord, type RunRecord, writeRunRecord } from '../../../src/core/records/runRecord';
import { unchanged } from '../../support/unchanged';
import { MemoryFolder } from '../outputs/memoryFolder';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { fakeTimers } from '../jobs/trackerTime';

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

fakeTimers();

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
});

describe('a record whose folder somebody renamed', () => {
  it('is written again where it was, and locked there', async () => {
    const { folder, file, onDisk, free } = await heldRecord();
    free();
    folder.files.clear();
    await file.change(withJob('one'));
    expect(onDisk()).toBe('one');
    expect(folder.names).toContain(lockFileName(file.name));
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
    folder.files.set(lockFileName(file.name), Buffer.from(`${owner} 1`));
    const changing = expect(file.change(withJob('one'))).rejects.toMatchObject({ reason: 'taken' });
    const timer = setInterval(() => folder.files.set(owner, Buffer.from(randomUUID())), 500);
    await vi.advanceTimersByTimeAsync(3_000);
    await changing;
    clearInterval(timer);
    expect(onDisk()).toBeUndefined();
  });
});

it('a record that another program took while this machine slept is neither written nor removed any more', async () => {
  const { folder, file, onDisk, free } = await heldRecord();
  free();
  folder.files.set(lockFileName(file.name), Buffer.from('of another program'));
  await expect(file.change(withJob('mine'))).rejects.toMatchObject({ reason: 'taken' });
  await expect(file.requireOwn()).rejects.toMatchObject({ reason: 'taken' });
  await expect(file.remove()).rejects.toMatchObject({ reason: 'taken' });
  expect(onDisk()).toBeUndefined();
  expect(folder.names).toContain(file.name);
});

describe('the records of a folder', () => {
  const record = sendingRecord({ server: 'http://127.0.0.1', label: 'a', seeds: {}, sentAt: 0 });

  class CountingFolder extends MemoryFolder {
    reads = 0;

    override read(name: string): Promise<string | undefined> {
      this.reads++;
      return super.read(name);
    }
  }

  it('reads one run record after the other: a folder may hold thousands of large ones', async () => {
    const folder = new CountingFolder();
    for (const name of ['a', 'b', 'c']) folder.files.set(`${name}.run.json`, writeRunRecord(record));
    folder.files.set('d.run.json', Buffer.from('{"format":2,"seeds":{"__proto__":1}}'));
    const names: string[] = [];
    for await (const { name } of recordsIn(folder)) {
      names.push(name);
      expect(folder.reads).toBe(names.length);
    }
    expect(names).toEqual(['a.run.json', 'b.run.json', 'c.run.json']);
  });

  it('names what is too large for a run record, and reads the rest', async () => {
    const folder = new MemoryFolder();
    folder.files.set('a.run.json', Buffer.from('['.repeat(5_000)));
    folder.files.set('b.run.json', writeRunRecord(record));
    const skipped: string[] = [];
    const names: string[] = [];
    for await (const { name } of recordsIn(folder, { skipped: ({ message }) => skipped.push(message) }))
      names.push(name);
    expect(names).toEqual(['b.run.json']);
    expect(skipped).toEqual(["a.run.json is nested more than 900 levels deep, so it wasn't read."]);
    expect(await recordNamed(folder, 'a.run.json')).toBeUndefined();
  });

  async function namesOf(records: AsyncIterable<{ readonly name: string }>): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of records) names.push(name);
    return names;
  }

  it('lists records by name, or the newest so many by their times, and no other files', async () => {
    const folder = new MemoryFolder();
    const stems = ['b-20260101-000000', 'a-20260102-000000', 'c-20260101-000000 (2)', 'c-20251231-235959'];
    for (const stem of stems) folder.files.set(`${stem}.run.json`, writeRunRecord(record));
    folder.files.set('a-20260103-000000.json', writeRunRecord(record));
    folder.files.set('a-20260103-000000.run.json', Buffer.from('{'));
    const [b, a, second, oldest] = stems.map((stem) => `${stem}.run.json`);
    expect(await namesOf(recordsIn(folder))).toEqual([a, b, second, oldest].sort());
    expect(await namesOf(recordsIn(folder, { newest: 9 }))).toEqual([a, second, b, oldest]);
    expect(await namesOf(recordsIn(folder, { newest: 3 }))).toEqual([a, second]);
    expect((await findRecord(folder, ({ label }) => label === 'a'))?.name).toBe(a);
    expect(await findRecord(folder, ({ label }) => label === 'b')).toBeUndefined();
  });

  it('finds no record under the name of anything else', async () => {
    const folder = new MemoryFolder();
    for (const name of ['a.json', '../a.run.json']) {
      folder.files.set(name, writeRunRecord(record));
      expect(await recordNamed(folder, name)).toBeUndefined();
    }
  });

  it('says why a record cannot be read, and stops at one that the disk refuses where all count', async () => {
    const folder = new MemoryFolder();
    for (const name of ['a.run.json', 'b.run.json']) folder.files.set(name, writeRunRecord(record));
    const read = folder.read.bind(folder);
    const refuseFirst = (error: Error) => {
      folder.read = (name) => (name === 'a.run.json' ? Promise.reject(error) : read(name));
    };
    const skipped: unknown[] = [];
    const tooLarge = new OutputError('It is too large.', 'notRead');
    refuseFirst(tooLarge);
    expect(await namesOf(recordsIn(folder, { skipped: (error) => skipped.push(error) }))).toEqual([
      'b.run.json',
    ]);
    expect(skipped.splice(0)).toEqual([tooLarge]);
    const unreadable: string[] = [];
    const onUnreadable = (name: string): unknown => unreadable.push(name);
    expect(await namesOf(recordsIn(folder, { onUnreadable }))).toEqual(['b.run.json']);
    expect(unreadable).toEqual(['a.run.json']);
    const refused = new OutputError('It is locked.', 'other', new Error('EBUSY'));
    refuseFirst(refused);
    expect(await namesOf(recordsIn(folder, { skipped: (error) => skipped.push(error) }))).toEqual([
      'b.run.json',
    ]);
    expect(skipped).toEqual([]);
    await expect(namesOf(recordsIn(folder, { onUnreadable }))).rejects.toBe(refused);
    const bug = new TypeError('No function.');
    refuseFirst(bug);
    await expect(namesOf(recordsIn(folder))).rejects.toBe(bug);
  });
});

describe('the stem of a record', () => {
  const wanted = 'portrait-20260102-030405';
  const record = (stem: string) => new TextEncoder().encode(JSON.stringify({ stem }));

  it('gives each of many runs that end in the same second its own stem', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'stems-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const stems = await Promise.all(
      Array.from({ length: 8 }, () => reserveStem(new NodeFolder(root), wanted, record)),
    );
    expect(new Set(stems).size).toBe(8);
    expect(stems).toContain(wanted);
    expect((await readdir(root)).sort()).toEqual(stems.map((stem) => `${stem}.run.json`).sort());
  });

  it('skips stems that a file in the folder starts with', async () => {
    const folder = new MemoryFolder();
    for (const name of [`${wanted}-a.png`, `${wanted.toUpperCase()} (2).run.json`, `${wanted} (30)`])
      folder.files.set(name, new Uint8Array());
    expect(await reserveStem(folder, wanted, record)).toBe(`${wanted} (3)`);
    expect(await reserveStem(folder, `${wanted}0`, record)).toBe(`${wanted}0`);
  });

  it('uses the next stem when another run is faster', async () => {
    const folder = new MemoryFolder();
    folder.snatched.add(`${wanted}.run.json`);
    expect(await reserveStem(folder, wanted, record)).toBe(`${wanted} (2)`);
  });
});
