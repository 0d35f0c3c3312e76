import { isRecordName } from '../outputs/recordName';
import type { OutputFolder } from '../outputs/outputFolder';
import { recordNamed } from '../records/recordFile';
import { budgets } from '../safety/budgets';
import { type GalleryRow, type RecordPlace, rowsOf, stampedTime } from './galleryRow';

/** Records that are read at the same time. */
const together = 8;

/**
 * The outputs of some folders by their run records, newest first. Of each record only small rows are kept, and outputs
 * that are gone from disk are left out.
 */
export class GalleryIndex {
  readonly #folders: readonly OutputFolder[];
  /** The rows of each record that was read. */
  readonly #runs = new Map<string, readonly GalleryRow[]>();
  #rows: readonly GalleryRow[] | undefined = [];
  /** Rows whose file is gone. */
  readonly #missing = new Set<number>();
  #lastId = 0;
  #outputs = 0;
  #isCut = false;
  /** What ends like a record and can't be read. */
  readonly #unread = new Set<string>();

  readonly #most: { readonly records: number; readonly outputs: number };

  constructor(
    folders: readonly OutputFolder[],
    most: { readonly records: number; readonly outputs: number } = budgetMost,
  ) {
    this.#folders = folders;
    this.#most = most;
  }

  /** The outputs known so far. */
  get rows(): readonly GalleryRow[] {
    this.#rows ??= [...this.#runs.values()]
      .flat()
      .filter(({ id }) => !this.#missing.has(id))
      .sort((a, b) => b.time - a.time || b.id - a.id);
    return this.#rows;
  }

  /** There are more outputs than are listed. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** How many run records can't be read, so that their outputs are not listed. */
  get unread(): number {
    return this.#unread.size;
  }

  /**
   * Reads all records, newest first; yields after each page.
   * @param first records of the first page: enough for a screen
   */
  async *read(first: number, pageSize: number): AsyncGenerator<void> {
    const { places, names } = await this.#list();
    for (let start = 0, end = first; start < places.length; start = end, end += pageSize) {
      const page = places.slice(start, end);
      await this.#readRecords(page);
      this.#noteMissing(page.map(keyOf), names);
      yield;
    }
  }

  /**
   * Reads new records and those that have changed, and drops what is gone.
   * @param changed whether a known record may have changed
   */
  async refresh(changed: (place: RecordPlace) => boolean): Promise<void> {
    const { places } = await this.#list();
    const there = new Set(places.map(keyOf));
    for (const key of this.#runs.keys()) if (!there.has(key)) this.#forget(key);
    await this.#readRecords(places.filter((place) => !this.#runs.has(keyOf(place)) || changed(place)));
    // Once more: outputs come before their records.
    this.#missing.clear();
    this.#noteMissing(this.#runs.keys(), (await this.#list()).names);
  }

  async #list(): Promise<{
    readonly places: readonly RecordPlace[];
    readonly names: readonly ReadonlySet<string>[];
  }> {
    const lists = await Promise.all(this.#folders.map((folder) => folder.listFiles().catch(() => none)));
    const records = lists.flatMap((names, folder) =>
      names
        .filter((name) => isRecordName(name))
        .map((record) => ({ folder, record, time: stampedTime(record) })),
    );
    records.sort((a, b) => b.time - a.time || (a.record < b.record ? 1 : -1));
    if (records.length > this.#most.records) this.#isCut = true;
    const places = records
      .slice(0, this.#most.records)
      .map(({ folder, record }): RecordPlace => ({ folder, record }));
    return { places, names: lists.map((names) => new Set(names)) };
  }

  async #readRecords(places: readonly RecordPlace[]): Promise<void> {
    for (let start = 0; start < places.length; start += together) {
      await Promise.all(places.slice(start, start + together).map((place) => this.#readRecord(place)));
    }
    this.#rows = undefined;
  }

  async #readRecord(place: RecordPlace): Promise<void> {
    const folder = this.#folders[place.folder];
    const found = folder && (await recordNamed(folder, place.record).catch(() => undefined));
    const before = this.#runs.get(keyOf(place)) ?? none;
    this.#forget(keyOf(place));
    const room = this.#most.outputs - this.#outputs;
    if (found && found.record.files.length > room) this.#isCut = true;
    const ids = new Map(before.map(({ name, sha256, id }) => [`${name} ${sha256}`, id]));
    const rows = found ? rowsOf(place, found.record, () => ++this.#lastId).slice(0, Math.max(0, room)) : none;
    // What has not changed stays the same row: it may be selected.
    const kept = rows.map((row) => ({ ...row, id: ids.get(`${row.name} ${row.sha256}`) ?? row.id }));
    this.#runs.set(keyOf(place), kept);
    if (!found) this.#unread.add(keyOf(place));
    this.#outputs += kept.length;
  }

  #forget(key: string): void {
    this.#unread.delete(key);
    this.#outputs -= this.#runs.get(key)?.length ?? 0;
    if (this.#runs.delete(key)) this.#rows = undefined;
  }

  #noteMissing(keys: Iterable<string>, names: readonly ReadonlySet<string>[]): void {
    for (const key of keys) {
      for (const { id, folder, name } of this.#runs.get(key) ?? none) {
        if (names[folder]?.has(name) !== true) this.#missing.add(id);
      }
    }
    this.#rows = undefined;
  }
}

const budgetMost = { records: budgets.galleryRecords, outputs: budgets.galleryOutputs };
const none: readonly never[] = [];

function keyOf({ folder, record }: RecordPlace): string {
  return `${folder}/${record}`;
}
