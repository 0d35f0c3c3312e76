import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi, describe } from 'vitest';
import type { OutputSource } from '../../../src/core/outputs/downloadOutput';
import { TemporaryFiles } from '../../../src/core/outputs/temporaryFiles';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { ServerError } from '../../../src/core/protocol/serverError';
import { budgets } from '../../../src/core/safety/budgets';
import { removeFolder } from '../../../src/core/outputs/changeFile';
import {
  holdStamp,
  ownStampName,
  removeUnfinished,
  temporaryFileOwner,
  temporaryName,
} from '../../../src/core/outputs/ownerStamp';
import { MemoryFolder } from './memoryFolder';
import { fakeTimers } from '../jobs/trackerTime';

const signal = new AbortController().signal;

function preview(filename: string): OutputFile {
  return { filename, subfolder: '', area: 'temp', nodeId: '4', media: 'image' };
}

/** Gives each file this many bytes; files named `gone.png` do not exist. */
function server(length = 4): OutputSource & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    view: ({ filename }) => {
      asked.push(filename);
      if (filename === 'gone.png') throw new ServerError('Gone.', { reason: 'notFound', endpoint: 'view' });
      const body = new Blob([new Uint8Array(length)]).stream();
      return Promise.resolve({ body, size: length, resumable: false });
    },
  };
}

async function world(most?: number) {
  const parent = await mkdtemp(path.join(tmpdir(), 'temporary-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const told: string[] = [];
  return { parent, told, files: new TemporaryFiles(parent, (id) => told.push(id), most) };
}

it('keeps outputs that are only shown until the window closes, and fetches each once', async () => {
  const { parent, files, told } = await world();
  const source = server();
  await files.fetch('job', [preview('a.png'), preview('b.png')], source, signal);
  await files.fetch('job', [preview('b.png'), preview('a.png')], source, signal);
  expect(source.asked).toEqual(['a.png', 'b.png']);
  await Promise.all([1, 2].map(() => files.fetch('job', [preview('c.png')], source, signal)));
  expect(await readdir(files.folder)).toHaveLength(3);
  expect(await readFile(files.find('job', preview('a.png')) ?? '')).toHaveLength(4);
  expect(files.find('other', preview('a.png'))).toBeUndefined();
  expect(told).toContain('job');
  expect(files.isFetching('job')).toBe(false);
  await files.close();
  expect(await readdir(parent)).toEqual([]);
});

it('shows the others when one is gone, and reports which failed', async () => {
  const { files } = await world();
  const all = [preview('gone.png'), preview('a.png')];
  await expect(files.fetch('job', all, server(), signal)).rejects.toThrow('Gone.');
  expect(files.find('job', preview('a.png'))).toBeDefined();
  expect(files.find('job', preview('gone.png'))).toBeUndefined();
});

it('lets no name from a server leave the folder or run when opened', async () => {
  const { files } = await world();
  const hostile = [preview('../../a.png'), preview('run.exe')];
  await files.fetch('job', hostile, server(), signal);
  expect(await readdir(files.folder)).toHaveLength(2);
  expect(files.find('job', preview('run.exe'))).toMatch(/\.exe\.txt$/);
});

it('makes room by removing the job fetched first', async () => {
  const { files } = await world(8);
  for (const job of ['1', '2', '3']) await files.fetch(job, [preview('a.png')], server(), signal);
  expect(files.find('1', preview('a.png'))).toBeUndefined();
  expect(files.find('3', preview('a.png'))).toBeDefined();
  expect(await readdir(files.folder)).toHaveLength(2);
});

it('limits one job to the total limit', async () => {
  const { files } = await world(10);
  const all = ['a.png', 'b.png', 'c.png'].map(preview);
  const words = 'The temporary outputs of this job are larger than 10 bytes, so not all of them are shown.';
  await expect(files.fetch('job', all, server(), signal)).rejects.toThrow(words);
  expect(await readdir(files.folder)).toHaveLength(2);
});

it('does not fetch a file too large to be shown', async () => {
  const { files } = await world();
  const body = new Blob(['x']).stream();
  const size = budgets.temporaryBytes + 1;
  const large: OutputSource = { view: () => Promise.resolve({ body, size, resumable: false }) };
  const words = 'The temporary outputs of this job are larger than 2.0 GB, so not all of them are shown.';
  await expect(files.fetch('job', [preview('a.png')], large, signal)).rejects.toThrow(words);
  expect(await readdir(files.folder)).toEqual([]);
});

it('removes only what killed programs left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { parent, files } = await world();
  const dead = `.comfy-deck-${randomUUID()}-${randomUUID()}.part`;
  for (const name of [dead, 'other']) await mkdir(path.join(parent, name));
  const own = new NodeFolder(parent);
  await files.fetch('job', [preview('a.png')], server(), signal);
  for (let look = 0; look < 40; look++) {
    await vi.advanceTimersByTimeAsync(250);
    await own.list();
  }
  vi.useRealTimers();
  await expect.poll(() => readdir(parent)).not.toContain(dead);
  expect((await readdir(parent)).sort()).toEqual([path.basename(files.folder), ownStampName, 'other'].sort());
  await files.close();
  expect(await readdir(parent)).toEqual(['other']);
});

describe('files that are not finished', () => {
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

  fakeTimers();

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
});
