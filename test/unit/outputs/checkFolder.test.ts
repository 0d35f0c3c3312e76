import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkFolder } from '../../../src/core/outputs/checkFolder';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { MemoryFolder } from './memoryFolder';

describe('a folder for outputs', () => {
  it('is tested without leaving anything behind', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'tried-'));
    onTestFinished(() => rm(root, { recursive: true }));
    await checkFolder(new NodeFolder(root));
    expect(await readdir(root)).toEqual([]);
  });

  it('is rejected when a file is in its place', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'tried-'));
    onTestFinished(() => rm(root, { recursive: true }));
    await writeFile(path.join(root, 'outputs'), '');
    await expect(checkFolder(new NodeFolder(path.join(root, 'outputs')))).rejects.toMatchObject({
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
