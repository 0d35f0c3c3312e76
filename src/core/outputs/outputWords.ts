import type { OutputFile } from '../protocol/outputFile';

/** A server's file name as part of a sentence: bounded, on one line. */
export function shownName({ filename }: Pick<OutputFile, 'filename'>): string {
  const name = filename.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim();
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}
