import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

/** Whether it has the answers of the page 1.58.1, and of a server with the validator of October 2026. */
export const hasToday = corpusFolder !== undefined && existsSync(join(corpusFolder, 'today'));
export const todayNote = hasToday ? '' : " (skipped: the corpus folder has no answers of today's ComfyUI)";

/** Today's official templates, unpacked while `read` runs: by file name. */
export function withTodaysTemplates(read: (textOf: (file: string) => string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'comfy-deck-templates-'));
  try {
    execFileSync('tar', ['-xJf', corpusPath('today', 'templates-0.11.97.tar.xz'), '-C', folder]);
    read((file) => readFileSync(join(folder, 'templates-0.11.97', file), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function corpusText(...path: string[]): string {
  return readFileSync(corpusPath(...path), 'utf8');
}

export function corpusNames(...path: string[]): string[] {
  return readdirSync(corpusPath(...path)).sort();
}

/** Tests that assert the same of every file or case take one in ten; the nightly run takes them all. */
export const sampleShare = Number(process.env.COMFY_DECK_CORPUS_SHARE ?? 10);
export function sampleOf<Each>(all: readonly Each[]): Each[] {
  return all.filter((_, index) => index % sampleShare === 0);
}

export function sampledCorpusNames(...path: string[]): string[] {
  return sampleOf(corpusNames(...path));
}

/** The full path of something in the corpus. Only for suites that are skipped without it. */
export function corpusPath(...path: string[]): string {
  if (corpusFolder === undefined) throw new Error('The corpus folder is not there.');
  return join(corpusFolder, ...path);
}

/** Whether it has the answers of a page that runs the JavaScript of node packs. */
export const hasPacks = corpusFolder !== undefined && existsSync(join(corpusFolder, 'packs'));
export const packsNote = hasPacks
  ? ''
  : ' (skipped: the corpus folder has no answers of the page with node packs)';

export interface PackAnswer<Prompt> {
  readonly file: string;
  readonly prompt?: Prompt;
  readonly err?: string;
}

export function packAnswersIn<Prompt>(name: string): PackAnswer<Prompt>[] {
  return corpusText('packs', name)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as PackAnswer<Prompt>]));
}

/** The definitions of the server that those answers were made with. */
export function packCatalog(): string {
  const packs = corpusText('object_info', 'comfyui-0.33.0-core+24packs.json').trimEnd();
  const extra = corpusText('packs', 'extra_definitions.json').trimStart();
  return `${packs.slice(0, -1)},${extra.slice(1)}`;
}
