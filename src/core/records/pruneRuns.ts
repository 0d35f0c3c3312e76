import { countAt } from '../safety/lists';
import { sameOnEveryDisk, isRecordName } from '../outputs/outputNames';
import { isRecordLocked } from './claimRecord';
import type { Fingerprint, OutputFolder } from '../outputs/outputFolder';
import { isOwed, readRunRecord, recordTime, type RunRecord } from './runRecord';
import { budgets } from '../safety/budgets';

export type PruneLimit =
  /** Sent before this time, ms since the epoch. */
  | { readonly kind: 'age'; readonly before: number }
  /** The oldest, until the others take no more than this, in bytes. */
  | { readonly kind: 'size'; readonly most: number };

interface PrunedFile extends Fingerprint {
  readonly name: string;
}

/** All names are those of files in one folder. */
export interface PrunableRun {
  readonly record: string;
  /** When it was sent, ms since the epoch. */
  readonly time: number | undefined;
  readonly bytes: number;
  readonly files: readonly PrunedFile[];
  /** Its batch: rows without a record would be run again, so a batch goes as a whole or not at all. */
  readonly batch?: string | undefined;
  /** Whether it stays whatever its age, because something is owed, a favorite, or changed by the user. */
  readonly stays: boolean;
}

export interface Pruning {
  /** Oldest first. */
  readonly runs: readonly PrunableRun[];
  /** Files that no remaining run names, each once. */
  readonly files: readonly PrunedFile[];
  readonly batches: readonly string[];
  readonly bytes: number;
}

/** Runs that stay count for the limit, and a run whose time is unknown is never pruned. */
export function runsOverLimit(
  folders: readonly (readonly PrunableRun[])[],
  limit: PruneLimit,
): readonly PrunableRun[] {
  const newestFirst = folders
    .flatMap((runs, folder) => runs.map((run) => ({ run, folder })))
    .sort((a, b) => (b.run.time ?? Infinity) - (a.run.time ?? Infinity));
  const seen = new Set<string>();
  let bytes = 0;
  const first = newestFirst.findIndex(({ run, folder }) => {
    if (limit.kind === 'age') return run.time !== undefined && run.time < limit.before;
    bytes += run.bytes;
    for (const { name, bytes: size } of run.files) {
      // Runs share the inputs that were kept.
      if (!seen.has(`${folder}/${name}`)) bytes += size;
      seen.add(`${folder}/${name}`);
    }
    return bytes > limit.most;
  });
  const over = first < 0 ? [] : newestFirst.slice(first).map(({ run }) => run);
  return over.filter(({ stays, time }) => !stays && time !== undefined).reverse();
}

/** @param isNamedElsewhere whether anything but a readable record names a file */
export function pruneRuns(
  runs: readonly PrunableRun[],
  over: readonly PrunableRun[],
  isNamedElsewhere: (file: string) => boolean = () => false,
): Pruning {
  const own = new Set(runs);
  const going = withWholeBatches(runs, new Set(over.filter((run) => own.has(run))));
  const remaining = new Set(
    runs
      .filter((run) => !going.has(run))
      .flatMap(({ files }) => files.map(({ name }) => sameOnEveryDisk(name))),
  );
  const files = new Map<string, PrunedFile>();
  for (const file of [...going].flatMap((run) => run.files)) {
    const key = sameOnEveryDisk(file.name);
    if (!remaining.has(key) && !isNamedElsewhere(file.name)) files.set(key, file);
  }
  const batches = [...going].map(({ batch }) => batch).filter((batch) => batch !== undefined);
  const sizes = [...going, ...files.values()];
  return {
    runs: [...going],
    files: [...files.values()],
    batches: [...new Set(batches)],
    bytes: sizes.reduce((total, { bytes }) => total + bytes, 0),
  };
}

function withWholeBatches(
  runs: readonly PrunableRun[],
  wanted: ReadonlySet<PrunableRun>,
): ReadonlySet<PrunableRun> {
  const broken = new Set(runs.filter((run) => !wanted.has(run)).map(({ batch }) => batch));
  return new Set([...wanted].filter(({ batch }) => batch === undefined || !broken.has(batch)));
}

const bookkeeping = /[.-]run\.json$/i;

interface PruneFacts {
  readonly isFavorite: (name: string, sha256: string) => boolean;
  readonly rowCounts: ReadonlyMap<string, number>;
}

/**
 * Reads the records of a folder one at a time, since each may contain a full prompt. `unreadable`: texts of files that
 * are named like records and can't be read as such, so that they may name files as well.
 */
export async function prunableRuns(
  folder: OutputFolder,
  { isFavorite, rowCounts }: PruneFacts,
  signal: AbortSignal,
): Promise<{ readonly runs: readonly PrunableRun[]; readonly unreadable: readonly string[] }> {
  const names = await folder.list();
  const there = new Set(names.map(sameOnEveryDisk));
  const runs: (PrunableRun & { readonly row: number | undefined })[] = [];
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
    const files = recordedFiles(record);
    const stays =
      isOwed(record) ||
      files.some((file) => isFavorite(file.name, file.sha256)) ||
      (await isRecordLocked(folder, name));
    const { batch } = record;
    runs.push({
      record: name,
      time: recordTime(record.sentAt ?? record.submittedAt),
      bytes: text.length,
      files: files.filter((file) => there.has(sameOnEveryDisk(file.name))),
      batch: batch && rowCounts.has(batch.id) ? batch.id : undefined,
      row: ['saved', 'failed', 'outputsUnknown'].includes(record.state) ? batch?.row : undefined,
      stays,
    });
  }
  const done = new Map<string, Set<number>>();
  for (const { batch, row } of runs) {
    if (batch === undefined || row === undefined) continue;
    done.set(batch, (done.get(batch) ?? new Set()).add(row));
  }
  const isUnfinished = (batch: string | undefined): boolean =>
    batch !== undefined && (done.get(batch)?.size ?? 0) < countAt(rowCounts, batch);
  return { runs: runs.map((run) => ({ ...run, stays: run.stays || isUnfinished(run.batch) })), unreadable };
}

export function textMentionsFile(text: string, name: string): boolean {
  return text.includes(name) || text.includes(JSON.stringify(name).slice(1, -1));
}

/** The files of a run that its owner has changed since, or put in their place. */
export async function changedFile(folder: OutputFolder, { files }: PrunableRun): Promise<string | undefined> {
  for (const { name, sha256 } of files) {
    const found = await folder.fingerprint(name);
    if (found && found.sha256 !== sha256) return name;
  }
  return undefined;
}

function recordedFiles({ files, inputs = [] }: RunRecord): PrunedFile[] {
  const copies = inputs.flatMap(({ kept: name, bytes, sha256 }) =>
    name === undefined ? [] : [{ name, bytes, sha256 }],
  );
  const outputs = files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  // A record from somebody else may call another record its output.
  const own = [...outputs, ...copies].filter(({ name }) => !bookkeeping.test(name));
  return [...new Map(own.map((file) => [file.name, file])).values()];
}
