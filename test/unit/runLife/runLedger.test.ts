import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { RunLedger } from '../../../src/core/runLife/runLedger';
import { createRunEntry } from '../../../src/core/runLife/runEntry';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import type { OutputFolder } from '../../../src/core/outputs/outputFolder';
import { writeRunRecord } from '../../../src/core/records/runRecord';
import { budgets } from '../../../src/core/safety/budgets';
import { RunFolder, savedRun } from '../gallery/galleryRecords';

const morning = new Date(2026, 4, 1, 9, 0, 0).getTime();
const noon = new Date(2026, 4, 1, 12, 0, 0).getTime();

const nothingChanged = (): boolean => false;

async function read(ledger: RunLedger): Promise<void> {
  const pages = ledger.read(100, 100);
  while ((await pages.next()).done !== true);
}

async function opened(...folders: readonly OutputFolder[]): Promise<RunLedger> {
  const ledger = new RunLedger(folders);
  await read(ledger);
  return ledger;
}

function twoRuns(): RunFolder {
  const folder = new RunFolder();
  folder.put('portrait-20260501-090000.run.json', savedRun(morning, ['early.png', 'early.wav']));
  folder.put('portrait-20260501-120000.run.json', savedRun(noon, ['late.png']));
  return folder;
}

function names(ledger: RunLedger): readonly string[] {
  return ledger.files.map(({ name }) => name);
}

describe('the outputs of a folder', () => {
  it('are listed newest first, with the kind of each', async () => {
    const ledger = await opened(twoRuns());
    expect(ledger.files.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
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
    const ledger = await opened(folder);
    expect(
      ledger.files.map(({ label, server, seeds }) => [label.length, server.length, seeds.length]),
    ).toEqual([[200, 200, 50]]);
  });

  it('do not keep the long texts of their records in memory', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const long = (letter: string): string => JSON.parse(JSON.stringify(letter.repeat(500_000))) as string;
    const filesOfOne = (index: number) => {
      const promptText = JSON.stringify({ 1: { inputs: { text: long('t') } } });
      const run = savedRun(morning, ['a.png'], { label: long('l'), server: long('s'), promptText });
      const files = run.files.map((file) => ({ ...file, sha256: long('h') }));
      const place = { folder: 0, record: `${index}.run.json` };
      return createRunEntry(
        place,
        { ...run, files, seeds: { x: long('1') }, batch: { id: long('b'), row: 0 } },
        () => index,
      ).files;
    };
    collect();
    const before = process.memoryUsage().heapUsed;
    const rows = Array.from({ length: 20 }, (_, index) => filesOfOne(index));
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
    expect(rows.flat()).toHaveLength(20);
  });

  it('come in pages, so that the newest are there at once', async () => {
    const ledger = new RunLedger([twoRuns()]);
    const pages = ledger.read(1, 1);
    await pages.next();
    expect(names(ledger)).toEqual(['late.png']);
    await pages.next();
    expect(names(ledger)).toEqual(['late.png', 'early.wav', 'early.png']);
  });

  it('are found by the job of their run, on its server', async () => {
    const folder = twoRuns();
    const server = 'http://127.0.0.1:8188';
    folder.put('b-20260501-130000.run.json', savedRun(noon, ['b.png'], { job: 'job-b', server }));
    const ledger = await opened(folder);
    expect(ledger.ofJob('job-b', server)?.record).toBe('b-20260501-130000.run.json');
    expect(ledger.ofJob('job-b', 'http://127.0.0.1:1')).toBeUndefined();
    folder.files.delete('b-20260501-130000.run.json');
    await ledger.refresh(nothingChanged);
    expect(ledger.ofJob('job-b', server)).toBeUndefined();
  });

  it('are told once, with what of them is on disk, and are as many also when more are listed', async () => {
    const folder = twoRuns();
    folder.files.delete('late.png');
    const seen: string[] = [];
    const ledger = new RunLedger([folder], { records: 1, outputs: 10 }, (_, { files }, isThere) =>
      seen.push(...files.map(({ name }) => `${name}: ${isThere(name)}`)),
    );
    await read(ledger);
    expect(seen.splice(0)).toEqual(['late.png: false']);
    ledger.widen();
    await read(ledger);
    expect([seen, names(ledger), ledger.isCut]).toEqual([[], ['early.wav', 'early.png'], false]);
  });

  it('of one job are those of its newest record, however often each is read', async () => {
    const folder = new RunFolder();
    const server = 'http://127.0.0.1:8188';
    for (const name of ['a-20260501-120000', 'a-20260501-120000 (2)', 'b-20260501-110000'])
      folder.put(`${name}.run.json`, savedRun(noon, [`${name}.png`], { job: 'job', server }));
    const ledger = await opened(folder, folder);
    const newest = { folder: 0, record: 'a-20260501-120000 (2).run.json' };
    expect(ledger.ofJob('job', server)).toMatchObject(newest);
    await ledger.refresh(({ record }) => record !== newest.record);
    expect(ledger.ofJob('job', server)).toMatchObject(newest);
    folder.files.delete(newest.record);
    await ledger.refresh(nothingChanged);
    expect(ledger.ofJob('job', server)).toMatchObject({ folder: 0, record: 'a-20260501-120000.run.json' });
  });

  it('keep the texts of the prompt to search for, cut, but not the prompt', async () => {
    const folder = new RunFolder();
    const text = `A Red Fox ${'x'.repeat(5_000)}`;
    const promptText = JSON.stringify({
      '6': { class_type: 'CLIPTextEncode', inputs: { text, clip: ['4', 1] } },
    });
    folder.put('fox-20260501-090000.run.json', savedRun(morning, ['fox.png'], { promptText }));
    const ledger = await opened(folder);
    const search = ledger.files[0]?.search ?? '';
    expect(search).toMatch(/^a red fox x/);
    expect(search.length).toBeLessThanOrEqual(budgets.shownText);
  });

  it('are left out when they are gone from disk or their record is unreadable', async () => {
    const folder = twoRuns();
    folder.files.delete('early.png');
    folder.files.set('broken-20260501-130000.run.json', Buffer.from('{"format":3'));
    const ledger = await opened(folder);
    expect(names(ledger)).toEqual(['late.png', 'early.wav']);
  });
});

describe('a refresh', () => {
  it('adds a new run, drops a removed file, and keeps the other rows as they are', async () => {
    const folder = twoRuns();
    const ledger = await opened(folder);
    const kept = ledger.files.find(({ name }) => name === 'early.wav');
    folder.files.delete('early.png');
    folder.put('portrait-20260501-130000.run.json', savedRun(noon + 3_600_000, ['new.png']));
    await ledger.refresh(nothingChanged);
    expect(names(ledger)).toEqual(['new.png', 'late.png', 'early.wav']);
    expect(ledger.files).toContain(kept);
  });

  it('reads a changed record again, and the outputs that it had keep their ID', async () => {
    const folder = twoRuns();
    const ledger = await opened(folder);
    const before = ledger.files[0]?.id;
    folder.put('portrait-20260501-120000.run.json', savedRun(noon, ['late.png', 'later.png']));
    await ledger.refresh(({ record }) => record.includes('120000'));
    expect(names(ledger)).toContain('later.png');
    expect(ledger.files.find(({ name }) => name === 'late.png')?.id).toBe(before);
  });

  it('brings back a file that was restored', async () => {
    const folder = twoRuns();
    const ledger = await opened(folder);
    const bytes = folder.files.get('late.png') ?? Buffer.from('');
    folder.files.delete('late.png');
    await ledger.refresh(nothingChanged);
    folder.files.set('late.png', bytes);
    await ledger.refresh(nothingChanged);
    expect(names(ledger)).toContain('late.png');
  });
});

it('counts the run records that are not read, until they are gone or whole', async () => {
  const folder = twoRuns();
  const good = folder.files.get('portrait-20260501-120000.run.json') ?? Buffer.from('');
  folder.files.set('portrait-20260501-120000.run.json', Buffer.from('{"format": 3'));
  folder.files.set('b.run.json', Buffer.from('[]'));
  const ledger = await opened(folder);
  expect([names(ledger), ledger.unread]).toEqual([['early.wav', 'early.png'], 2]);
  folder.files.delete('b.run.json');
  folder.files.set('portrait-20260501-120000.run.json', good);
  await ledger.refresh(() => true);
  expect([names(ledger), ledger.unread]).toEqual([['late.png', 'early.wav', 'early.png'], 0]);
});

it('lists a bounded number of runs and outputs and says that there are more', async () => {
  const fewRuns = new RunLedger([twoRuns()], { records: 1, outputs: 10 });
  await read(fewRuns);
  expect([names(fewRuns), fewRuns.isCut]).toEqual([['late.png'], true]);
  const fewOutputs = new RunLedger([twoRuns()], { records: 10, outputs: 2 });
  await read(fewOutputs);
  expect([names(fewOutputs), fewOutputs.isCut]).toEqual([['late.png', 'early.png'], true]);
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
      const ledger = await opened(new NodeFolder(root));
      expect(names(ledger)).toEqual(['own.png']);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('have workflow names that hide nothing', async () => {
    const folder = new RunFolder();
    folder.put('a-20260501-090000.run.json', savedRun(morning, ['a.png'], { label: 'a\u202e\nb.json' }));
    const ledger = await opened(folder);
    expect(ledger.files.map(({ label }) => label)).toEqual(['a b.json']);
  });
});
