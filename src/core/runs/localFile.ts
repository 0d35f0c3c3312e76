import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { askGit } from './gitIgnored';
import type { GitAnswer } from './gitIgnored';
import { leadsOutside } from './mediaUploads';
import type { LocalMedia, UploadMark } from './localMedia';

export interface LocalFileQuery {
  /** Nothing outside of this folder is found, not even through a symbolic link. */
  readonly root: string;
  /** Folder of the workflow: `root` or a folder below it. */
  readonly folder: string;
  /** The name in the workflow. */
  readonly name: string;
}

export interface LocalFile {
  /** Where it is named, below `root`. */
  readonly path: string;
  /** The file itself, links followed: what is judged is what is read. */
  readonly realPath: string;
  readonly size: number;
}

/** The folders in which the files of a workflow are looked for, nearest first. */
export const inputFolders = ['', 'input', 'inputs'] as const;

/** Finds the file that a workflow names: beside it, or at the top of `root`, or in an `input` or `inputs` folder there. */
export async function findLocalFile({ root, folder, name }: LocalFileQuery): Promise<LocalFile | undefined> {
  if (leadsOutside(name)) return undefined;
  const segments = name.split(/[/\\]/);
  const realRoot = await realpath(root).catch(() => undefined);
  if (realRoot === undefined) return undefined;
  const files = [...new Set([folder, root])].flatMap((top) =>
    inputFolders.map((place) => fileAt(realRoot, path.join(top, place, ...segments))),
  );
  return (await Promise.all(files)).find((found) => found !== undefined);
}

async function fileAt(realRoot: string, file: string): Promise<LocalFile | undefined> {
  try {
    const realPath = await realpath(file);
    if (!isBelow(realRoot, realPath)) return undefined;
    const found = await stat(realPath);
    return found.isFile() ? { path: file, realPath, size: found.size } : undefined;
  } catch {
    return undefined;
  }
}

/** A file that was found, as something that may be uploaded. `description` is what a question calls it. */
export async function localMediaOf(
  file: LocalFile,
  { root, folder }: LocalFileQuery,
  description: string,
  ask: (file: string) => Promise<GitAnswer> = askGit,
): Promise<LocalMedia> {
  const [realRoot, realFolder] = await Promise.all([realpath(root), realpath(folder)]);
  const marks: UploadMark[] = [];
  if (!isBelow(realFolder, file.realPath)) marks.push('outsideFolder');
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
    size: file.size,
    marks,
    bytes: () => readFile(file.realPath),
  };
}

/** A file or a folder on the way to it whose name begins with a dot. */
export function isHidden(relative: string): boolean {
  return relative.split(/[/\\]/).some((segment) => /^\.(?!\.?$)/.test(segment));
}

function isBelow(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
}
