interface UriParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

/** Editors, the Explorer and records may spell `c:/Work` differently where the file system has no case. */
export function isSameUri(
  one: UriParts,
  other: UriParts,
  system: NodeJS.Platform = process.platform,
): boolean {
  return keyOf(one, system) === keyOf(other, system);
}

/** The path of a file in a folder; empty for the folder itself, undefined for what is elsewhere. */
export function pathInFolder(
  folder: UriParts,
  file: UriParts,
  system: NodeJS.Platform = process.platform,
): string | undefined {
  if (isSameUri(folder, file, system)) return '';
  const start = folder.path.replace(/\/?$/, '/');
  const above = { ...partsOf(file), path: file.path.slice(0, start.length) };
  return isSameUri({ ...partsOf(folder), path: start }, above, system)
    ? file.path.slice(start.length)
    : undefined;
}

function keyOf({ scheme, authority, path }: UriParts, system: NodeJS.Platform): string {
  const hasCase = scheme !== 'file' || (system !== 'win32' && system !== 'darwin');
  return `${scheme}://${authority.toLowerCase()}${hasCase ? path : path.toLowerCase()}`;
}

function partsOf({ scheme, authority, path }: UriParts): UriParts {
  return { scheme, authority, path };
}
