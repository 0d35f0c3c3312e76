import { sameOnEveryDisk } from '../outputs/freeNames';
import { isRecordName } from '../outputs/recordName';
import { isClaimed } from './claimRecord';
import type { OutputFolder } from '../outputs/outputFolder';
import { isOwed, readRunRecord, type RunRecord } from './runRecord';
import { budgets } from '../safety/budgets';

export type PruneLimit =
  /** Sent before this time, ms since the epoch. */
  | { readonly kind: 'age'; readonly before: number }
  /** The oldest, until the others take no more than this, in bytes. */
  | { readonly kind: 'size'; readonly most: number };

export interface PrunedFile {
  readonly name: string;
  readonly bytes: number;
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
  /** It stays whatever its age: something is owed, a favorite, changed by the user. */
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

/**
 * Runs that stay count for the limits. A run whose time is unknown is never pruned.
 * @param isNamedElsewhere whether something that is no readable record names a file
 */
export function pruneRuns(
  runs: readonly PrunableRun[],
  limit: PruneLimit,
  isNamedElsewhere: (file: string) => boolean = () => false,
): Pruning {
  const newestFirst = [...runs].sort((a, b) => (b.time ?? Infinity) - (a.time ?? Infinity));
  const wanted = tooMany(newestFirst, limit).filter(({ stays, time }) => !stays && time !== undefined);
  const going = withWholeBatches(runs, new Set(wanted.toReversed()));
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
  const batches = new Set([...going].flatMap(({ batch }) => batch ?? []));
  return {
    runs: [...going],
    files: [...files.values()],
    batches: [...batches],
    bytes: sum([...going, ...files.values()]),
  };
}

function tooMany(newestFirst: readonly PrunableRun[], limit: PruneLimit): readonly PrunableRun[] {
  switch (limit.kind) {
    case 'age':
      return newestFirst.filter(({ time }) => time !== undefined && time < limit.before);
    case 'size': {
      const seen = new Set<string>();
      let bytes = 0;
      const first = newestFirst.findIndex((run) => {
        bytes += run.bytes;
        for (const { name, bytes: size } of run.files) {
          // Runs share the inputs that were kept.
          if (!seen.has(name)) bytes += size;
          seen.add(name);
        }
        return bytes > limit.most;
      });
      return first < 0 ? [] : newestFirst.slice(first);
    }
  }
}

function withWholeBatches(
  runs: readonly PrunableRun[],
  wanted: ReadonlySet<PrunableRun>,
): ReadonlySet<PrunableRun> {
  const broken = new Set(runs.flatMap((run) => (wanted.has(run) ? [] : (run.batch ?? []))));
  return new Set([...wanted].filter(({ batch }) => batch === undefined || !broken.has(batch)));
}

function sum(sizes: readonly { readonly bytes: number }[]): number {
  return sizes.reduce((total, { bytes }) => total + bytes, 0);
}

const bookkeeping = /[.-]run\.json$/i;

interface PruneFacts {
  readonly isFavorite: (name: string, sha256: string) => boolean;
  /** Batch ID -> its rows that can be resumed in this folder. */
  readonly rowCounts: ReadonlyMap<string, number>;
}

interface HashedFile {
  readonly name: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export interface FolderRun extends PrunableRun {
  readonly files: readonly HashedFile[];
}

/** `unreadable`: texts of what ends like a record and is none; they may name files as well. */
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
