import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Reference data outside of the repository: real workflows, node definitions and answers of real servers. It is
 * beside the checkout, or where COMFY_DECK_CORPUS points. Tests that need it are skipped without it.
 */
export const corpusFolder: string | undefined = [
  process.env.COMFY_DECK_CORPUS,
  resolve(import.meta.dirname, '../../../shared/corpus'),
].find((folder) => folder !== undefined && folder !== '' && existsSync(join(folder, 'verdicts')));

/** Appended to the name of a suite, so that a skipped one says why. */
export const corpusNote =
  corpusFolder === undefined ? ' (skipped: no corpus folder; set COMFY_DECK_CORPUS)' : '';

/** The text of a file of the corpus. */
export function corpusText(...path: string[]): string {
  return readFileSync(corpusPath(...path), 'utf8');
}

/** The names of the files in a folder of the corpus. */
export function corpusNames(...path: string[]): string[] {
  return readdirSync(corpusPath(...path)).sort();
}

/** The full path of something in the corpus. Only for suites that are skipped without it. */
export function corpusPath(...path: string[]): string {
  if (corpusFolder === undefined) throw new Error('The corpus folder is not there.');
  return join(corpusFolder, ...path);
}
