import type { OutputFile } from '../protocol/outputFile';

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `3.2 GB`, as file managers count. */
export function sizeText(bytes: number): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** step;
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${units[step] ?? 'bytes'}`;
}

/** A server's file name as part of a sentence: bounded, on one line. */
export function shownName({ filename }: Pick<OutputFile, 'filename'>): string {
  const name = filename.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim();
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}
