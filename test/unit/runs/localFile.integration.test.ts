import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askWhetherIgnored, findLocalFile, describeLocalMedia } from '../../../src/core/runs/localFile';
import { isHidden } from '../../../src/core/safety/paths';

/** A workspace with these files. */
async function workspaceWith(...names: string[]): Promise<string> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'files-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const name of names) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), name);
  }
  return root;
}

async function marksOf(root: string, folder: string, name: string) {
  const query = { root, folder: path.join(root, folder), name };
  const file = await findLocalFile(query);
  return file ? (await describeLocalMedia(file, query, name)).marks : 'not found';
}

describe('the file that a workflow names', () => {
  it('is looked for next to the workflow first, then at the root of the workspace', async () => {
    const root = await workspaceWith('flows/input/a.png', 'a.png', 'inputs/b.png', 'flows/c.png');
    const find = async (name: string): Promise<string | undefined> =>
      (await findLocalFile({ root, folder: path.join(root, 'flows'), name }))?.path;
    expect(await find('a.png')).toBe(path.join(root, 'flows/input/a.png'));
    expect(await find('b.png')).toBe(path.join(root, 'inputs/b.png'));
    expect(await find('c.png')).toBe(path.join(root, 'flows/c.png'));
    expect(await find('d.png')).toBeUndefined();
    expect(await find('../a.png')).toBeUndefined();
  });

  it("is marked when it is outside the workflow's folder, also through a link", async () => {
    const root = await workspaceWith('flows/a.png', 'b.png', 'flows/deep/c.png');
    await symlink(path.join(root, 'b.png'), path.join(root, 'flows/link.png'));
    expect(await marksOf(root, 'flows', 'a.png')).toEqual([]);
    expect(await marksOf(root, 'flows', 'deep/c.png')).toEqual([]);
    expect(await marksOf(root, 'flows', 'b.png')).toEqual(['outsideFolder']);
    expect(await marksOf(root, 'flows', 'link.png')).toEqual(['outsideFolder']);
  });

  it('is marked when it or a folder around it is hidden, also behind a link', async () => {
    const root = await workspaceWith('.a.png', '.cache/b.png', '.cache/c.png');
    await symlink(path.join(root, '.cache/c.png'), path.join(root, 'plain.png'));
    expect(await marksOf(root, '', '.a.png')).toEqual(['hidden']);
    expect(await marksOf(root, '', '.cache/b.png')).toEqual(['hidden']);
    expect(await marksOf(root, '', 'plain.png')).toEqual(['hidden']);
    expect(isHidden('a/../b.png')).toBe(false);
  });

  it('is not found outside the workspace, through a link to a file or folder', async () => {
    const root = await workspaceWith('flows/w.json');
    const outside = await workspaceWith('secret.png');
    await symlink(path.join(outside, 'secret.png'), path.join(root, 'flows/a.png'));
    await symlink(outside, path.join(root, 'flows/input'));
    expect(await marksOf(root, 'flows', 'a.png')).toBe('not found');
    expect(await marksOf(root, 'flows', 'secret.png')).toBe('not found');
  });

  it('is marked when Git ignores it', async () => {
    const root = await workspaceWith('a.png', 'build/b.png', 'build/kept.png');
    await writeFile(path.join(root, '.gitignore'), 'build/\n');
    execFileSync('git', ['init', '--quiet', root]);
    execFileSync('git', ['-C', root, 'add', '--force', 'build/kept.png']);
    expect(await marksOf(root, '', 'a.png')).toEqual([]);
    expect(await marksOf(root, '', 'build/b.png')).toEqual(['gitIgnored']);
    expect(await marksOf(root, '', 'build/kept.png'), 'Git tracks it').toEqual([]);
  });

  it('is marked when it is in a repository and Git is not available', async () => {
    const root = await workspaceWith('a.png', '.git/config');
    const without = (file: string): ReturnType<typeof askWhetherIgnored> =>
      askWhetherIgnored(file, 'no-such-program');
    const query = { root, folder: root, name: 'a.png' };
    const file = await findLocalFile(query);
    if (!file) throw new Error('not found');
    expect((await describeLocalMedia(file, query, 'a.png', without)).marks).toEqual(['gitUnknown']);
    await rm(path.join(root, '.git'), { recursive: true });
    expect((await describeLocalMedia(file, query, 'a.png', without)).marks).toEqual([]);
  });
});
