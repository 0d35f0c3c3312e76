import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { reserveStem } from '../../../src/core/records/recordFile';
import { replaceWhole } from '../../../src/core/outputs/writeWhole';
import { MemoryFolder } from '../outputs/memoryFolder';

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

it('creates a record that can be completed in one step', async () => {
  const folder = new MemoryFolder();
  await reserveStem(folder, wanted, record);
  await replaceWhole(folder, `${wanted}.run.json`, Buffer.from('whole'));
  expect(folder.names).toEqual([`${wanted}.run.json`]);
  expect(Buffer.from(folder.files.get(`${wanted}.run.json`) ?? '').toString()).toBe('whole');
});
