import type { Skipped } from '../json/boundedJson';
import type { OutputFolder } from '../outputs/outputFolder';
import { isRecordName } from '../outputs/outputNames';
import { recordNamed } from '../records/recordFile';
import type { RunRecord } from '../records/runRecord';
import { budgets } from '../safety/budgets';
import { type EntryFile, createRunEntry, type RecordPlace, type RunEntry, stampedTime } from './runEntry';

/** Records that are read at the same time. */
const together = 8;

export interface LedgerLimits {
  readonly records: number;
  readonly outputs: number;
}

/** Called for each record that was read; `isThere`: a file of its folder is on disk. */
export type SeenRecord = (place: RecordPlace, record: RunRecord, isThere: (name: string) => boolean) => void;

/** Keeps a small entry of each record, newest first, without outputs that are gone from disk. */
export class RunLedger {
  readonly #folders: OutputFolder[];
  readonly #entries = new Map<string, RunEntry>();
  /** Job ID and server -> its newest entry; undefined until it is asked for again. */
  #newest: Map<string, RunEntry> | undefined;
  #files: readonly EntryFile[] | undefined = [];
  readonly #missing = new Set<number>();
  #lastId = 0;
  #outputs = 0;
  #isCut = false;
  /** Files that are named like records and can't be read. */
  readonly #unread = new Set<string>();
  #limits: LedgerLimits;
  readonly #told: number;
  readonly #seen: SeenRecord | undefined;
  readonly #skipped: Skipped | undefined;

  constructor(
    folders: readonly OutputFolder[],
    limits: LedgerLimits = everything,
    seen?: SeenRecord,
    skipped?: Skipped,
  ) {
    this.#folders = [...folders];
    this.#limits = limits;
    this.#told = limits.records;
    this.#seen = seen;
    this.#skipped = skipped;
  }

  get files(): readonly EntryFile[] {
    this.#files ??= [...this.#entries.values()]
      .flatMap(({ files }) => files)
      .filter(({ id }) => !this.#missing.has(id))
      .sort((a, b) => b.time - a.time || b.id - a.id);
    return this.#files;
  }

  /** There are more outputs than are listed. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** How many run records can't be read, so that their outputs are not listed. */
  get unread(): number {
    return this.#unread.size;
  }

  /** IDs of different servers are unrelated. */
  ofJob(job: string, server: string): RunEntry | undefined {
    if (!this.#newest) {
      this.#newest = new Map();
      for (const entry of this.#entries.values()) noteNewest(this.#newest, entry);
    }
    return this.#newest.get(jobKey(job, server));
  }

  /** Its records are read with the next `read` or `refresh`. */
  add(folder: OutputFolder): void {
    this.#folders.push(folder);
  }

  widen(): void {
    this.#limits = everything;
    this.#isCut = false;
  }

  /** Reads unknown records, newest first, in pages. @param first records of the first page */
  async *read(first: number, pageSize: number): AsyncGenerator<void> {
    const { places, told, names } = await this.#list();
    const unknown = places.filter((place) => !this.#entries.has(keyOf(place)));
    for (let start = 0, end = first; start < unknown.length; start = end, end += pageSize) {
      const page = unknown.slice(start, end);
      await this.#readRecords(page, told, names);
      this.#noteMissing(page.map(keyOf), names);
      yield;
    }
  }

  /** Reads changed records and drops what is gone. @param changed whether a known record may have changed */
  async refresh(changed: (place: RecordPlace) => boolean): Promise<void> {
    const { places, told, names } = await this.#list();
    const there = new Set(places.map(keyOf));
    for (const key of this.#entries.keys()) if (!there.has(key)) this.#forget(key);
    await this.#readRecords(
      places.filter((place) => !this.#entries.has(keyOf(place)) || changed(place)),
      told,
      names,
    );
    // Once more: outputs come before their records.
    this.#missing.clear();
    this.#noteMissing(this.#entries.keys(), (await this.#list()).names);
  }

  async #list(): Promise<{
    readonly places: readonly RecordPlace[];
    readonly told: ReadonlySet<RecordPlace>;
    readonly names: readonly ReadonlySet<string>[];
  }> {
    const lists = await Promise.all(this.#folders.map((folder) => folder.listFiles().catch(() => none)));
    const records = lists.flatMap((names, folder) =>
      names
        .filter((name) => isRecordName(name))
        .map((record) => ({ folder, record, time: stampedTime(record) })),
    );
    records.sort((a, b) => b.time - a.time || byName(a, b));
    if (records.length > this.#limits.records) this.#isCut = true;
    const places = records
      .slice(0, this.#limits.records)
      .map(({ folder, record }): RecordPlace => ({ folder, record }));
    return {
      places,
      told: new Set(places.slice(0, this.#told)),
      names: lists.map((names) => new Set(names)),
    };
  }

  async #readRecords(
    places: readonly RecordPlace[],
    told: ReadonlySet<RecordPlace>,
    names: readonly ReadonlySet<string>[],
  ): Promise<void> {
    for (let start = 0; start < places.length; start += together) {
      const page = places.slice(start, start + together);
      const records = await Promise.all(page.map((place) => this.#readRecord(place)));
      // By then all are known: of several records of a job, the newest counts.
      for (const [index, place] of page.entries()) {
        const record = records[index];
        if (record && told.has(place))
          this.#seen?.(place, record, (name) => names[place.folder]?.has(name) === true);
      }
    }
    this.#files = undefined;
  }

  async #readRecord(place: RecordPlace): Promise<RunRecord | undefined> {
    const folder = this.#folders[place.folder];
    const key = keyOf(place);
    const record =
      folder && (await recordNamed(folder, place.record, this.#skipped).catch(() => undefined))?.record;
    const before = this.#entries.get(key)?.files ?? none;
    this.#forget(key);
    const room = this.#limits.outputs - this.#outputs;
    if (record && record.files.length > room) this.#isCut = true;
    const ids = new Map(before.map(({ name, sha256, id }) => [`${name} ${sha256}`, id]));
    const entry = record
      ? createRunEntry(place, record, () => ++this.#lastId)
      : { ...place, job: undefined, server: '', files: none };
    // An unchanged output stays the same object, because it may be selected.
    const files = entry.files
      .slice(0, Math.max(0, room))
      .map((file) => ({ ...file, id: ids.get(`${file.name} ${file.sha256}`) ?? file.id }));
    this.#entries.set(key, { ...entry, files });
    if (this.#newest) noteNewest(this.#newest, { ...entry, files });
    if (!record) this.#unread.add(key);
    this.#outputs += files.length;
    return record;
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#unread.delete(key);
    this.#outputs -= entry.files.length;
    this.#entries.delete(key);
    this.#files = undefined;
    if (entry.job !== undefined) this.#newest = undefined;
  }

  #noteMissing(keys: Iterable<string>, names: readonly ReadonlySet<string>[]): void {
    for (const key of keys) {
      for (const { id, folder, name } of this.#entries.get(key)?.files ?? none) {
        if (names[folder]?.has(name) !== true) this.#missing.add(id);
      }
    }
    this.#files = undefined;
  }
}

const everything: LedgerLimits = { records: budgets.galleryRecords, outputs: budgets.galleryOutputs };
const none: readonly never[] = [];

function keyOf({ folder, record }: RecordPlace): string {
  return `${folder}/${record}`;
}

function jobKey(job: string, server: string): string {
  return JSON.stringify([job, server]);
}

/** Anyone may have written any number of records of one job, so each must cost the same. */
function noteNewest(newest: Map<string, RunEntry>, entry: RunEntry): void {
  if (entry.job === undefined) return;
  const key = jobKey(entry.job, entry.server);
  const known = newest.get(key);
  const later = known ? stampedTime(entry.record) - stampedTime(known.record) || byName(known, entry) : 1;
  if (later > 0) newest.set(key, entry);
}

/** In the same second, the longer ` (2)` is newer. Of the same name, the copy is in the folder that was added later. */
function byName(a: RecordPlace, b: RecordPlace): number {
  if (a.record === b.record) return a.folder - b.folder;
  return b.record.length - a.record.length || (a.record < b.record ? 1 : -1);
}
