import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { GitFailure } from '../../../../src/core/runs/runGit';
import { budgets } from '../../../../src/core/safety/budgets';
import {
  type Commit,
  listFileCommits,
  index,
  readFileVersion,
} from '../../../../src/host/compare/fileVersions';
import { unusableName } from '../../../../src/core/safety/paths';
import { notOnWindows } from '../../../support/notOnWindows';

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'comfy-deck-versions-'));
  folders.push(folder);
  return folder;
}

function git(root: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgSign=false'];
  return execFileSync('git', ['-C', root, ...identity, ...args]).toString();
}

async function repository(): Promise<string> {
  const root = await emptyFolder();
  git(root, 'init', '--quiet');
  return root;
}

async function commit(root: string, name: string, text: string, subject: string): Promise<string> {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  git(root, '--literal-pathspecs', 'add', '--', name);
  git(root, 'commit', '--quiet', '-m', subject);
  return file;
}

/** The text of a version; undefined if the file isn't there. */
async function textOf(file: string, version: Commit | 'index' | undefined): Promise<string | undefined> {
  if (!version) throw new Error('There is no such commit.');
  const bytes = await readFileVersion(file, version, 'git');
  return bytes && new TextDecoder().decode(bytes);
}

const canBe = (name: string): boolean =>
  !notOnWindows('such names are refused there') || unusableName(name) === undefined;

describe('the versions of a file in Git', () => {
  it('are its own commits with their subjects, newest first, and the index', async () => {
    const root = await repository();
    const file = await commit(root, 'flows/a.json', 'one', 'Begin: "quoted" 雪');
    await commit(root, 'other.json', 'x', 'Something else');
    await commit(root, 'flows/a.json', 'two', 'Continue');
    await writeFile(file, 'three');
    git(root, 'add', '--', 'flows/a.json');
    await writeFile(file, 'four');
    const commits = (await listFileCommits(file, 'git')) ?? [];
    expect(commits.map(({ subject }) => subject)).toEqual(['Continue', 'Begin: "quoted" 雪']);
    expect(Math.abs((commits[0]?.time ?? 0) - Date.now())).toBeLessThan(600_000);
    const texts = await Promise.all(commits.map((each) => textOf(file, each)));
    expect([...texts, await textOf(file, index)]).toEqual(['two', 'one', 'three']);
  });

  const names = [
    '-x.json',
    '--output=pwned.json',
    ':(top)a.json',
    '*.json',
    'a b\t"c".json',
    "雪 'n' $(touch pwned).json",
    'dir: x/^{tree}~1.json',
  ];
  it.each(names.filter(canBe))('are found for the name %j', async (name) => {
    const root = await repository();
    await commit(root, 'decoy.json', 'decoy', 'Decoy');
    const file = await commit(root, name, 'mine', 'Mine');
    const commits = (await listFileCommits(file, 'git')) ?? [];
    expect(commits.map(({ subject }) => subject)).toEqual(['Mine']);
    expect(await textOf(file, commits[0])).toBe('mine');
    expect(await textOf(file, index)).toBe('mine');
    expect(existsSync(path.join(root, 'pwned'))).toBe(false);
  });

  const long = '{"a": 1,\n"b": 2,\n"c": 3,\n"d": 4,\n"e": 5,\n';

  const renames = [
    ['old.json', 'flows/new.json'],
    ['deep/-x.json', '--output=pwned.json'],
    [':(top)a.json', 'deep/*.json'],
    ['a b\t"c"\n\nd.json', "雪 'n' $(touch pwned).json"],
    ['a'.repeat(40), 'deep/1700000000'],
  ] as const;
  it.each(renames.filter((each) => each.every(canBe)))(
    'go back to before %j was renamed %j',
    async (earlier, later) => {
      const root = await repository();
      await commit(root, 'decoy.json', 'decoy', 'Decoy');
      await commit(root, earlier, `${long}one`, 'Add');
      await commit(root, earlier, `${long}two`, 'Change');
      await mkdir(path.dirname(path.join(root, later)), { recursive: true });
      git(root, '--literal-pathspecs', 'mv', '--', earlier, later);
      const file = await commit(root, later, `${long}three`, 'Rename');
      const commits = (await listFileCommits(file, 'git')) ?? [];
      expect(commits.map(({ subject, path: then }) => [subject, then])).toEqual([
        ['Rename', later],
        ['Change', earlier],
        ['Add', earlier],
      ]);
      const texts = await Promise.all(commits.map((each) => textOf(file, each)));
      expect(texts).toEqual(['three', 'two', 'one'].map((end) => long + end));
      expect(existsSync(path.join(root, 'pwned'))).toBe(false);
    },
  );

  it('include a merge that changed the file before it was renamed', async () => {
    const root = await repository();
    await commit(root, 'old.json', `${long}one`, 'Add');
    git(root, 'checkout', '--quiet', '-b', 'side');
    await commit(root, 'old.json', `${long}side`, 'Side');
    git(root, 'checkout', '--quiet', '-');
    await commit(root, 'old.json', `${long}main`, 'Main');
    git(root, 'merge', '--quiet', '--no-commit', '--strategy=ours', 'side');
    await commit(root, 'old.json', `${long}both`, 'Merge');
    git(root, 'mv', 'old.json', 'new.json');
    const file = await commit(root, 'new.json', `${long}new`, 'Rename');
    const commits = (await listFileCommits(file, 'git')) ?? [];
    const merge = commits.find(({ subject }) => subject === 'Merge');
    expect(await textOf(file, merge)).toBe(`${long}both`);
    const side = commits.find(({ subject }) => subject === 'Side');
    expect(await textOf(file, side)).toBe(`${long}side`);
  });

  it('are the latest where a partial clone lacks what a rename is seen by', async () => {
    const root = await repository();
    await commit(root, 'old.json', `${long}one`, 'Add');
    const blob = git(root, 'rev-parse', 'HEAD:old.json').trim();
    git(root, 'mv', 'old.json', 'new.json');
    const file = await commit(root, 'new.json', `${long}two`, 'Rename');
    await rm(path.join(root, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    const [latest] = (await listFileCommits(file, 'git')) ?? [];
    expect(latest?.subject).toBe('Rename');
    expect(await textOf(file, latest)).toBe(`${long}two`);
  });

  it('are there for a file that was deleted with its folder, and lack it where it was', async () => {
    const root = await repository();
    await commit(root, 'kept.json', 'x', 'Keep');
    const file = await commit(root, 'gone/deep/a.json', 'one', 'Add');
    git(root, 'rm', '--quiet', '-r', 'gone');
    git(root, 'commit', '--quiet', '-m', 'Delete');
    const [deleted, added] = (await listFileCommits(file, 'git')) ?? [];
    expect(await textOf(file, deleted)).toBeUndefined();
    expect(await textOf(file, added)).toBe('one');
    expect(await textOf(file, index)).toBeUndefined();
  });

  it('are none before the first commit, and unknown outside of a repository', async () => {
    const root = await repository();
    await writeFile(path.join(root, 'a.json'), 'one');
    expect(await listFileCommits(path.join(root, 'a.json'), 'git')).toEqual([]);
    expect(await listFileCommits(path.join(await emptyFolder(), 'a.json'), 'git')).toBeUndefined();
  });

  it('need Git', async () => {
    const file = path.join(await repository(), 'a.json');
    await expect(listFileCommits(file, 'no-such-program')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('are refused when they are too large', async () => {
    const root = await repository();
    const file = await commit(root, 'large.json', ' '.repeat(budgets.gitFile + 1), 'Large');
    await expect(readFileVersion(file, index, 'git')).rejects.toMatchObject({
      code: 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER',
    });
  });
});

describe('a repository that wants a program started', () => {
  /** A program that leaves a trace. */
  async function trap(root: string): Promise<{ readonly program: string; readonly trace: string }> {
    const trace = path.join(root, 'pwned');
    const program = path.join(root, '.git', 'trap.sh');
    await writeFile(program, `#!/bin/sh\necho "$0 $*" >> '${trace}'\ncat 2>/dev/null\nexit 0\n`);
    await chmod(program, 0o755);
    return { program, trace };
  }

  it.each([
    ['a textconv', ['diff.trap.textconv'], '*.json diff=trap'],
    ['an external diff', ['diff.external', 'diff.trap.command'], '*.json diff=trap'],
    ['a filter', ['filter.trap.smudge', 'filter.trap.clean', 'filter.trap.process'], '*.json filter=trap'],
    ['a pager', ['core.pager', 'pager.log', 'pager.cat-file', 'pager.rev-parse'], ''],
    ['a file watcher', ['core.fsmonitor'], ''],
    ['a signature check', ['gpg.program', 'gpg.ssh.program', 'gpg.x509.program'], ''],
    ['an editor, a question or a connection', ['core.editor', 'core.askPass', 'core.sshCommand'], ''],
    ['an alias', ['alias.log', 'alias.cat-file'], ''],
  ])('gets none by %s', async (_name, keys, attributes) => {
    const root = await repository();
    const file = await commit(root, 'a.json', 'one', 'Add');
    // A commit with a signature, which `log.showSignature` would have checked.
    const tree = git(root, 'rev-parse', 'HEAD^{tree}').trim();
    const person = 'Ada <ada@example.com> 1700000000 +0000';
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----';
    const raw = `tree ${tree}\nauthor ${person}\ncommitter ${person}\n${signature}\n\nSigned\n`;
    await writeFile(path.join(root, '.git', 'raw'), raw);
    const signed = git(root, 'hash-object', '-t', 'commit', '-w', path.join(root, '.git', 'raw')).trim();
    git(root, 'reset', '--quiet', '--soft', signed);

    const { program, trace } = await trap(root);
    git(root, 'config', 'log.showSignature', 'true');
    git(root, 'config', 'log.follow', 'true');
    for (const key of keys) git(root, 'config', key, key.startsWith('alias.') ? `!${program}` : program);
    await writeFile(path.join(root, '.gitattributes'), attributes);
    for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction']) {
      await writeFile(path.join(root, '.git', 'hooks', hook), await readFile(program));
      await chmod(path.join(root, '.git', 'hooks', hook), 0o755);
    }
    const [only] = (await listFileCommits(file, 'git')) ?? [];
    expect(only?.subject).toBe('Signed');
    expect(await textOf(file, only)).toBe('one');
    expect(await textOf(file, index)).toBe('one');
    expect(existsSync(trace) ? await readFile(trace, 'utf8') : 'nothing').toBe('nothing');
  });

  it('gets none for an object that it lacks and wants fetched', async () => {
    const root = await repository();
    const file = await commit(root, 'a.json', 'one', 'Add');
    const { program, trace } = await trap(root);
    for (const [key, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', root],
      ['remote.origin.uploadpack', program],
      ['protocol.allow', 'always'],
    ] as const) {
      git(root, 'config', key, value);
    }
    const [only] = (await listFileCommits(file, 'git')) ?? [];
    const blob = git(root, 'rev-parse', 'HEAD:a.json').trim();
    await rm(path.join(root, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    if (!only) throw new Error('There is no commit.');
    await expect(readFileVersion(file, only, 'git')).rejects.toBeInstanceOf(GitFailure);
    expect(existsSync(trace)).toBe(false);
  });

  it('gets none as a folder that looks like a bare repository', async () => {
    const root = await emptyFolder();
    git(root, 'init', '--quiet', '--bare');
    await writeFile(path.join(root, 'a.json'), 'one');
    await expect(listFileCommits(path.join(root, 'a.json'), 'git')).rejects.toBeInstanceOf(GitFailure);
  });
});
