import { recordEnding } from './recordName';
import type { Job } from '../jobs/job';
import type { OutputFile } from '../protocol/outputFile';
import { neutralName } from './neutralEnding';
import { safeFileName, splitExtension } from './safeName';

/** Maximum length of a workflow's name or a title, so that the server's own name stays readable. */
const longestLabel = 60;
/** UTF-8 bytes of such a name: with its suffix, the run record's name must stay complete. */
const longestLabelBytes = 120;

/** What Comfy Deck acts on: records, started batches, and batch files. */
const ownEndings = [recordEnding, '.batch-run.json', '.batch.json'];

export function outputPrefix(job: Job, now: number): string {
  return runPrefix(job.origin?.label ?? '', job.endedAt ?? job.createdAt ?? now);
}

/** The common prefix of a run's files: `<workflow>-<yyyyMMdd-HHmmss>`, in local time. */
export function runPrefix(label: string, at: number): string {
  return `${runStem(label)}-${fileTimeText(at)}`;
}

export function runStem(label: string): string {
  return shortLabel(splitExtension(lastPart(label)).stem, 'workflow');
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
  // What a server sends must not be read as something that we wrote.
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
  const toSave = job.outputs.filter(isToSave);
  const temporary = job.outputs.filter(isTemporary);
  return temporaryToo || toSave.length === 0 ? [...toSave, ...temporary] : toSave;
}

export function filesWorthShowing(job: Job): readonly OutputFile[] {
  return filesWorthSaving(job, true);
}

export function filesNotSaved(job: Job, temporaryToo: boolean): readonly OutputFile[] {
  return filesWorthShowing(job).slice(filesWorthSaving(job, temporaryToo).length);
}

function isToSave({ area }: OutputFile): boolean {
  return area !== 'input' && area !== 'temp';
}

/** What a preview node left: the server forgets it when it is restarted. */
export function isTemporary({ area }: OutputFile): boolean {
  return area === 'temp';
}

function lastPart(label: string): string {
  return label.split(/[/\\]/).at(-1) ?? '';
}

/** `yyyyMMdd-HHmmss` in local time. */
export function fileTimeText(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return fileTimeText(0);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}${two(date.getMonth() + 1)}${two(date.getDate())}`;
  return `${day}-${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}
