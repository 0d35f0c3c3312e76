import { createHash } from 'node:crypto';
import fs, {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { OutputError, toOutputError } from '../../../src/core/outputs/outputError';
import { notOnWindows } from '../../support/notOnWindows';
import { checkFolder } from '../../../src/core/outputs/checkFolder';
import { MemoryFolder } from './memoryFolder';

let base: string;
let root: string;
let folder: NodeFolder;

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'outputs-'));
  root = path.join(base, 'made', 'later');
  folder = new NodeFolder(root);
});
afterEach(() => rm(base, { recursive: true }));

async function put(name: string, text: string): Promise<void> {
  const sink = await folder.create(name);
  await sink.write(Buffer.from(text));
  await sink.close();
}

function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Until the test ends, the disk answers to hard links with this code. */
function refuseLinks(code: string): void {
  const { link } = fs;
  fs.link = () => Promise.reject(coded(code));
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.link = link;
    syncBuiltinESMExports();
  });
}

/** What every open file does, to be replaced until the test ends. */
async function openFiles(): Promise<FileHandle> {
  onTestFinished(() => void vi.restoreAllMocks());
  const file = await open(base, 'r');
  await file.close();
  return Object.getPrototypeOf(file) as FileHandle;
}

describe('NodeFolder', () => {
  it.skipIf(notOnWindows('links need a right'))('writes no stamp through a link', async () => {
    await put('a.txt', '');
    const outside = path.join(base, 'outside.txt');
    await writeFile(outside, 'mine');
    await symlink(outside, path.join(root, 'link.stamp'));
    await expect(folder.stamp('link.stamp', '2')).rejects.toThrow(OutputError);
    expect(await readFile(outside, 'utf8')).toBe('mine');
    await folder.stamp('own.stamp', '10');
    await folder.stamp('own.stamp', '9');
    expect(await folder.read('own.stamp', 10)).toBe('9');
  });

  it('renames, but never over an existing file', async () => {
    await put('a.part', 'new');
    await put('taken.txt', 'old');
    await expect(folder.rename('a.part', 'taken.txt')).rejects.toMatchObject({ reason: 'exists' });
    expect(await readFile(path.join(root, 'taken.txt'), 'utf8')).toBe('old');
    await folder.rename('a.part', 'free.txt');
    expect((await readdir(root)).sort()).toEqual(['free.txt', 'taken.txt']);
  });

  it.each(['../x', '..', '', 'a/b', 'a\\b', 'C:x', '/etc/x', 'nul', 'x.', 'a\u0000'])(
    'rejects the name %j',
    async (name) => {
      await expect(folder.create(name)).rejects.toMatchObject({ reason: 'unsafeName' });
      await expect(folder.remove(name)).rejects.toMatchObject({ reason: 'unsafeName' });
      await expect(folder.exists(name)).rejects.toMatchObject({ reason: 'unsafeName' });
      expect(() => folder.location(name)).toThrow();
    },
  );

  it('does not follow a symbolic link of that name', async () => {
    const outside = path.join(base, 'outside.txt');
    await writeFile(outside, 'mine');
    await mkdir(root, { recursive: true });
    await symlink(outside, path.join(root, 'trap.txt'));
    await symlink(path.join(base, 'nowhere'), path.join(root, 'dangling.txt'));
    await expect(folder.create('trap.txt')).rejects.toMatchObject({ reason: 'exists' });
    await put('a.part', 'new');
    await expect(folder.rename('a.part', 'dangling.txt')).rejects.toMatchObject({ reason: 'exists' });
    expect(await folder.exists('dangling.txt')).toBe(true);
    expect(await readFile(outside, 'utf8')).toBe('mine');
  });

  it('reads a text of up to so many bytes, and nothing that is no file', async () => {
    await put('a.txt', 'abc');
    await mkdir(path.join(root, 'folder'));
    expect(await folder.read('a.txt', 3)).toBe('abc');
    await expect(folder.read('a.txt', 2)).rejects.toMatchObject({ reason: 'notRead' });
    await expect(folder.read('folder', 1_000_000)).rejects.toMatchObject({ reason: 'notRead' });
    expect(await folder.read('missing.txt', 3)).toBeUndefined();
  });

  it('tells size and hash of a file', async () => {
    const content = 'x'.repeat(200_000);
    await put('a.txt', content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(await folder.fingerprint('a.txt')).toEqual({ bytes: 200_000, sha256 });
    expect(await folder.fingerprint('missing.txt')).toBeUndefined();
  });

  it('tells the free space of its disk, if there is one', async () => {
    expect(await folder.free()).toBeUndefined();
    await put('a.txt', '');
    expect(await folder.free()).toBeGreaterThan(0);
  });

  it('does not try without a hard link after another error', async () => {
    refuseLinks('ENOSPC');
    await put('a.part', 'new');
    await expect(folder.rename('a.part', 'a.txt')).rejects.toMatchObject({ reason: 'diskFull' });
    expect(await readdir(root)).toEqual(['a.part']);
  });

  it('writes what the disk takes piece by piece', async () => {
    const files = await openFiles();
    const { write } = files as { write: (bytes: Uint8Array, at: number, length: number) => Promise<unknown> };
    vi.spyOn(files, 'write').mockImplementation(function (this: FileHandle, bytes: Uint8Array, at: number) {
      return write.call(this, bytes, at, Math.min(2, bytes.length - at));
    } as never);
    await put('a.txt', 'abcde');
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('abcde');
  });

  it.each(['write', 'sync'] as const)('reports a disk that is full at %s', async (step) => {
    const sink = await folder.create('a.txt');
    vi.spyOn(await openFiles(), step).mockRejectedValue(coded('ENOSPC'));
    const work = step === 'write' ? sink.write(Buffer.from('a')) : sink.sync();
    await expect(work).rejects.toMatchObject({ reason: 'diskFull' });
    await sink.close();
  });

  it('does not report a disk that can not flush', async () => {
    vi.spyOn(await openFiles(), 'sync').mockRejectedValue(coded('EINVAL'));
    const sink = await folder.create('a.part');
    await sink.sync();
    await sink.close();
    await folder.rename('a.part', 'a.txt');
    expect(await readdir(root)).toEqual(['a.txt']);
  });

  it('reports what can not be replaced or removed', async () => {
    await mkdir(path.join(root, 'folder'), { recursive: true });
    await expect(folder.replace('missing.part', 'a.txt')).rejects.toMatchObject({ reason: 'missing' });
    await expect(folder.remove('folder')).rejects.toBeInstanceOf(OutputError);
  });
});

describe('outputErrorOf', () => {
  it.each([
    ['ENOSPC', 'diskFull'],
    ['EDQUOT', 'diskFull'],
    ['EROFS', 'notWritable'],
    ['EACCES', 'notWritable'],
    ['EEXIST', 'exists'],
    ['ENOENT', 'missing'],
    ['ENAMETOOLONG', 'nameTooLong'],
    ['EFBIG', 'tooLarge'],
    ['EIO', 'other'],
  ])('puts %s into one sentence with a next step', (code, reason) => {
    const error = toOutputError(Object.assign(new Error(`${code}: /secret/path`), { code }), 'a.png');
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(/^[A-Za-z].*\.$/);
    expect(error.message).not.toContain('/secret');
    expect(error.nextAction).toMatch(/\.$/);
  });

  it('names the code of the system only where nothing else is known', () => {
    const codes = ['ENOSPC', 'EROFS', 'EEXIST', 'ENOENT', 'ENAMETOOLONG', 'EFBIG', 'EIO'];
    const messages = codes.map((code) => toOutputError(coded(code), 'a.png').message);
    expect(messages.filter((message, index) => message.includes(codes[index] ?? ''))).toEqual([
      "a.png couldn't be saved (EIO).",
    ]);
    expect(toOutputError(new Error('?'), 'a.png').message).toBe("a.png couldn't be saved.");
  });
});

describe('a folder for outputs', () => {
  it('is tested without leaving anything behind', async () => {
    await checkFolder(new NodeFolder(base));
    expect(await readdir(base)).toEqual([]);
  });

  it('is rejected when a file is in its place', async () => {
    await writeFile(path.join(base, 'outputs'), '');
    await expect(checkFolder(new NodeFolder(path.join(base, 'outputs')))).rejects.toMatchObject({
      name: 'FolderNotUsableError',
      reason: 'notWritable',
      nextAction: 'Choose an output folder you can write to.',
    });
  });

  it('is rejected when its disk is full, without leaving anything behind', async () => {
    const folder = new MemoryFolder();
    folder.room = 3;
    await expect(checkFolder(folder)).rejects.toMatchObject({ reason: 'diskFull' });
    expect(folder.names).toEqual([]);
  });

  it('does not blame the disk for an error of another kind', async () => {
    const folder = new MemoryFolder();
    const bug = new TypeError('No function.');
    folder.create = () => Promise.reject(bug);
    await expect(checkFolder(folder)).rejects.toBe(bug);
  });
});
