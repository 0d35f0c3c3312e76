import type { Job } from '../jobs/job';
import { missingOutputs, notListedWords } from '../jobs/outputCount';
import type { OutputFile } from '../protocol/outputFile';
import {
  downloadOutput,
  patientTiming,
  type DownloadTiming,
  type OutputSource,
} from '../outputs/downloadOutput';
import { OutputError, tooManyWords, type OutputErrorReason } from '../outputs/outputError';
import type { Fingerprint, OutputFolder } from '../outputs/outputFolder';
import { neutralName } from '../outputs/neutralEnding';
import { filesWorthSaving, FreeNames, isTemporary, outputName } from '../outputs/outputNames';
import { type FailedOutput, notSavedWhy, OutputsNotSavedError } from './outputsNotSaved';
import type { RecordFile } from '../records/recordFile';
import { expectedFile, outputFileKey, outputKey } from '../outputs/expectedFile';
import type { ExpectedFile, SavedOutput } from '../outputs/expectedFile';
import {
  heardRecord,
  pricedRecord,
  savingRecord,
  settledRecord,
  recordWithFiles,
} from '../records/recordSteps';
import type { RunRecord } from '../records/runRecord';
import { temporaryName } from '../outputs/ownerStamp';
import { putUnderFreeName } from '../outputs/writeWhole';
import { budgets } from '../safety/budgets';

export interface SaveProgress {
  readonly file: OutputFile;
  /** 1-based. */
  readonly index: number;
  readonly count: number;
  readonly bytes: number;
  readonly size?: number | undefined;
}

export interface SaveRequest {
  readonly job: Job;
  readonly client: OutputSource;
  readonly folder: OutputFolder;
  readonly run: RecordFile;
  readonly temporaryToo?: boolean | undefined;
  readonly shown?: (() => OutputFile | undefined) | undefined;
  readonly onProgress?: ((progress: SaveProgress) => void) | undefined;
  readonly timing?: DownloadTiming | undefined;
  readonly signal: AbortSignal;
}

/**
 * Saves each output completely or not at all, and never over a file. The run record is written first and lists what
 * is missing; what it lists as saved and is unchanged is not fetched again. A file that fails does not stop the
 * others, unless the disk is full.
 * @throws OutputsNotSavedError when a file could not be saved; the signal's reason when aborted
 */
export async function saveRunOutputs(request: SaveRequest): Promise<SavedOutput[]> {
  const { job, folder, run } = request;
  const wanted = filesWorthSaving(job, request.temporaryToo);
  try {
    const names = await FreeNames.of(folder);
    const earlier = plannedBefore(run.record);
    // What an earlier save listed and has on disk stays in the record.
    const listed = job.outputs.filter((file) => isTemporary(file) && earlier.has(outputFileKey(file)));
    const files = [...new Set([...wanted, ...listed])];
    const plan = planOf(files, run.stem, earlier, names);
    await run.change((record) => savingRecord(record, job, plan));
    return await new Saving(request, names, files, plan).go(earlier);
  } catch (error) {
    throw OutputError.is(error) && !(error instanceof OutputsNotSavedError)
      ? new OutputsNotSavedError([], [{ error }])
      : error;
  }
}

function plannedBefore({ expected }: Pick<RunRecord, 'expected'>): Map<string, ExpectedFile> {
  return new Map(expected.map((each) => [outputKey(each), each]));
}

/**
 * The record with what only events have told so far: the price, and the outputs if its server doesn't list them. An
 * output whose name is taken later gets another one.
 */
export function withEventNews(
  record: RunRecord,
  stem: string,
  job: Job,
  temporaryToo: boolean | undefined,
): RunRecord {
  if (!record.outputNodes || record.state !== 'submitted') return pricedRecord(record, job);
  const names = new FreeNames(record.expected.map(({ name }) => name));
  const files = filesWorthSaving(job, temporaryToo);
  return heardRecord(record, job, planOf(files, stem, plannedBefore(record), names));
}

/** Gives outputs the same names when they are saved again. */
function planOf(
  files: readonly OutputFile[],
  stem: string,
  earlier: ReadonlyMap<string, ExpectedFile>,
  names: FreeNames,
): ExpectedFile[] {
  return files.map((file) => {
    const wanted = expectedFile(file, '');
    const known = earlier.get(outputKey(wanted));
    if (known && isGivenName(known.name, stem)) return known;
    return { ...wanted, name: names.take(outputName(stem, file)) };
  });
}

/** Anyone may have edited or sent a record: its names must not create programs, or files that programs look for. */
function isGivenName(name: string, stem: string): boolean {
  return name.startsWith(`${stem}-`) && neutralName(name) === name;
}

/** Reasons that the next file won't change. */
const endsSaving: ReadonlySet<OutputErrorReason> = new Set(['diskFull', 'notWritable', 'tooMany', 'taken']);

class Saving {
  readonly #saved = new Map<number, SavedOutput>();
  readonly #failed: FailedOutput[] = [];

  constructor(
    private readonly request: SaveRequest,
    private readonly names: FreeNames,
    private readonly files: readonly OutputFile[],
    private readonly plan: readonly ExpectedFile[],
  ) {}

  /** @param earlier the plan of earlier attempts: a file of such a name is the output */
  async go(earlier: ReadonlyMap<string, ExpectedFile>): Promise<SavedOutput[]> {
    try {
      if (earlier.size > 0) await this.#lookAtDisk(earlier);
      await this.#fetchAll();
      const missing = missingOutputs(this.request.job);
      // Outputs that are counted but not listed are still owed.
      if (missing) this.#failed.push({ error: new OutputError(notListedWords(missing), 'notListed') });
    } finally {
      // Outputs saved before an abort or a full disk keep their history too.
      await this.#settle();
    }
    const [first, ...others] = this.#failed;
    if (first !== undefined) throw new OutputsNotSavedError(this.#inOrder(), [first, ...others]);
    return this.#inOrder();
  }

  /** Finds outputs that earlier attempts saved, even if they couldn't record it. */
  async #lookAtDisk(earlier: ReadonlyMap<string, ExpectedFile>): Promise<void> {
    const recorded = new Map(this.request.run.record.files.map(({ name, sha256 }) => [name, sha256]));
    for (const [index, file] of this.files.entries()) {
      const planned = this.plan[index];
      if (!planned || earlier.get(outputKey(planned)) !== planned) continue;
      this.request.signal.throwIfAborted();
      // Another file of that name is not the output.
      const found = await this.request.folder.fingerprint(planned.name).catch(() => undefined);
      const hash = recorded.get(planned.name);
      if (found && (hash === undefined || hash === found.sha256))
        this.#keep(index, file, planned.name, found);
    }
  }

  async #fetchAll(): Promise<void> {
    const { signal } = this.request;
    let fetched = 0;
    for (const index of this.#missing()) {
      const file = this.files[index];
      const planned = this.plan[index];
      if (!file || !planned) continue;
      signal.throwIfAborted();
      try {
        if (fetched >= budgets.outputFiles) throw new OutputError(tooManyWords(this.files.length), 'tooMany');
        await this.#fetch(file, planned, index);
        fetched++;
        await this.request.run.note((record) => this.#withSaved(record));
      } catch (error) {
        signal.throwIfAborted();
        this.#failed.push({ file, error });
        if (OutputError.is(error) && endsSaving.has(error.reason)) break;
      }
    }
  }

  /** Indices of missing outputs in the plan: the viewed one first, otherwise in order. */
  *#missing(): Generator<number> {
    const missing = new Set(this.plan.keys());
    for (const index of this.#saved.keys()) missing.delete(index);
    const places = new Map(this.plan.map((planned, index) => [outputKey(planned), index]));
    for (let first = 0; missing.size > 0;) {
      while (!missing.has(first)) first++;
      const file = this.request.shown?.();
      const shown = file && places.get(outputFileKey(file));
      const next = shown !== undefined && missing.has(shown) ? shown : first;
      missing.delete(next);
      yield next;
    }
  }

  async #fetch(file: OutputFile, planned: ExpectedFile, index: number): Promise<void> {
    const { folder, client, signal, onProgress, timing } = this.request;
    const temporary = temporaryName();
    const count = this.files.length;
    const downloaded = await downloadOutput({
      file,
      source: client,
      folder,
      temporary,
      signal,
      timing: timing ?? patientTiming,
      onBytes: (bytes, size) => onProgress?.({ file, index: index + 1, count, bytes, size }),
    });
    try {
      signal.throwIfAborted();
      const name = await putUnderFreeName(
        (tries) => (tries === 0 ? planned.name : this.names.take(planned.name)),
        // The folder is flushed with the record, which names all of them.
        (free) => folder.rename(temporary, free, false),
      );
      this.#keep(index, file, name, downloaded);
    } catch (error) {
      await folder.remove(temporary).catch(() => undefined);
      throw error;
    }
  }

  #keep(index: number, file: OutputFile, name: string, { bytes, sha256 }: Fingerprint): void {
    this.#saved.set(index, { file, name, location: this.request.folder.location(name), bytes, sha256 });
  }

  #inOrder(): SavedOutput[] {
    return [...this.#saved].sort(([one], [other]) => one - other).map(([, saved]) => saved);
  }

  #withSaved(record: RunRecord): RunRecord {
    const saved = this.#inOrder().map(({ file, name, bytes, sha256 }) => ({
      ...expectedFile(file, name),
      sha256,
      bytes,
    }));
    return recordWithFiles(record, saved);
  }

  /** Keeps the error instead of throwing it: it must not hide the one that ended the saving. */
  async #settle(): Promise<void> {
    const { job } = this.request;
    const [first] = this.#failed;
    try {
      await this.request.run.change((record) =>
        settledRecord(this.#withSaved(record), job, first && notSavedWhy(first.error)),
      );
    } catch (error) {
      this.#failed.push({ error });
    }
  }
}
