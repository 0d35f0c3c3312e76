import { stat } from 'node:fs/promises';
import path from 'node:path';
import { GitFailure, runGit } from '../../core/runs/runGit';
import { budgets } from '../../core/safety/budgets';

/** A commit that changed a file. */
export interface Commit {
  readonly hash: string;
  readonly subject: string;
  /** ms */
  readonly time: number;
  /** The path of the file in the repository then: it may have been renamed since. */
  readonly path: string | undefined;
}

/** The name of the index where a commit is expected. */
export const index = 'index';

export function shortHash({ hash }: Pick<Commit, 'hash'>): string {
  return hash.slice(0, 7);
}

/** The commits that changed a file, also before it was renamed, newest first; undefined if it is in no repository. */
export async function listFileCommits(file: string, git: string): Promise<readonly Commit[] | undefined> {
  const { folder, name } = await placeOf(file);
  const limits = { time: budgets.gitTime, bytes: budgets.gitHistory };
  if (!(await isInRepository(folder, git))) return undefined;
  const argsWith = (...more: readonly string[]): string[] => [
    '--literal-pathspecs',
    'log',
    ...more,
    // A repository may name the program that checks signatures.
    '--no-show-signature',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--encoding=UTF-8',
    `--max-count=${budgets.gitCommits}`,
    '-z',
    '--format=%H%x00%ct%x00%<(200,trunc)%s',
    '--',
    name,
  ];
  try {
    const log = (...more: readonly string[]): Promise<Buffer> =>
      runGit(folder, argsWith(...more), limits, git);
    // To see a rename, Git reads files that a partial clone lacks. A merge has names only with -c.
    const written = await log('--follow', '--name-only', '-c').catch(async (error: unknown) => {
      if (error instanceof GitFailure && error.code === 128) return log();
      throw error;
    });
    return readCommits(written.toString());
  } catch (error) {
    // Nothing was committed yet.
    if (error instanceof GitFailure && error.code === 128 && /does not have any commits/.test(error.words))
      return [];
    throw error;
  }
}

/**
 * Reads hash, time and subject of each commit, with a zero character after each. The name of the file follows some: after a
 * line break, or after another zero character for a merge.
 */
function readCommits(text: string): Commit[] {
  const parts = text.split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + 2 < parts.length;) {
    const [hash = '', seconds, subject = '', first = '', second = ''] = parts.slice(at, at + 5);
    const path = first.startsWith('\n') ? first.slice(1) : first === '' ? second : '';
    at += path === '' ? 3 : first === '' ? 5 : 4;
    if (!/^[0-9a-f]{40,64}$/.test(hash)) continue;
    const time = Number(seconds) * 1_000;
    commits.push({ hash, subject: subject.trim(), time, path: path === '' ? commits.at(-1)?.path : path });
  }
  return commits;
}

/** Undefined if it isn't there. Neither filters nor programs of the repository change the content. */
export async function readFileVersion(
  file: string,
  commit: Pick<Commit, 'hash' | 'path'> | typeof index,
  git: string,
): Promise<Uint8Array | undefined> {
  const { folder, name } = await placeOf(file);
  const limits = { time: budgets.gitTime, bytes: budgets.gitFile };
  // Each form names one file, whatever its name contains: below the folder, or in the repository.
  const object =
    commit === index
      ? `:0:./${name}`
      : `${commit.hash}:${commit.path === undefined ? `./${name}` : commit.path}`;
  let hash: string;
  try {
    hash = (await runGit(folder, ['rev-parse', '--verify', '--quiet', object], limits, git)).toString();
  } catch (error) {
    if (error instanceof GitFailure && error.code === 1) return undefined;
    throw error;
  }
  return runGit(folder, ['cat-file', 'blob', hash.trim()], limits, git);
}

async function isInRepository(folder: string, git: string): Promise<boolean> {
  const limits = { time: budgets.gitTime, bytes: budgets.gitHistory };
  try {
    await runGit(folder, ['rev-parse', '--git-dir'], limits, git);
    return true;
  } catch (error) {
    if (error instanceof GitFailure && error.code === 128 && /not a git repository/.test(error.words))
      return false;
    throw error;
  }
}

/** The folder that a deleted file was in may be gone too. */
async function placeOf(file: string): Promise<{ readonly folder: string; readonly name: string }> {
  let folder = path.dirname(file);
  while (path.dirname(folder) !== folder && !(await isFolder(folder))) folder = path.dirname(folder);
  return { folder, name: path.relative(folder, file).split(path.sep).join('/') };
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
