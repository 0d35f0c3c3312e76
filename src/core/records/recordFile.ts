import type { Skipped } from '../json/boundedJson';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';
import { type HeldLock, lockRecord, removeDeadLocks, takenError } from './claimRecord';
import type { OutputFolder } from '../outputs/outputFolder';
import { OutputError } from '../outputs/outputError';
import { isRecordName, isSafeSegment, recordName, recordStem, sameOnEveryDisk } from '../outputs/outputNames';
import { type HideSecrets, recordWithoutSecrets } from './recordSecrets';
import { fitsRecord, readRunRecord, type RunRecord, writeRunRecord } from './runRecord';
import { putUnderFreeName, replaceWhole, writeWhole } from '../outputs/writeWhole';

/** At most one write in this time, ms. */
const writeEvery = 250;

/** Wait before a failed write is tried again, ms. */
const retryEvery = 2_000;

/** One caller has the record locked until `close`. Each change replaces the file; a failed write is made up for. */
export class RecordFile {
  #record: RunRecord;
  #writing: Promise<void> = Promise.resolve();
  #writtenAt = 0;
  #unwritten = 0;
  #failure: OutputError | undefined;
  #retry: NodeJS.Timeout | undefined;
  /** Called with each change, before it is written; undefined: the record was removed. */
  onChange: ((record: RunRecord | undefined) => void) | undefined;

  private constructor(
    readonly folder: OutputFolder,
    readonly name: string,
    record: RunRecord,
    private readonly hide: HideSecrets,
    private readonly claim: HeldLock,
  ) {
    this.#record = record;
  }

  /**
   * Writes the first record of a run, which reserves the prefix of its files.
   * @param wanted as returned by `outputPrefix`
   * @throws OutputError when the folder is not writable, or the record could not be read again
   */
  static async create(
    folder: OutputFolder,
    wanted: string,
    given: RunRecord,
    hide: HideSecrets,
  ): Promise<RecordFile> {
    const { record, bytes } = readableRecord(recordWithoutSecrets(given, hide));
    // Leftovers of killed windows are removed with the next run.
    void removeDeadLocks(folder, { mayEnd: true }).catch(() => undefined);
    const stem = await reserveStem(folder, wanted, () => bytes);
    const name = recordName(stem);
    try {
      const claim = await lockRecord(folder, name);
      if (claim) return new RecordFile(folder, name, record, hide, claim);
    } catch (error) {
      await folder.remove(name).catch(() => undefined);
      throw error;
    }
    // Nothing was sent, and another window that looks for it will find nothing.
    throw takenError();
  }

  /**
   * `busy`: another window or command has it now. Undefined: there is no such record.
   * @throws OutputError when the folder can't be read or written
   */
  static async open(
    folder: OutputFolder,
    name: string,
    hide: HideSecrets,
    onWait?: () => void,
  ): Promise<RecordFile | 'busy' | undefined> {
    if (!(await folder.exists(name))) return undefined;
    const claim = await lockRecord(folder, name, { onWait });
    if (!claim) return 'busy';
    let record: RunRecord | undefined;
    try {
      // Read now, because it may have been completed before it was ours.
      record = await readRecord(folder, name, { isStrict: true });
      return record && new RecordFile(folder, name, record, hide, claim);
    } finally {
      if (!record) await claim.release();
    }
  }

  get record(): RunRecord {
    return this.#record;
  }

  get stem(): string {
    return recordStem(this.name);
  }

  get location(): string {
    return this.folder.location(this.name);
  }

  /** Whether the file may still lack the latest change. */
  get isWriting(): boolean {
    return this.#unwritten > 0 || this.#failure !== undefined;
  }

  /**
   * Resolves when the change is on disk, or the disk does not take it now: see `close`.
   * @throws OutputError with reason `taken`: another has it now
   */
  change(step: (record: RunRecord) => RunRecord): Promise<void> {
    this.#record = this.#hidden(step(this.#record));
    this.onChange?.(this.#record);
    return this.#save();
  }

  /** @throws OutputError when another has taken the record, or nobody can say whether: nothing may be sent then */
  requireOwn(): Promise<void> {
    return this.claim.requireOwn();
  }

  #save(): Promise<void> {
    this.#unwritten++;
    const written = this.#writing.then(() => this.#write()).finally(() => this.#unwritten--);
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** For many changes in quick succession: writes only if the last write is a while ago. */
  async note(step: (record: RunRecord) => RunRecord): Promise<void> {
    if (Date.now() - this.#writtenAt >= writeEvery) await this.change(step);
  }

  /** Leaves no trace of a run that made nothing and owes nothing. */
  async remove(): Promise<void> {
    await this.#writing;
    this.#wrote(undefined);
    await this.requireOwn();
    await this.folder.remove(this.name);
    this.onChange?.(undefined);
  }

  /** Returns why the last state could not be written, if so. */
  async close(): Promise<OutputError | undefined> {
    await this.#writing;
    if (this.#failure) await this.#save().catch(() => undefined);
    const failure = this.#failure;
    this.#wrote(undefined);
    await this.claim.release();
    return failure;
  }

  /** The texts that were sent are large, and never change. */
  #hidden(record: RunRecord): RunRecord {
    const { promptText, workflowText } = this.#record;
    if (record.promptText !== promptText || record.workflowText !== workflowText)
      return recordWithoutSecrets(record, this.hide);
    const rest = { ...record, promptText: undefined, workflowText: undefined };
    return { ...recordWithoutSecrets(rest, this.hide), promptText, workflowText };
  }

  async #write(): Promise<void> {
    try {
      await this.claim.requireOwn('orMoved');
      // What is being saved can be saved as well from the record before, which names the job.
      const isFlushed = this.#record.state !== 'saving';
      await replaceWhole(this.folder, this.name, writeRunRecord(this.#record), isFlushed);
      this.#writtenAt = Date.now();
      this.#wrote(undefined);
    } catch (error) {
      if (!OutputError.is(error)) throw error;
      this.#wrote(error);
      if (error.reason === 'taken') throw error;
      this.#retry = setTimeout(() => void this.#save().catch(() => undefined), retryEvery).unref();
    }
  }

  #wrote(failure: OutputError | undefined): void {
    clearTimeout(this.#retry);
    this.#failure = failure;
  }
}

/** A record that can't be read again is worthless: one that is too large leaves out what was sent. */
function readableRecord(record: RunRecord): { readonly record: RunRecord; readonly bytes: Uint8Array } {
  for (const each of [record, { ...record, promptText: undefined, workflowText: undefined }]) {
    const bytes = writeRunRecord(each);
    if (fitsRecord(bytes)) return { record: each, bytes };
  }
  throw new OutputError(t`The run record would be too large to read back.`, 'other');
}

export interface ListedRecord {
  readonly name: string;
  readonly record: RunRecord;
}

async function readRecord(
  folder: OutputFolder,
  name: string,
  { isStrict = false, skipped }: { readonly isStrict?: boolean; readonly skipped?: Skipped | undefined } = {},
): Promise<RunRecord | undefined> {
  const text = await folder.read(name, budgets.runRecord).catch((error: unknown) => {
    // A folder of that name, or a file that is too large for a record. What the disk refuses may be a record.
    if (!OutputError.is(error) || (error.cause !== undefined && isStrict)) throw error;
    if (error.cause === undefined) skipped?.(error);
    return undefined;
  });
  return text === undefined ? undefined : readRunRecord(text, name, skipped);
}

/** Undefined if it isn't a readable record; `skipped` is called with the reason. */
export async function recordNamed(
  folder: OutputFolder,
  name: string,
  skipped?: Skipped,
): Promise<ListedRecord | undefined> {
  if (!isRecordName(name) || !isSafeSegment(name)) return undefined;
  const record = await readRecord(folder, name, { skipped });
  return record && { name, record };
}

interface RecordWalk {
  /** So many, the newest first by their names; without it all, in the order of their names. */
  readonly newest?: number;
  readonly skipped?: Skipped | undefined;
  /** Called for files that are named like records and can't be read. With it, nothing may be missed: the disk's errors are thrown. */
  readonly onUnreadable?: (name: string) => void;
}

/** The readable records, one at a time, since each may contain a full prompt. */
export async function* recordsIn(
  folder: OutputFolder,
  { newest, skipped, onUnreadable }: RecordWalk = {},
): AsyncGenerator<ListedRecord> {
  if (newest === undefined) void removeDeadLocks(folder, { mayEnd: true }).catch(() => undefined);
  const names = (await folder.list()).filter((name) => isRecordName(name));
  for (const name of newest === undefined ? names.sort() : newestFirst(names).slice(0, newest)) {
    const record = await readRecord(folder, name, { isStrict: onUnreadable !== undefined, skipped });
    if (record) yield { name, record };
    else onUnreadable?.(name);
  }
}

/** Names of records, or of other files that `runPrefix` names. Of the same second, the longer ` (2)` is newer. */
export function newestFirst(names: readonly string[]): readonly string[] {
  const keyed = names.map((name) => {
    const [, time = ''] = /-(\d{8}-\d{6})[^/]*$/.exec(name) ?? [];
    return { name, key: `${time} ${String(name.length).padStart(5, '0')}` };
  });
  return keyed.sort((a, b) => (a.key < b.key ? 1 : -1)).map(({ name }) => name);
}

export async function findRecord(
  folder: OutputFolder,
  isWanted: (record: RunRecord) => boolean,
  walk?: RecordWalk,
): Promise<ListedRecord | undefined> {
  for await (const listed of recordsIn(folder, walk)) if (isWanted(listed.record)) return listed;
  return undefined;
}

/**
 * Reserves a stem that all files of one run start with: the first of `stem`, `stem (2)`, … that is free. The run
 * record `<stem>.run.json` makes it exclusive: it is written first, completely, and never over another.
 * @param wanted as returned by `outputPrefix`
 * @param record bytes of the first record
 */
export async function reserveStem(
  folder: OutputFolder,
  wanted: string,
  record: (stem: string) => Uint8Array,
): Promise<string> {
  const used = usedNumbers(await folder.list(), wanted);
  let count = 0;
  return putUnderFreeName(
    () => {
      do count++;
      while (used.has(count));
      return count === 1 ? wanted : `${wanted} (${count})`;
    },
    (stem) => writeWhole(folder, recordName(stem), record(stem)),
  );
}

/** The numbers of the stem in existing names; 1 is the stem without one. */
function usedNumbers(names: readonly string[], stem: string): ReadonlySet<number> {
  const start = sameOnEveryDisk(stem);
  const used = new Set<number>();
  for (const name of names.map(sameOnEveryDisk)) {
    if (!name.startsWith(start)) continue;
    const match = /^(?: \((\d{1,9})\))?[-.]/.exec(name.slice(start.length));
    if (match) used.add(Number(match[1] ?? 1));
  }
  return used;
}
