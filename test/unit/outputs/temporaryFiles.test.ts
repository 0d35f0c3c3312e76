import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { OutputSource } from '../../../src/core/outputs/downloadOutput';
import { TemporaryFiles } from '../../../src/core/outputs/temporaryFiles';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { ownStampName } from '../../../src/core/outputs/temporaryName';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { ServerError } from '../../../src/core/protocol/serverError';
import { budgets } from '../../../src/core/safety/budgets';

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
