/** What of `node:path` is needed; not every part of the core runs in Node. */
interface PathFunctions {
  readonly sep: string;
  isAbsolute(file: string): boolean;
  relative(from: string, to: string): string;
}

/**
 * The path from a folder to a file in it, with forward slashes; empty for the folder itself, undefined for what is
 * outside. Follows no symbolic links: what is read has to be resolved first.
 *
 * @param paths `node:path` for files on this machine; its functions for Windows ignore letter case
 */
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
  return file.split('/').every((part) => part !== '..');
}

/** Names that lead out of a folder on any system, or that no file system accepts. */
export function leadsOutside(name: string): boolean {
  return /^[/\\~]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)/.test(name) || /[\p{Cc}\p{Cs}]/u.test(name);
}

/** The file or a folder above it has a name that starts with a dot. */
export function isHidden(relative: string): boolean {
  return relative.split(/[/\\]/).some((segment) => /^\.(?!\.?$)/.test(segment));
}
