import { randomUUID } from 'node:crypto';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const pattern = new RegExp(`^\\.comfy-deck-(${uuid})(?:\\.stamp|-${uuid}\\.part)$`);

/** This program, as the names of its hidden files say: a process ID may be that of another one soon, or elsewhere. */
const program = randomUUID();

/** The file that shows that this program works in a folder: see `ownerStamp`. */
export const ownStampName = `.comfy-deck-${program}.stamp`;

/** A name for a file that is not finished: hidden, never the same twice, and telling whose it is. */
export function temporaryName(): string {
  return `.comfy-deck-${program}-${randomUUID()}.part`;
}

/** The stamp of the program that a stamp or an unfinished file belongs to; undefined for a file that is not one of ours. */
export function temporaryFileOwner(name: string): string | undefined {
  const owner = pattern.exec(name)?.[1];
  return owner && `.comfy-deck-${owner}.stamp`;
}
