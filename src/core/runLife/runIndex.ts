import { setImmediate } from 'node:timers/promises';
import type { Skipped } from '../json/boundedJson';
import type { OutputFolder } from '../outputs/outputFolder';
import { isRecordName } from '../outputs/outputNames';
import type { Job, JobOrigin } from '../jobs/job';
import { JobStore } from '../jobs/jobStore';
import { outputKey } from '../outputs/expectedFile';
import { mediaKind } from '../protocol/outputRecord';
import { isRecord } from '../protocol/wire';
import { jobOfRecord } from '../records/jobOfRecord';
import { recordTime, type RunRecord } from '../records/runRecord';
import { plainText } from '../safety/plainText';
import { recordNamed } from '../records/recordFile';
import { budgets } from '../safety/budgets';
import {
  ownText,
  recordStamp,
  type Run,
  type RunFacts,
  type RunFile,
  runFileKey,
  runKey,
  type RunPlace,
  stampedTime,
} from './run';
import { byRecord, RunStore } from './runStore';

/** Records that are read at the same time. */
const together = 4;

/** Reads the records of some folders into a store, newest first, without outputs that are gone from disk. */
export class RunIndex {
  readonly #folders = new Map<string, OutputFolder>();
  /** Files that are named like records and can't be read. */
  readonly #unread = new Map<string, RunPlace>();
  /** Runs whose records name outputs that are gone. */
  readonly #missing = new Map<
    string,
    { readonly place: RunPlace; readonly names: readonly string[]; readonly keepsJob: boolean }
  >();
  /** The newest runs keep their jobs. */
  readonly #keptJobs: number;
  /** There are more outputs than are listed. */
  isCut = false;

  constructor(
    private readonly store: RunStore,
    private readonly originOf: OriginOf = () => ({}),
    private readonly skipped?: Skipped,
    private most: { readonly records: number; readonly outputs: number } = {
      records: budgets.keptJobs,
      outputs: budgets.galleryOutputs,
    },
  ) {
    this.#keptJobs = most.records;
  }

  get folders(): readonly string[] {
    return [...this.#folders.keys()];
  }

  /** How many run records can't be read, so that their outputs are not listed. */
  get unread(): number {
    return this.#unread.size;
  }

  /** Its records are read with the next `read`. */
  add(path: string, folder: OutputFolder): void {
    this.#folders.set(path, folder);
  }

  widen(): void {
    this.most = { records: budgets.galleryRecords, outputs: budgets.galleryOutputs };
    this.isCut = false;
  }

  /** Reads unknown records, newest first, in pages, and drops what is gone. @param first records of the first page */
  async *read(first: number, pageSize: number): AsyncGenerator<void> {
    const names = await this.#list(this.#folders);
    // Tens of thousands of names take a while to list, and again to sort.
    await setImmediate();
    const places = [...names]
      .flatMap(([folder, files]) =>
        [...files].filter((name) => isRecordName(name)).map((record) => ({ folder, record })),
      )
      .map((place) => ({ place, stamp: recordStamp(place.record) }))
      .sort((a, b) => (a.stamp === b.stamp ? byRecord(a, b) : a.stamp < b.stamp ? 1 : -1));
    if (places.length > this.most.records) this.isCut = true;
    await this.#checkFiles(names);
    const unknown = places
      .slice(0, this.most.records)
      .map(({ place }, at) => ({ place, keepsJob: at < this.#keptJobs }))
      .filter(({ place }) => !this.store.get(place) && !this.#unread.has(runKey(place)));
    for (let start = 0, end = first; start < unknown.length; start = end, end += pageSize) {
      for (let at = start; at < Math.min(end, unknown.length); at += together)
        await this.#readRecords(unknown.slice(at, Math.min(at + together, end)), names);
      yield;
    }
    // Once more: outputs come before their records.
    if (unknown.length > 0) await this.#checkFiles(await this.#list(this.#folders));
  }

  /** Reads the records that changed in a folder, and finds out which outputs are gone or there again. */
  async touched(path: string, changed: ReadonlySet<string>): Promise<void> {
    const folder = this.#folders.get(path);
    if (!folder) return;
    const names = await this.#list([[path, folder]]);
    const records = [...changed].filter((name) => isRecordName(name));
    await this.#readRecords(
      records.map((record) => ({ place: { folder: path, record }, keepsJob: true })),
      names,
    );
    await this.#checkFiles(names);
  }

  async #list(folders: Iterable<readonly [string, OutputFolder]>): Promise<FolderNames> {
    const lists = Array.from(folders, async ([path, folder]) => {
      return [path, new Set(await folder.listFiles().catch(() => none))] as const;
    });
    return new Map(await Promise.all(lists));
  }

  async #readRecords(
    places: readonly { readonly place: RunPlace; readonly keepsJob: boolean }[],
    names: FolderNames,
  ): Promise<void> {
    // This process is ahead of the disk.
    const wanted = places.filter(({ place }) => !this.store.isActive(place));
    const records = await Promise.all(wanted.map(({ place }) => this.#readRecord(place)));
    // In their order: of several records of a job, the newest counts.
    for (const [index, { place, keepsJob }] of wanted.entries()) {
      const record = records[index];
      const there = names.get(place.folder);
      this.#missing.delete(runKey(place));
      if (record && there) this.#put(place, record, keepsJob, there);
      else this.store.remove(place);
      if (record || !there?.has(place.record)) this.#unread.delete(runKey(place));
      else this.#unread.set(runKey(place), place);
    }
  }

  async #readRecord({ folder, record }: RunPlace): Promise<RunRecord | undefined> {
    const found = this.#folders.get(folder);
    return found && (await recordNamed(found, record, this.skipped).catch(() => undefined))?.record;
  }

  #put(place: RunPlace, record: RunRecord, keepsJob: boolean, there: ReadonlySet<string>): void {
    const missing = record.files.filter(({ name }) => !there.has(name));
    if (missing.length > 0)
      this.#missing.set(runKey(place), { place, names: missing.map(({ name }) => name), keepsJob });
    const files = record.files.filter(({ name }) => there.has(name));
    const room = Math.max(0, this.most.outputs - this.store.filesBeside(place));
    if (files.length > room) this.isCut = true;
    const request = { place, runs: this.store, keepsJob, originOf: this.originOf };
    this.store.put(place, tellRun(request, record, files.slice(0, room)));
  }

  async #checkFiles(names: FolderNames): Promise<void> {
    for (const [key, { folder, record }] of this.#unread)
      if (names.get(folder)?.has(record) === false) this.#unread.delete(key);
    for (const { place, files } of this.store.runs) {
      const there = names.get(place.folder);
      if (!there || this.store.isActive(place)) continue;
      const missing = files.filter(({ name }) => !there.has(name));
      if (!there.has(place.record)) this.store.remove(place);
      else if (missing.length > 0) {
        this.#missing.set(runKey(place), { place, names: missing.map(({ name }) => name), keepsJob: true });
        this.store.setFiles(
          place,
          files.filter((file) => !missing.includes(file)),
        );
      }
    }
    const back = [...this.#missing.values()].filter((each) =>
      each.names.some((name) => names.get(each.place.folder)?.has(name) === true),
    );
    await this.#readRecords(back, names);
  }
}

/** What a store keeps of a record. @param files those that are on disk */
export function tellRun(
  { place, runs, keepsJob = true, originOf }: RecordRequest,
  record: RunRecord,
  files = record.files,
): Parameters<RunStore['put']>[1] {
  const before = runs.get(place);
  const earlier = new Map(before?.files.map((file) => [`${file.name} ${file.sha256}`, file]));
  // No disk has longer names.
  const named = new Map(files.flatMap((file) => (file.name.length > 255 ? [] : [[file.name, file]])));
  return {
    facts: factsOfRecord(place.record, record, before?.facts.search),
    // An unchanged file stays the same object, because it may be selected.
    files: [...named.values()].map((file) => {
      const sha256 = short(file.sha256);
      return earlier.get(`${file.name} ${sha256}`) ?? runFile(file, sha256, runs.nextFileId());
    }),
    job: keepsJob ? jobToList(place, record, originOf) : undefined,
  };
}

/** Thousands of these have one shape, as without a spread. */
function runFile(file: RunRecord['files'][number], sha256: string, id: number): RunFile {
  const { name, bytes, facts } = file;
  const kind = mediaKind(name, undefined, '');
  return { id, name, node: short(file.node), key: runFileKey(outputKey(file)), kind, sha256, bytes, facts };
}

function jobToList(place: RunPlace, record: RunRecord, originOf: OriginOf): Job | undefined {
  const job = jobOfRecord(record);
  // Anyone may have written it, and all rows are kept in memory.
  if (!job || JSON.stringify(job).length > longestJob) return undefined;
  // A record that was made to save someone else's outputs says nothing about who sent the job.
  const origin = record.sentAt === undefined ? undefined : job.origin;
  return { ...job, origin: origin && { ...origin, ...originOf(place, record) } };
}

/** @param search of an earlier version of the record: a prompt never changes */
function factsOfRecord(name: string, record: RunRecord, search?: string): RunFacts {
  const { job, state, why, promptId, music, sentAt } = record;
  return {
    state,
    why,
    promptId,
    job: job !== undefined && job.length <= longest ? job : undefined,
    server: short(record.server),
    label: short(plainText(record.label)),
    source: record.sourceUri && short(record.sourceUri),
    time: recordTime(sentAt ?? record.submittedAt ?? record.endedAt) ?? stampedTime(name),
    isSent: sentAt !== undefined,
    batch: record.batch && short(record.batch.id),
    seeds: [...new Set(Object.values(record.seeds))].slice(0, mostSeeds).map(short),
    credits: record.price?.credits,
    search: search ?? (music ? musicText(music) : searchText(record.promptText)),
  };
}

/** Equal texts of many runs are one string. */
function short(text: string): string {
  const cut = ownText(text, longest);
  const known = texts.get(cut);
  if (known !== undefined) return known;
  if (texts.size >= mostTexts) texts.clear();
  texts.set(cut, cut);
  return cut;
}

const texts = new Map<string, string>();
const mostTexts = 500;

/** Of each folder the files in it. */
type FolderNames = ReadonlyMap<string, ReadonlySet<string>>;

const none: readonly never[] = [];

/** The newest runs of one folder. */
export async function readRuns(path: string, folder: OutputFolder, most: number): Promise<readonly Run[]> {
  const store = new RunStore(new JobStore());
  const index = new RunIndex(store, undefined, undefined, { records: most, outputs: most });
  index.add(path, folder);
  await index.read(most, most).next();
  return store.runs;
}

interface RecordRequest {
  readonly place: RunPlace;
  readonly runs: Pick<RunStore, 'get' | 'nextFileId'>;
  /** Only the newest runs keep their jobs. */
  readonly keepsJob?: boolean;
  readonly originOf: OriginOf;
}

/** What is known of a recorded job beyond its record. */
export type OriginOf = (place: RunPlace, record: RunRecord) => Partial<JobOrigin>;

/** Characters of a job, more than servers send for the largest ones. */
const longestJob = 8_000_000;
/** Longer texts of a record are cut: anyone may have written it. */
const longest = 200;
const mostSeeds = 50;

/** A longer prompt is not searched: reading it would take noticeably long. */
const longestPrompt = 2_000_000;
/** Characters of one text. */
const longestText = 250;

/** The texts in the inputs of a prompt, longest first, in lower case and cut. */
function searchText(promptText: string | undefined): string {
  if (promptText === undefined || promptText.length > longestPrompt) return '';
  const texts = new Set(textsIn(promptText));
  const cut = [...texts].sort((a, b) => b.length - a.length).map((text) => ownText(text, longestText));
  return ownText(cut.join('\n'), budgets.shownText).toLowerCase();
}

function musicText({ prompt, tags }: NonNullable<RunRecord['music']>): string {
  return ownText([prompt, ...tags].join('\n'), budgets.shownText).toLowerCase();
}

function textsIn(promptText: string): readonly string[] {
  try {
    return membersOf(JSON.parse(promptText)).flatMap((node) => {
      const inputs = isRecord(node) ? membersOf(node['inputs']) : [];
      return inputs.filter((value) => typeof value === 'string');
    });
  } catch {
    return [];
  }
}

function membersOf(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : [];
}
