import { sameOnEveryDisk } from '../outputs/freeNames';

/** Which runs are too many. */
export type PruneLimit =
  /** Sent before this time, ms since the epoch. */
  | { readonly kind: 'age'; readonly before: number }
  /** The oldest, until the others take no more than this, in bytes. */
  | { readonly kind: 'size'; readonly most: number };

/** A file of a run: an output, or an input that was kept. */
export interface PrunedFile {
  readonly name: string;
  readonly bytes: number;
}

/** A run as pruning sees it. All names are those of files in one folder. */
export interface PrunableRun {
  /** Name of its record. */
  readonly record: string;
  /** When it was sent, ms since the epoch; undefined if that is unknown. */
  readonly time: number | undefined;
  /** Size of the record. */
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
  /** Batches of which no run remains. */
  readonly batches: readonly string[];
  /** Of the files and the records. */
  readonly bytes: number;
}

/**
 * What goes. Runs that stay count for the limits, and so does a run whose time is unknown, which is never pruned.
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
