import type { Job } from '../jobs/job';
import type { OutputFile } from '../protocol/outputFile';
import { neutralName } from './neutralEnding';
import { countAt } from '../safety/lists';
import type { OutputFolder } from './outputFolder';
import { forbiddenInNames, isDeviceName, unusableName } from '../safety/paths';
import { blankLetters, withoutEnd, withoutStart } from '../safety/ends';

export const recordEnding = '.run.json';

export function isRecordName(name: string): boolean {
  return name.endsWith(recordEnding);
}

export function recordStem(name: string): string {
  return name.slice(0, -recordEnding.length);
}

/** UTF-8 bytes: below the 255 of common file systems, with room for ` (12)` and a temporary extension. */
const longestName = 200;
const longestExtension = 16;

/** Characters that are not seen and change how a name reads: bidirectional marks, zero-width ones, blank letters. */
const invisible = /\u034F|[\p{Cf}\u115F\u1160\u2028\u2029\u2800\u3164\uFFA0\uFFF0-\uFFFF]/gu;

/**
 * One path segment that every common file system accepts and that stays inside its folder, whatever name a server sent.
 * Only the last part of a path is kept. Never empty: if nothing is left, it is `fallback`, and if that leaves nothing
 * either, `output`.
 */
export function safeFileName(name: string, fallback: string): string {
  return segmentOf(name) ?? segmentOf(fallback) ?? 'output';
}

/** Splits at the last dot; the extension carries its dot and is empty for `name` and `.name`. */
export function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return { stem: name, extension: '' };
  return { stem: name.slice(0, dot), extension: name.slice(dot) };
}

/** The name may be used below a folder unchanged: no path, no device, nothing that a system would change. */
export function isSafeSegment(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\\]/.test(name)) return false;
  return !/^[A-Za-z]:/.test(name) && unusableName(name) === undefined && utf8Length(name) <= 255;
}

function segmentOf(name: string): string | undefined {
  const last = name
    .normalize('NFC')
    .split(/[/\\]/)
    .findLast((part) => !/^[.\s]*$/.test(part));
  if (last === undefined) return undefined;
  const plain = last.replace(invisible, '').replace(forbiddenInNames, '_');
  const cleaned = withoutStart(withoutEnd(plain, `.${blankLetters}`), `.${blankLetters}`);
  if (cleaned === '') return undefined;
  const shortened = shorten(cleaned);
  return isDeviceName(shortened) ? `_${shortened}` : shortened;
}

/** Cuts the stem, keeps the extension: a picture that lost `.png` opens in nothing. */
function shorten(name: string): string {
  if (utf8Length(name) <= longestName) return name;
  const { stem, extension } = splitExtension(name);
  const ending = utf8Length(extension) <= longestExtension ? extension : '';
  const room = longestName - utf8Length(ending);
  let cut = '';
  let used = 0;
  for (const character of ending === '' ? name : stem) {
    used += utf8Length(character);
    if (used > room) break;
    cut += character;
  }
  return withoutEnd(cut, `.${blankLetters}`) + ending;
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Returns names that are free in the folder. The folder is listed once and the last number per name remembered, so that
 * thousands of outputs with one name cost no more than distinct ones. Names that differ only in case or Unicode
 * normalization count as equal, as on macOS and Windows.
 */
export class FreeNames {
  readonly #used: Set<string>;
  readonly #last = new Map<string, number>();

  constructor(used: Iterable<string>) {
    this.#used = new Set(Array.from(used, sameOnEveryDisk));
  }

  static async of(folder: OutputFolder): Promise<FreeNames> {
    return new FreeNames(await folder.list());
  }

  has(name: string): boolean {
    return this.#used.has(sameOnEveryDisk(name));
  }

  /**
   * The first free one of `name.png`, `name (2).png`, `name (3).png` …; from now on it counts as taken. A run record
   * keeps its whole ending.
   * @param name a single safe segment
   */
  take(name: string): string {
    const { stem, extension } = isRecordName(name)
      ? { stem: recordStem(name), extension: recordEnding }
      : splitExtension(name);
    const key = sameOnEveryDisk(name);
    for (let count = countAt(this.#last, key) + 1; ; count++) {
      const candidate = count === 1 ? name : `${stem} (${count})${extension}`;
      const candidateKey = sameOnEveryDisk(candidate);
      if (this.#used.has(candidateKey)) continue;
      this.#used.add(candidateKey);
      this.#last.set(key, count);
      return candidate;
    }
  }
}

export function sameOnEveryDisk(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Maximum length of a workflow's name or a title, so that the server's own name stays readable. */
const longestLabel = 60;
/** UTF-8 bytes of such a name: with its suffix, the run record's name must stay complete. */
const longestLabelBytes = 120;

/** Files that Comfy Deck acts on: records, started batches, and batch files. */
const ownEndings = [recordEnding, '.batch-run.json', '.batch.json'];

export function outputPrefix(job: Job, now: number): string {
  return runPrefix(job.origin?.label ?? '', job.endedAt ?? job.createdAt ?? now);
}

/** The common prefix of a run's files: `<workflow>-<yyyyMMdd-HHmmss>`, in local time. */
export function runPrefix(label: string, at: number): string {
  return `${runStem(label)}-${fileTimeText(at)}`;
}

export function runStem(label: string): string {
  return shortLabel(splitExtension(label.replace(/^.*[/\\]/s, '')).stem, 'workflow');
}

export function shortLabel(text: string, fallback: string): string {
  let short = '';
  for (const character of Array.from(safeFileName(text, fallback)).slice(0, longestLabel)) {
    if (Buffer.byteLength(short + character) > longestLabelBytes) break;
    short += character;
  }
  return short.trimEnd();
}

/** An output's name on disk if nothing is in its way: .txt is appended if a desktop would run it. */
export function outputName(prefix: string, file: OutputFile): string {
  const name = neutralName(safeFileName(`${prefix}-${safeFileName(readableName(file), 'output')}`, prefix));
  const plain = name.normalize('NFKC').toLowerCase();
  // A file from a server must not be mistaken for one that we wrote.
  return ownEndings.some((ending) => plain.endsWith(ending)) ? `${name}.txt` : name;
}

/** The cloud stores under the hash of the content (protocol 1.3): the name the node gave reads better, or less of it. */
function readableName({ filename, displayName }: OutputFile): string {
  const { stem, extension } = splitExtension(filename);
  if (!/^[0-9a-f]{32,}$/i.test(stem)) return filename;
  if (displayName === undefined || displayName.trim() === '') return stem.slice(0, 12) + extension;
  return splitExtension(displayName).extension === extension ? displayName : displayName + extension;
}

export function recordName(prefix: string): string {
  return safeFileName(prefix + recordEnding, `workflow${recordEnding}`);
}

/** Temporary outputs are saved on request, or when there is nothing else; input files are the user's own. */
export function filesWorthSaving(job: Job, temporaryToo = false): readonly OutputFile[] {
  const toSave = job.outputs.filter(({ area }) => area !== 'input' && area !== 'temp');
  const temporary = job.outputs.filter(isTemporary);
  return temporaryToo || toSave.length === 0 ? [...toSave, ...temporary] : toSave;
}

export function filesWorthShowing(job: Job): readonly OutputFile[] {
  return filesWorthSaving(job, true);
}

export function filesNotSaved(job: Job, temporaryToo: boolean): readonly OutputFile[] {
  return filesWorthShowing(job).slice(filesWorthSaving(job, temporaryToo).length);
}

/** An output of a preview node, which the server forgets when it is restarted. */
export function isTemporary({ area }: OutputFile): boolean {
  return area === 'temp';
}

/** `yyyyMMdd-HHmmss` in local time. */
export function fileTimeText(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return fileTimeText(0);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}${two(date.getMonth() + 1)}${two(date.getDate())}`;
  return `${day}-${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}
