import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { removeFolder } from '../../../src/core/outputs/changeFile';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { holdStamp, removeUnfinished } from '../../../src/core/outputs/ownerStamp';
import { temporaryFileOwner, ownStampName, temporaryName } from '../../../src/core/outputs/temporaryName';
import { MemoryFolder } from './memoryFolder';

const lifetime = 5_500;

/** A program of this machine or another one, with an unfinished file. */
function program(folder: MemoryFolder): {
  readonly part: string;
  readonly stamp: string;
  readonly renew: () => void;
} {
  const [id, part] = [randomUUID(), randomUUID()];
  const names = { part: `.comfy-deck-${id}-${part}.part`, stamp: `.comfy-deck-${id}.stamp` };
  folder.files.set(names.part, Buffer.from('half'));
  return { ...names, renew: () => folder.files.set(names.stamp, Buffer.from(randomUUID())) };
}

async function sweep(folder: MemoryFolder): Promise<void> {
  const swept = removeUnfinished(folder);
  await vi.advanceTimersByTimeAsync(lifetime);
  await swept;
}

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] }),
);
afterEach(() => vi.useRealTimers());

describe('unfinished files', () => {
  it('of a program that is gone are removed with its stamp, whatever became of its process ID', async () => {
    const folder = new MemoryFolder();
    program(folder).renew();
    program(folder);
    await sweep(folder);
    expect(folder.names).toEqual([]);
  });

  it('of a program that works are left alone, on this machine or another one', async () => {
    const folder = new MemoryFolder();
    const { part, stamp, renew } = program(folder);
    renew();
    const timer = setInterval(renew, 1_000);
    await sweep(folder);
    expect(folder.names).toEqual([part, stamp].sort());
    clearInterval(timer);
    await sweep(folder);
    expect(folder.names).toEqual([]);
  });

  it('of this program are left alone', async () => {
    const folder = new MemoryFolder();
    const part = temporaryName();
    folder.files.set(part, Buffer.from('half'));
    const letGo = await holdStamp(folder);
    await sweep(folder);
    expect(folder.names).toEqual([part, ownStampName].sort());
    await letGo();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are distinguished from other files', async () => {
    const folder = new MemoryFolder();
    const names = ['video.part', '.comfy-deck-notes.part', `.comfy-deck-${randomUUID()}.part`];
    for (const name of names) folder.files.set(name, Buffer.from('mine'));
    await sweep(folder);
    expect(folder.names).toEqual([...names].sort());
  });

  it('say whose they are by no process ID', () => {
    expect(temporaryFileOwner(temporaryName())).toBe(ownStampName);
    expect(temporaryName()).not.toContain(`-${process.pid}-`);
  });
});

describe('the stamp of this program', () => {
  it('never has the same text again, however often it begins', async () => {
    const folder = new MemoryFolder();
    const texts: (string | undefined)[] = [];
    for (let each = 0; each < 3; each++) {
      const letGo = await holdStamp(folder);
      texts.push(await folder.read(ownStampName));
      await letGo();
    }
    expect(new Set(texts).size).toBe(3);
  });

  it('is one, whichever views of a folder hold it, until the last lets go', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'stamps-'));
    onTestFinished(() => removeFolder(root));
    const [first, second] = [await holdStamp(new NodeFolder(root)), await holdStamp(new NodeFolder(root))];
    await first();
    expect(await readdir(root)).toEqual([ownStampName]);
    await second();
    expect(await readdir(root)).toEqual([]);
  });
});
