import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { temporaryName } from '../../../src/core/outputs/temporaryName';
import { writeWhole } from '../../../src/core/outputs/writeWhole';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'parts-'));
  onTestFinished(() => rm(root, { recursive: true }));
});

/** The name that another process would have used. */
function nameOf(change: { readonly place?: string; readonly pid?: number; readonly start?: string }): string {
  const [, place, pid, start, rest] =
    /^\.comfy-deck-([0-9a-f]{8})-(\d+)-(\d+)-(.*)$/.exec(temporaryName()) ?? [];
  return `.comfy-deck-${change.place ?? place}-${change.pid ?? pid}-${change.start ?? start}-${rest}`;
}

async function put(name: string, age = 0): Promise<string> {
  await writeFile(path.join(root, name), 'half');
  const then = Date.now() / 1000 - age;
  await utimes(path.join(root, name), then, then);
  return name;
}

/** The content of the folder after something was saved into it. */
async function left(): Promise<string[]> {
  await writeWhole(new NodeFolder(root), 'saved.png', new Uint8Array(1));
  return (await readdir(root)).filter((name) => name !== 'saved.png').sort();
}

/** Above the highest ID that a system gives. */
const unusedId = 2_000_000_000;
const anHour = 3600;

describe('unfinished files', () => {
  it('of a process that is gone are removed with the next save', async () => {
    await put(nameOf({ pid: unusedId }));
    expect(await left()).toEqual([]);
  });

  it('of this window, of another one and of another machine are left alone', async () => {
    const names = [
      await put(temporaryName()),
      await put(nameOf({ pid: process.ppid, start: '0' })),
      await put(nameOf({ place: '00000000', pid: unusedId }), 23 * anHour),
    ];
    expect(await left()).toEqual(names.sort());
  });

  it.runIf(process.platform === 'linux')('of a process whose ID was reused are removed', async () => {
    const stat = await readFile(`/proc/${process.ppid}/stat`, 'utf8');
    const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const alive = await put(nameOf({ pid: process.ppid, start: String(start) }));
    await put(nameOf({ pid: process.ppid, start: String(start + 1) }));
    expect(await left()).toEqual([alive]);
  });

  it('untouched for a day are removed, whoever created them', async () => {
    await put(nameOf({ place: '00000000' }), 25 * anHour);
    await put(temporaryName(), 25 * anHour);
    expect(await left()).toEqual([]);
  });

  it('are distinguished from other files', async () => {
    const names = [await put('video.part', 99 * anHour), await put('.comfy-deck-notes.part', 99 * anHour)];
    expect(await left()).toEqual(names.sort());
  });
});
