import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { galleryRows } from '../../../src/core/gallery/galleryFilter';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { RunIndex, tellRun } from '../../../src/core/runLife/runIndex';
import { RunPointers } from '../../../src/core/runLife/runPointers';
import { RunStore } from '../../../src/core/runLife/runStore';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import type { OutputFolder } from '../../../src/core/outputs/outputFolder';
import { writeRunRecord } from '../../../src/core/records/runRecord';
import { budgets } from '../../../src/core/safety/budgets';
import { RunFolder, savedRun } from '../gallery/galleryRecords';
import { MemoryStorage } from '../host/memoryStorage';

const morning = new Date(2026, 4, 1, 9, 0, 0).getTime();
const noon = new Date(2026, 4, 1, 12, 0, 0).getTime();

/** A store with the runs of these folders: `/0`, `/1`, … */
class Folders {
  readonly runs = new RunStore(new JobStore());
  readonly index: RunIndex;

  constructor(
    folders: readonly OutputFolder[],
    most?: { readonly records: number; readonly outputs: number },
  ) {
    this.index = new RunIndex(this.runs, undefined, undefined, most);
    for (const [at, folder] of folders.entries()) this.index.add(`/${at}`, folder);
  }

  get files() {
    return galleryRows(this.runs.runs).map(({ file }) => file);
  }

  get names(): readonly string[] {
    return this.files.map(({ name }) => name);
  }

  async read(): Promise<this> {
    const pages = this.index.read(100, 100);
    while ((await pages.next()).done !== true);
    return this;
  }

  /** @param changed names of what a watcher of `/0` tells of */
  async touched(...changed: readonly string[]): Promise<void> {
    await this.index.touched('/0', new Set(changed));
  }
}

async function opened(...folders: readonly OutputFolder[]): Promise<Folders> {
  return new Folders(folders).read();
}

function twoRuns(): RunFolder {
  const folder = new RunFolder();
  folder.put('portrait-20260501-090000.run.json', savedRun(morning, ['early.png', 'early.wav']));
  folder.put('portrait-20260501-120000.run.json', savedRun(noon, ['late.png']));
  return folder;
}

describe('the outputs of a folder', () => {
  it('are listed newest first, with the kind of each', async () => {
    const listed = await opened(twoRuns());
    expect(listed.files.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      'late.png: image',
      'early.wav: audio',
      'early.png: image',
    ]);
  });

  it('are each listed once, with texts that are cut', async () => {
    const folder = new RunFolder();
    const label = 'x'.repeat(1_000);
    const seeds = Object.fromEntries(Array.from({ length: 1000 }, (_, seed) => [`1.${seed}`, String(seed)]));
    folder.put(
      'a-20260501-090000.run.json',
      savedRun(morning, ['a.png', 'a.png'], { label, server: label, seeds }),
    );
    const listed = await opened(folder);
    expect(
      listed.runs.runs.map(({ facts: { label, server, seeds }, files }) =>
        [label, server, seeds, files].map(({ length }) => length),
      ),
    ).toEqual([[200, 200, 50, 1]]);
  });

  it('do not keep the long texts of their records in memory', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const long = (letter: string): string => JSON.parse(JSON.stringify(letter.repeat(500_000))) as string;
    const filesOfOne = (index: number) => {
      const promptText = JSON.stringify({ 1: { inputs: { text: long('t') } } });
      const run = savedRun(morning, ['a.png'], { label: long('l'), server: long('s'), promptText });
      const files = run.files.map((file) => ({ ...file, sha256: long('h') }));
      const place = { folder: '/', record: `${index}.run.json` };
      const batch = { id: long('b'), row: 0 };
      return tellRun(
        { place, runs: new RunStore(new JobStore()), keepsJob: false, originOf: () => ({}) },
        { ...run, files, seeds: { x: long('1') }, batch },
      );
    };
    collect();
    const before = process.memoryUsage().heapUsed;
    const rows = Array.from({ length: 20 }, (_, index) => filesOfOne(index));
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
    expect(rows).toHaveLength(20);
  });

  it('come in pages, so that the newest are there at once', async () => {
    const listed = new Folders([twoRuns()]);
    const pages = listed.index.read(1, 1);
    await pages.next();
    expect(listed.names).toEqual(['late.png']);
    await pages.next();
    expect(listed.names).toEqual(['late.png', 'early.wav', 'early.png']);
  });

  it('are found by the job of their run, on its server', async () => {
    const folder = twoRuns();
    const server = 'http://127.0.0.1:8188';
    folder.put('b-20260501-130000.run.json', savedRun(noon, ['b.png'], { job: 'job-b', server }));
    const listed = await opened(folder);
    expect(listed.runs.ofJob({ id: 'job-b', server })?.place.record).toBe('b-20260501-130000.run.json');
    expect(listed.runs.ofJob({ id: 'job-b', server: 'http://127.0.0.1:1' })).toBeUndefined();
    folder.files.delete('b-20260501-130000.run.json');
    await listed.read();
    expect(listed.runs.ofJob({ id: 'job-b', server })).toBeUndefined();
  });

  it('of one job are those of its newest record, however often each is read', async () => {
    const folder = new RunFolder();
    const server = 'http://127.0.0.1:8188';
    for (const name of ['a-20260501-120000', 'a-20260501-120000 (2)', 'b-20260501-110000'])
      folder.put(`${name}.run.json`, savedRun(noon, [`${name}.png`], { job: 'job', server }));
    const listed = await opened(folder, folder);
    const newest = { folder: '/0', record: 'a-20260501-120000 (2).run.json' };
    expect(listed.runs.ofJob({ id: 'job', server })?.place).toEqual(newest);
    await listed.touched('a-20260501-120000.run.json', 'b-20260501-110000.run.json');
    expect(listed.runs.ofJob({ id: 'job', server })?.place).toEqual(newest);
    folder.files.delete(newest.record);
    await listed.read();
    expect(listed.runs.ofJob({ id: 'job', server })?.place).toEqual({
      folder: '/0',
      record: 'a-20260501-120000.run.json',
    });
  });

  it('keep the texts of the prompt to search for, cut, but not the prompt', async () => {
    const folder = new RunFolder();
    const text = `A Red Fox ${'x'.repeat(5_000)}`;
    const promptText = JSON.stringify({
      '6': { class_type: 'CLIPTextEncode', inputs: { text, clip: ['4', 1] } },
    });
    folder.put('fox-20260501-090000.run.json', savedRun(morning, ['fox.png'], { promptText }));
    const listed = await opened(folder);
    const search = listed.runs.runs[0]?.facts.search;
    expect(search).toMatch(/^a red fox x/);
    expect(search?.length).toBeLessThanOrEqual(budgets.shownText);
  });

  it('are left out when they are gone from disk or their record is unreadable', async () => {
    const folder = twoRuns();
    folder.files.delete('early.png');
    folder.files.set('broken-20260501-130000.run.json', Buffer.from('{"format":3'));
    const listed = await opened(folder);
    expect(listed.names).toEqual(['late.png', 'early.wav']);
  });
});

describe('a refresh', () => {
  it('adds a new run, drops a removed file, and keeps the other rows as they are', async () => {
    const folder = twoRuns();
    const listed = await opened(folder);
    const kept = listed.files.find(({ name }) => name === 'early.wav');
    folder.files.delete('early.png');
    folder.put('portrait-20260501-130000.run.json', savedRun(noon + 3_600_000, ['new.png']));
    await listed.read();
    expect(listed.names).toEqual(['new.png', 'late.png', 'early.wav']);
    expect(listed.files).toContain(kept);
  });

  it('reads a changed record again, and the outputs that it had keep their ID', async () => {
    const folder = twoRuns();
    const listed = await opened(folder);
    const before = listed.files[0]?.id;
    folder.put('portrait-20260501-120000.run.json', savedRun(noon, ['late.png', 'later.png']));
    await listed.touched('portrait-20260501-120000.run.json');
    expect(listed.names).toContain('later.png');
    expect(listed.files.find(({ name }) => name === 'late.png')?.id).toBe(before);
  });

  it('brings back a file that was restored', async () => {
    const folder = twoRuns();
    const listed = await opened(folder);
    const bytes = folder.files.get('late.png') ?? Buffer.from('');
    folder.files.delete('late.png');
    await listed.read();
    folder.files.set('late.png', bytes);
    await listed.read();
    expect(listed.names).toContain('late.png');
  });
});

it('is the same in two stores over one folder, of which one is ahead of the disk while it works on a run', async () => {
  const folder = twoRuns();
  const [one, other] = [await opened(folder), await opened(folder)];
  const place = { folder: '/0', record: 'portrait-20260501-120000.run.json' };
  const record = savedRun(noon, ['late.png', 'later.png'], { state: 'submitted', job: 'late' });
  one.runs.setActivity(place, { kind: 'saving' });
  one.runs.put(place, tellRun({ place, runs: one.runs, originOf: () => ({}) }, record));
  await one.touched(place.record);
  expect([one.runs.get(place)?.phase, one.names.length]).toEqual([{ kind: 'saving' }, 4]);
  folder.put(place.record, record);
  await other.touched(place.record);
  one.runs.setActivity(place, undefined);
  for (const { runs } of [one, other])
    expect(runs.get(place)?.phase).toEqual({ kind: 'owed', why: 'notFollowed' });
  expect(other.names).toEqual(one.names);
});

it('is owed as the last attempt left it, while a pointer that can be read names it', async () => {
  const folder = new RunFolder();
  const place = { folder: '/0', record: 'portrait-20260501-120000.run.json' };
  folder.put(place.record, savedRun(noon, [], { state: 'submitted', job: 'late', promptId: 'sent' }));
  const { runs } = await opened(folder);
  const run = () => runs.get(place) ?? expect.fail();
  const storage = new MemoryStorage();
  const pointers = new RunPointers(storage, { guard: (write) => write.then(() => true) });
  runs.follow(pointers);
  const { server, label } = run().facts;
  const sent = {
    ...place,
    promptId: 'sent',
    server,
    serverName: 'One',
    isSandbox: false,
    label,
    sentAt: noon,
  };
  const left = { kind: 'owed', why: 'serverAway', error: new Error('away') } as const;
  await pointers.put({ ...sent, promptId: 'of another branch' });
  pointers.setLeft({ promptId: 'of another branch' }, left);
  expect([run().isOurs, run().phase]).toEqual([false, { kind: 'owed', why: 'notFollowed' }]);
  await pointers.settle({ ...sent, promptId: 'of another branch' });
  await pointers.put(sent);
  pointers.setLeft(sent, left);
  expect([run().isOurs, run().phase]).toEqual([true, left]);
  runs.setActivity(place, { kind: 'following' });
  expect(run().phase.kind).toBe('queued');
  runs.setActivity(place, undefined);
  for (const name of storage.files.keys()) await storage.write(name, '{"format":2}');
  await pointers.read();
  expect([run().isOurs, run().phase]).toEqual([false, { kind: 'owed', why: 'notFollowed' }]);
});

it('counts the run records that are not read, until they are gone or whole', async () => {
  const folder = twoRuns();
  const good = folder.files.get('portrait-20260501-120000.run.json') ?? Buffer.from('');
  folder.files.set('portrait-20260501-120000.run.json', Buffer.from('{"format": 3'));
  folder.files.set('b.run.json', Buffer.from('[]'));
  const listed = await opened(folder);
  expect([listed.names, listed.index.unread]).toEqual([['early.wav', 'early.png'], 2]);
  folder.files.delete('b.run.json');
  folder.files.set('portrait-20260501-120000.run.json', good);
  await listed.touched('portrait-20260501-120000.run.json');
  expect([listed.names, listed.index.unread]).toEqual([['late.png', 'early.wav', 'early.png'], 0]);
});

it('lists a bounded number of runs and outputs and says that there are more', async () => {
  const fewRuns = new Folders([twoRuns()], { records: 1, outputs: 10 });
  await fewRuns.read();
  expect([fewRuns.names, fewRuns.index.isCut]).toEqual([['late.png'], true]);
  const fewOutputs = new Folders([twoRuns()], { records: 10, outputs: 2 });
  await fewOutputs.read();
  expect([fewOutputs.names, fewOutputs.index.isCut]).toEqual([['late.png', 'early.png'], true]);
});

describe('the outputs of a folder that someone else filled', () => {
  it('are files, not links that may lead to a device', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'comfy-deck-'));
    try {
      const record = writeRunRecord(savedRun(noon, ['own.png', 'linked.png', 'endless.png', 'folder.png']));
      writeFileSync(path.join(root, 'a-20260501-120000.run.json'), record);
      writeFileSync(path.join(root, 'own.png'), '');
      symlinkSync(path.join(root, 'own.png'), path.join(root, 'linked.png'));
      symlinkSync('/dev/zero', path.join(root, 'endless.png'));
      mkdirSync(path.join(root, 'folder.png'));
      const listed = await opened(new NodeFolder(root));
      expect(listed.names).toEqual(['own.png']);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('have workflow names that hide nothing', async () => {
    const folder = new RunFolder();
    folder.put('a-20260501-090000.run.json', savedRun(morning, ['a.png'], { label: 'a\u202e\nb.json' }));
    const listed = await opened(folder);
    expect(listed.runs.runs.map(({ facts }) => facts.label)).toEqual(['a b.json']);
  });
});
