import type { MediaKind } from '../protocol/outputFile';
import type { GalleryRow } from './galleryRow';

/** Which outputs to show. Whatever is missing does not matter. */
export interface GalleryFilter {
  readonly workflow?: string | undefined;
  /** As returned by {@link dayOf}. */
  readonly day?: string | undefined;
  readonly server?: string | undefined;
  /** Id of a batch. */
  readonly batch?: string | undefined;
  readonly kind?: MediaKind | undefined;
  readonly favoritesOnly?: boolean | undefined;
  /** Words that a prompt, a name or a seed contains, each of them. */
  readonly text?: string | undefined;
}

/** The values to choose from, those of the newest outputs first. */
export interface GalleryChoices {
  readonly workflows: readonly string[];
  readonly days: readonly string[];
  readonly servers: readonly string[];
  readonly batches: readonly GalleryBatch[];
  readonly kinds: readonly MediaKind[];
}

export interface GalleryBatch {
  readonly id: string;
  /** Name of the workflow. */
  readonly label: string;
  /** When its newest run was sent, ms since the epoch. */
  readonly time: number;
}

export function filterRows(
  rows: readonly GalleryRow[],
  { workflow, day, server, batch, kind, favoritesOnly, text = '' }: GalleryFilter,
  isFavorite: (row: GalleryRow) => boolean,
): readonly GalleryRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(
    (row) =>
      (workflow === undefined || row.label === workflow) &&
      (server === undefined || row.server === server) &&
      (batch === undefined || row.batch === batch) &&
      (kind === undefined || row.kind === kind) &&
      (day === undefined || dayOf(row.time) === day) &&
      (favoritesOnly !== true || isFavorite(row)) &&
      words.every((word) => contains(row, word)),
  );
}

function contains({ search, name, label, seeds }: GalleryRow, word: string): boolean {
  return (
    search.includes(word) ||
    name.toLowerCase().includes(word) ||
    label.toLowerCase().includes(word) ||
    seeds.some((seed) => seed.includes(word))
  );
}

export function choicesOf(rows: readonly GalleryRow[]): GalleryChoices {
  const [workflows, days] = [new Set<string>(), new Set<string>()];
  const [servers, kinds] = [new Set<string>(), new Set<MediaKind>()];
  const batches = new Map<string, GalleryBatch>();
  for (const { label, time, server, kind, batch } of rows) {
    workflows.add(label);
    days.add(dayOf(time));
    servers.add(server);
    kinds.add(kind);
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

/** Thousands of rows ask for the same few hours. */
const daysByHour = new Map<number, string>();
const hour = 3_600_000;
const mostHours = 10_000;

/** The local day of a time, `yyyy-mm-dd`. */
export function dayOf(time: number): string {
  // Quarters: some time zones are not whole hours away.
  const quarter = Math.floor((time * 4) / hour);
  const known = daysByHour.get(quarter);
  if (known !== undefined) return known;
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  if (daysByHour.size >= mostHours) daysByHour.clear();
  daysByHour.set(quarter, day);
  return day;
}
