import { isRecordName } from '../outputs/recordName';
import { isClaimed } from './claimRecord';
import { sameOnEveryDisk } from '../outputs/freeNames';
import type { OutputFolder } from '../outputs/outputFolder';
import { isOwed, readRunRecord, type RunRecord } from './runRecord';
import { budgets } from '../safety/budgets';
import type { PrunableRun } from './pruneRuns';

const bookkeeping = /[.-]run\.json$/i;

/** What is known about the files of a folder that only its owner knows. */
export interface PruneFacts {
  readonly isFavorite: (name: string, sha256: string) => boolean;
  /** Rows of each batch that can be resumed in this folder, by its id. */
  readonly rowCounts: ReadonlyMap<string, number>;
}

/** A file of a run with the hash that its record gives. */
export interface HashedFile {
  readonly name: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export interface FolderRun extends PrunableRun {
  readonly files: readonly HashedFile[];
}

/** The runs of one folder, and the texts of what ends like a record and is none: they may name files as well. */
export interface FolderRuns {
  readonly runs: readonly FolderRun[];
  readonly unreadable: readonly string[];
}

/** Reads the records of a folder one at a time, since each may contain a full prompt. */
export async function prunableRuns(
  folder: OutputFolder,
  { isFavorite, rowCounts }: PruneFacts,
  signal: AbortSignal,
): Promise<FolderRuns> {
  const names = await folder.list();
  const there = new Set(names.map(sameOnEveryDisk));
  const runs: (FolderRun & { readonly row: number | undefined })[] = [];
  const unreadable: string[] = [];
  for (const name of names.filter((each) => isRecordName(each))) {
    signal.throwIfAborted();
    // A folder, a link, or what is too large for a record: it stays.
    const text = await folder.read(name, budgets.runRecord).catch(() => undefined);
    if (text === undefined) continue;
    const record = readRunRecord(text);
    if (!record) {
      unreadable.push(text);
      continue;
    }
    const files = filesOf(record);
    const stays =
      isOwed(record) ||
      files.some((file) => isFavorite(file.name, file.sha256)) ||
      (await isClaimed(folder, name));
    const { id, row } = record.batch ?? {};
    runs.push({
      record: name,
      time: timeOf(record),
      bytes: text.length,
      files: files.filter((file) => there.has(sameOnEveryDisk(file.name))),
      batch: id !== undefined && rowCounts.has(id) ? id : undefined,
      row: ['saved', 'failed', 'outputsUnknown'].includes(record.state) ? row : undefined,
      stays,
    });
  }
  const done = new Map<string, Set<number>>();
  for (const { batch, row } of runs) {
    if (batch === undefined || row === undefined) continue;
    done.set(batch, (done.get(batch) ?? new Set()).add(row));
  }
  const isUnfinished = (batch: string | undefined): boolean =>
    batch !== undefined && (done.get(batch)?.size ?? 0) < (rowCounts.get(batch) ?? 0);
  return { runs: runs.map((run) => ({ ...run, stays: run.stays || isUnfinished(run.batch) })), unreadable };
}

/** Whether a text that is no readable record may name a file. */
export function mentions(text: string, name: string): boolean {
  return text.includes(name) || text.includes(JSON.stringify(name).slice(1, -1));
}

/** The files of a run that its owner has changed since, or put in their place. */
export async function changedFile(folder: OutputFolder, { files }: FolderRun): Promise<string | undefined> {
  for (const { name, sha256 } of files) {
    const found = await folder.fingerprint(name);
    if (found && found.sha256 !== sha256) return name;
  }
  return undefined;
}

function filesOf({ files, inputs = [] }: RunRecord): HashedFile[] {
  const copies = inputs.flatMap(({ kept: name, bytes, sha256 }) =>
    name === undefined ? [] : [{ name, bytes, sha256 }],
  );
  const outputs = files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  // A record from somebody else may call another record its output.
  const own = [...outputs, ...copies].filter(({ name }) => !bookkeeping.test(name));
  return [...new Map(own.map((file) => [file.name, file])).values()];
}

function timeOf({ sentAt, submittedAt }: RunRecord): number | undefined {
  const time = Date.parse(sentAt ?? submittedAt ?? '');
  return Number.isNaN(time) ? undefined : time;
}
