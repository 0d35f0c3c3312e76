import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { outputErrorOf } from '../../../src/core/outputs/outputError';

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

describe('NodeFolder', () => {
  it('creates its folder with the first file and returns the path', async () => {
    expect(await folder.exists('a.txt')).toBe(false);
    await put('a.txt', 'abc');
    expect(await folder.exists('a.txt')).toBe(true);
    expect(await readFile(folder.location('a.txt'), 'utf8')).toBe('abc');
  });

  it('counts the bytes written', async () => {
    const sink = await folder.create('a.bin');
    await sink.write(new Uint8Array(70_000));
    await sink.write(new Uint8Array(5));
    expect(sink.size).toBe(70_005);
    await sink.close();
  });

  it('renames, but never over an existing file', async () => {
    await put('a.part', 'new');
    await put('taken.txt', 'old');
    await expect(folder.rename('a.part', 'taken.txt')).rejects.toMatchObject({ reason: 'exists' });
    expect(await readFile(path.join(root, 'taken.txt'), 'utf8')).toBe('old');
    await folder.rename('a.part', 'free.txt');
    expect((await readdir(root)).sort()).toEqual(['free.txt', 'taken.txt']);
  });

  it('lists its files, and none before it exists', async () => {
    expect(await folder.list()).toEqual([]);
    await put('b.txt', '');
    await put('a.txt', '');
    expect([...(await folder.list())].sort()).toEqual(['a.txt', 'b.txt']);
  });

  it('replaces a file with a newer version', async () => {
    await put('a.part', 'new');
    await put('a.run.json', 'old');
    await folder.replace('a.part', 'a.run.json');
    expect(await readdir(root)).toEqual(['a.run.json']);
    expect(await readFile(path.join(root, 'a.run.json'), 'utf8')).toBe('new');
  });

  it('does not open an existing file', async () => {
    await put('a.txt', 'old');
    await expect(folder.create('a.txt')).rejects.toMatchObject({ reason: 'exists' });
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

  it('removes a file, and treats a missing one as removed', async () => {
    await put('a.txt', 'abc');
    await folder.remove('a.txt');
    await folder.remove('a.txt');
    expect(await readdir(root)).toEqual([]);
  });

  it('reports a file in place of the folder', async () => {
    await writeFile(path.join(base, 'made'), '');
    await expect(folder.create('a.txt')).rejects.toMatchObject({ reason: 'notWritable' });
  });
});

describe('outputErrorOf', () => {
  it.each([
    ['ENOSPC', 'diskFull'],
    ['EDQUOT', 'diskFull'],
    ['EROFS', 'notWritable'],
    ['EACCES', 'notWritable'],
    ['EIO', 'other'],
  ])('puts %s into one sentence with a next step', (code, reason) => {
    const error = outputErrorOf(Object.assign(new Error(`${code}: /secret/path`), { code }), 'a.png');
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(/^[A-Za-z].*\.$/);
    expect(error.message).not.toContain('/secret');
    expect(error.nextAction).toMatch(/\.$/);
  });
});
