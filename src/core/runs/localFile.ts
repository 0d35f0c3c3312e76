import path from 'node:path';
import { readFile, stat, lstat } from 'node:fs/promises';
import { resolveRealPath } from '../outputs/changeFile';
import { isHidden, isStrange, leadsOutside, pathBelow } from '../safety/paths';
import { budgets } from '../safety/budgets';
import { GitFailure, runGit } from './runGit';
import type { UploadKind } from '../catalog/inputSpec';
import { t } from '../safety/localize';

/** Why a file is not sent without a question that names it. */
export type UploadMark =
  | 'outsideFolder'
  | 'hidden'
  | 'gitIgnored'
  /** It is in a repository, and Git is not available. */
  | 'gitUnknown';

export const markWords = (): Readonly<Record<UploadMark, string>> => ({
  outsideFolder: t`outside the workflow's folder`,
  hidden: t`hidden file`,
  gitIgnored: t`ignored by Git`,
  gitUnknown: t`Git status unknown`,
});

/** Nothing is read before `bytes` is called. */
export interface LocalMedia {
  readonly place: string;
  readonly description: string;
  readonly relative: string;
  /** Bytes. */
  readonly size: number;
  readonly marks: readonly UploadMark[];
  bytes(): Promise<Uint8Array>;
}

export interface UploadQuestion extends Pick<LocalMedia, 'place' | 'description' | 'size' | 'marks'> {
  readonly name: string;
  readonly kinds: readonly UploadKind[];
}

export interface LocalFileQuery {
  /** Nothing outside of this folder is found, not even through a symbolic link. */
  readonly root: string;
  /** Folder of the workflow: `root` or a folder below it. */
  readonly folder: string;
  readonly name: string;
}

export interface LocalFile {
  readonly path: string;
  /** The file itself with links resolved: what is checked is what is read. */
  readonly realPath: string;
  readonly size: number;
}

export const inputFolders = ['', 'input', 'inputs'] as const;

/** Looks next to the workflow and at `root`, and in an `input` or `inputs` folder of either. */
export async function findLocalFile({ root, folder, name }: LocalFileQuery): Promise<LocalFile | undefined> {
  if (leadsOutside(name) || isStrange(name)) return undefined;
  const segments = name.split(/[/\\]/);
  const realRoot = await resolveRealPath(root).catch(() => undefined);
  if (realRoot === undefined) return undefined;
  const files = [...new Set([folder, root])].flatMap((top) =>
    inputFolders.map((place) => fileAt(realRoot, path.join(top, place, ...segments))),
  );
  return (await Promise.all(files)).find((found) => found !== undefined);
}

async function fileAt(realRoot: string, file: string): Promise<LocalFile | undefined> {
  const realPath = await resolveRealPath(file).catch(() => undefined);
  if (realPath === undefined || pathBelow(realRoot, realPath, path) === undefined) return undefined;
  const found = await stat(realPath).catch(() => undefined);
  return found?.isFile() ? { path: file, realPath, size: found.size } : undefined;
}

export async function describeLocalMedia(
  file: LocalFile,
  { root, folder }: LocalFileQuery,
  description: string,
  ask: (file: string) => Promise<GitAnswer> = askWhetherIgnored,
): Promise<LocalMedia> {
  const [realRoot, realFolder] = await Promise.all([resolveRealPath(root), resolveRealPath(folder)]);
  const marks: UploadMark[] = [];
  if (pathBelow(realFolder, file.realPath, path) === undefined) marks.push('outsideFolder');
  if (isHidden(path.relative(root, file.path)) || isHidden(path.relative(realRoot, file.realPath))) {
    marks.push('hidden');
  }
  const answers = new Set<GitAnswer>();
  for (const each of new Set([file.path, file.realPath])) answers.add(await ask(each));
  if (answers.has('ignored')) marks.push('gitIgnored');
  else if (answers.has('unknown')) marks.push('gitUnknown');
  return {
    place: file.realPath,
    description,
    relative: path.relative(root, file.path).split(path.sep).join('/'),
    size: file.size,
    marks,
    bytes: () => readFile(file.realPath),
  };
}

/** `unknown`: the file is in a repository, and Git is missing or does not answer. */
type GitAnswer = 'ignored' | 'notIgnored' | 'unknown';

/** Whether Git ignores a file. Outside of a repository nothing is ignored, and Git is not started. */
export async function askWhetherIgnored(file: string, git = 'git'): Promise<GitAnswer> {
  const folder = path.dirname(file);
  if (!(await isInRepository(folder))) return 'notIgnored';
  const args = ['check-ignore', '--quiet', '--', file];
  try {
    await runGit(folder, args, { time: budgets.gitTime, bytes: budgets.gitHistory }, git);
    return 'ignored';
  } catch (error) {
    return error instanceof GitFailure && error.code === 1 ? 'notIgnored' : 'unknown';
  }
}

async function isInRepository(folder: string): Promise<boolean> {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = await lstat(path.join(at, '.git')).catch(() => undefined);
    if (found) return true;
    if (path.dirname(at) === at) return false;
  }
}
