import { withoutEnd } from './ends';

/** The functions of `node:path` that are needed; not every part of the core runs in Node. */
interface PathFunctions {
  readonly sep: string;
  isAbsolute(file: string): boolean;
  relative(from: string, to: string): string;
}

/** The path from a folder to a file in it, with forward slashes; empty for the folder, undefined outside. Follows no links. */
export function pathBelow(folder: string, file: string, paths: PathFunctions): string | undefined {
  const relative = paths.relative(folder, file);
  // From one drive or network share to another there is no relative path.
  if (paths.isAbsolute(relative)) return undefined;
  const segments = relative.split(paths.sep);
  return segments[0] === '..' ? undefined : segments.join('/');
}

/** A relative path as files that are shared must write it: with forward slashes and without a way out of the folder. */
export function isPathBelow(file: string): boolean {
  if (file === '' || /[\\:\0]/.test(file) || file.startsWith('/')) return false;
  return file.split('/').every((part) => part !== '..') && !isStrange(file);
}

/** Names that lead out of a folder on any system, or that no file system accepts. */
export function leadsOutside(name: string): boolean {
  return /^[/\\~]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)/.test(name) || /[\p{Cc}\p{Cs}]/u.test(name);
}

/** Separators, wildcards, drive colons, control characters, lone surrogates: a name on no Windows disk. */
export const forbiddenInNames = /[<>:"/\\|?*\p{Cc}\p{Cs}]/gu;

const reservedNames = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/** The name of a device, whatever follows: Windows looks at the part before the first dot, without trailing spaces. */
export function isDeviceName(name: string): boolean {
  return reservedNames.test(name.replace(/\..*/s, '').trimEnd());
}

/** Windows takes it for something else than a file of that name: a device, a part of another file, a shorter name. */
function isOtherOnWindows(name: string): boolean {
  return name.includes(':') || /[. ]$/.test(name) || isDeviceName(name);
}

/** Whether a path has a part that is another file, or none, on Windows. Repositories travel, so no system has it. */
export function isStrange(file: string): boolean {
  return partsOf(file).some(isOtherOnWindows);
}

/** The first part of a path that can't be the name of a file or folder everywhere; undefined if all can. */
export function unusableName(file: string): string | undefined {
  return partsOf(file).find((part) => isOtherOnWindows(part) || part.search(forbiddenInNames) >= 0);
}

function partsOf(file: string): string[] {
  const parts = file.replace(/^(?:[/\\]{2}[?.][/\\])?[A-Za-z]:(?=[/\\]|$)/, '').split(/[/\\]/);
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..');
}

/** Whether a name opens Git's folder: Windows ignores dots, blanks and streams behind it, macOS ignores invisible characters. */
export function isGitFolder(name: string): boolean {
  const plain = name
    .normalize('NFKC')
    .replace(/:.*/s, '')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
  return /^(?:\.git|git~\d+)$/.test(withoutEnd(plain, '. '));
}

export function isHidden(relative: string): boolean {
  return relative.split(/[/\\]/).some((segment) => /^\.(?!\.?$)/.test(segment));
}
