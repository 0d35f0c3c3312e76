import type { MediaKind } from '../protocol/outputFile';
import { runKey, type Run, type RunFile } from '../runLife/run';
import { localDay } from '../safety/timeText';

/** One output of a run. */
export interface GalleryRow {
  readonly run: Run;
  readonly file: RunFile;
}

/** @param runs newest first */
export function galleryRows(runs: readonly Run[]): readonly GalleryRow[] {
  return runs.flatMap((run) => run.files.toReversed().map((file) => ({ run, file })));
}

export interface GalleryFilter {
  readonly workflow?: string | undefined;
  /** As returned by {@link localDay}. */
  readonly day?: string | undefined;
  /** Origins of servers: one may have had several. */
  readonly servers?: readonly string[] | undefined;
  readonly batch?: string | undefined;
  readonly kind?: MediaKind | undefined;
  readonly favoritesOnly?: boolean | undefined;
  /** Words that a prompt, a name or a seed contains, each of them. */
  readonly text?: string | undefined;
}

/** 5 for a favorite, 0 for what was not rated. */
export type Rating = 0 | 1 | 2 | 3 | 4 | 5;

export type GalleryOrder = 'newest' | 'oldest' | 'workflow' | 'rating';

export interface GalleryBatch {
  readonly id: string;
  readonly label: string;
  /** When its newest run was sent, ms since the epoch. */
  readonly time: number;
}

export function filterRows(
  rows: readonly GalleryRow[],
  { workflow, day, servers, batch, kind, favoritesOnly, text = '' }: GalleryFilter,
  isFavorite: (row: GalleryRow) => boolean,
): readonly GalleryRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const { facts } = row.run;
    return (
      (workflow === undefined || facts.label === workflow) &&
      (servers === undefined || servers.includes(facts.server)) &&
      (batch === undefined || facts.batch === batch) &&
      (kind === undefined || row.file.kind === kind) &&
      (day === undefined || localDay(facts.time) === day) &&
      (favoritesOnly !== true || isFavorite(row)) &&
      words.every((word) => contains(row, word))
    );
  });
}

/** Puts rows in another order. @param rows newest first, as they stay among those that are equal */
export function sortRows(
  rows: readonly GalleryRow[],
  order: GalleryOrder,
  starsOf: (row: GalleryRow) => Rating,
): readonly GalleryRow[] {
  switch (order) {
    case 'newest':
      return rows;
    case 'oldest':
      return rows.toReversed();
    case 'workflow': {
      const { compare } = new Intl.Collator(undefined, { numeric: true });
      return rows.toSorted((a, b) => compare(a.run.facts.label, b.run.facts.label));
    }
    case 'rating': {
      const rated = rows.map((row) => ({ row, stars: starsOf(row) }));
      return rated.sort((a, b) => b.stars - a.stars).map(({ row }) => row);
    }
  }
}

function contains({ run, file }: GalleryRow, word: string): boolean {
  const { search, label, seeds } = run.facts;
  return (
    search.includes(word) ||
    file.name.toLowerCase().includes(word) ||
    label.toLowerCase().includes(word) ||
    seeds.some((seed) => seed.includes(word))
  );
}

export function galleryChoices(rows: readonly GalleryRow[]) {
  const [workflows, days] = [new Set<string>(), new Set<string>()];
  const [servers, kinds] = [new Set<string>(), new Set<MediaKind>()];
  const batches = new Map<string, GalleryBatch>();
  for (const { run, file } of rows) {
    const { label, time, server, batch } = run.facts;
    workflows.add(label);
    days.add(localDay(time));
    servers.add(server);
    kinds.add(file.kind);
    if (batch !== undefined && !batches.has(batch)) batches.set(batch, { id: batch, label, time });
  }
  return {
    workflows: [...workflows],
    days: [...days],
    servers: [...servers],
    batches: [...batches.values()],
    kinds: [...kinds],
  };
}

/** Runs that are compared with each other for their captions. */
const most = 24;

/**
 * The runs of a workflow that were made one after the other as the wanted outputs were, each as its rows: what is
 * shown together differs from each other.
 * @param rows newest first
 */
export function runsBeside(
  rows: readonly GalleryRow[],
  wanted: ReadonlySet<number>,
): readonly (readonly (readonly GalleryRow[])[])[] {
  const byWorkflow = new Map<string, Map<string, GalleryRow[]>>();
  // From the oldest, so that a new run changes only the last of them.
  for (const row of rows.toReversed()) {
    const runs = byWorkflow.get(row.run.facts.label) ?? new Map<string, GalleryRow[]>();
    byWorkflow.set(row.run.facts.label, runs);
    const key = runKey(row.run.place);
    const run = runs.get(key);
    if (run) run.push(row);
    else runs.set(key, [row]);
  }
  return [...byWorkflow.values()].flatMap((runs) => {
    const all = [...runs.values()];
    const groups = Array.from({ length: Math.ceil(all.length / most) }, (_, at) => {
      const start = at * most;
      // The last may be alone.
      return all.slice(Math.max(0, Math.min(start, all.length - 2)), start + most);
    });
    return groups.filter((group) => group.some((run) => run.some(({ file }) => wanted.has(file.id))));
  });
}
