import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withAttribute } from '../../../src/cli/gitSetupCommand';
import { removeFolder } from '../../../src/core/outputs/changeFile';
import { withoutNetwork } from './withoutNetwork';

/** Does it in a folder, and returns what it wrote and its exit code. */
async function setUp(folder: string, pattern: string): Promise<{ said: string; code: number }> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { code, err } = await withoutNetwork('git-setup', pattern);
    return { said: err, code };
  } finally {
    process.chdir(before);
  }
}

async function folderHere(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'git-setup-'));
  onTestFinished(() => removeFolder(root));
  return root;
}

describe('git-setup', () => {
  it('makes Git compare the files, from any folder of the repository, and does it once', async () => {
    const root = await folderHere();
    execFileSync('git', ['init', '-q', root]);
    await mkdir(path.join(root, 'sub'));
    expect(await setUp(path.join(root, 'sub'), 'my flows\\*.json')).toMatchObject({ code: 0 });
    expect(await setUp(root, 'my flows/*.json')).toMatchObject({ code: 0 });
    expect(await readFile(path.join(root, '.gitattributes'), 'utf8')).toBe('"my flows/*.json" diff=comfy\n');
    const ask = (...args: string[]) =>
      execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
    expect(ask('config', 'diff.comfy.command')).toBe('comfy-deck diff');
    await writeFile(path.join(root, 'sub', 'a.json'), '');
    expect(ask('check-attr', 'diff', 'my flows/a.json')).toMatch(/diff: comfy$/);
    expect(ask('check-attr', 'diff', 'sub/a.json')).toMatch(/unspecified$/);
  });

  it('keeps every byte of attributes in another encoding', async () => {
    const root = await folderHere();
    execFileSync('git', ['init', '-q', root]);
    await writeFile(path.join(root, '.gitattributes'), '# caf\u00e9', 'latin1');
    await setUp(root, '*.json');
    const bytes = await readFile(path.join(root, '.gitattributes'), 'latin1');
    expect(bytes).toBe('# caf\u00e9\n*.json diff=comfy\n');
  });

  it('says where there is no repository', async () => {
    const { said, code } = await setUp(await folderHere(), '*.json');
    expect(code).toBe(1);
    expect(said).toContain('not in a Git repository');
  });
});

describe('the attributes of a repository', () => {
  it.each([
    ['', 'a/*.json diff=comfy\n'],
    ['*.png binary', '*.png binary\na/*.json diff=comfy\n'],
    ['*.png binary\r\n', '*.png binary\r\na/*.json diff=comfy\r\n'],
    ['a/*.json diff=comfy\r\n', 'a/*.json diff=comfy\r\n'],
  ])('%j keep what they have', (old, text) => {
    expect(withAttribute(old, 'a/*.json')).toBe(text);
  });
});
