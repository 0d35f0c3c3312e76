import type { RunRecord } from '../records/runRecord';
import { mediaKind } from '../protocol/outputRecord';
import type { MediaFacts, MediaKind } from '../protocol/outputFile';
import { ownText, searchText } from './searchText';

/** One output of a workspace, as the gallery lists it: small, because there are thousands. */
export interface GalleryRow {
  /** Unique in an index; never used again. */
  readonly id: number;
  /** Counts the folders of the index. */
  readonly folder: number;
  readonly name: string;
  /** Name of its run record in the same folder. */
  readonly record: string;
  readonly kind: MediaKind;
  /** When its run was sent, ms since the epoch. */
  readonly time: number;
  /** Name of the workflow. */
  readonly label: string;
  /** Origin of the server. */
  readonly server: string;
  /** Id of the batch that its run belongs to. */
  readonly batch?: string | undefined;
  /** The digits of its seeds. */
  readonly seeds: readonly string[];
  readonly sha256: string;
  readonly bytes: number;
  /** What the server told of it. */
  readonly facts?: MediaFacts | undefined;
  /** What its whole run cost. */
  readonly credits?: number | undefined;
  /** Lower-case texts of its prompt, cut; one string for all outputs of a run. */
  readonly search: string;
}

/** Longer texts of a record are cut: anyone may have written it. */
const longest = 200;
const mostSeeds = 50;

/** Where a record is. */
export interface RecordPlace {
  readonly folder: number;
  readonly record: string;
}

/** The rows of a run: those of its outputs that are on disk. */
export function rowsOf(place: RecordPlace, record: RunRecord, nextId: () => number): readonly GalleryRow[] {
  if (record.files.length === 0) return [];
  const time = timeOf(place.record, record);
  const search = searchText(record.promptText);
  const seeds = [...new Set(Object.values(record.seeds))].slice(0, mostSeeds).map(short);
  const label = short(record.label);
  const server = short(record.server);
  const batch = record.batch && short(record.batch.id);
  // No disk has longer names.
  const files = new Map(record.files.flatMap((file) => (file.name.length > 255 ? [] : [[file.name, file]])));
  return [...files.values()].map(({ name, sha256, bytes, facts }) => ({
    ...place,
    id: nextId(),
    name,
    kind: mediaKind(name, undefined, ''),
    time,
    label,
    server,
    batch,
    seeds,
    sha256: short(sha256),
    bytes,
    facts,
    credits: record.price?.credits,
    search,
  }));
}

function short(text: string): string {
  return ownText(text, longest);
}

/** The end of a record's name: `-<yyyyMMdd-HHmmss>`, in local time, and what keeps names apart. */
const stamped = /-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(?: \(\d+\))?\.run\.json$/;

/** When a run was sent, by the name of its record: ms since the epoch; 0 for another name. */
export function stampedTime(name: string): number {
  const [, year, month, day, hour, minute, second] = (stamped.exec(name) ?? []).map(Number);
  if (year === undefined || month === undefined) return 0;
  return new Date(year, month - 1, day, hour, minute, second).getTime();
}

function timeOf(name: string, { sentAt, submittedAt, endedAt }: RunRecord): number {
  const told = Date.parse(sentAt ?? submittedAt ?? endedAt ?? '');
  return Number.isNaN(told) ? stampedTime(name) : told;
}
