import type { Job } from '../jobs/job';
import { missingOutputs } from '../jobs/outputCount';
import type { OutputFile } from '../protocol/outputFile';
import { ServerError } from '../protocol/serverError';
import { download, patientTiming } from './downloadOutput';
import type { DownloadTiming, OutputSource } from './downloadOutput';
import { FreeNames } from './freeNames';
import { neutralName } from './neutralEnding';
import { OutputError, type OutputErrorReason } from './outputError';
import type { Fingerprint, OutputFolder } from './outputFolder';
import { filesWorthSaving, isTemporary, outputName, outputPrefix } from './outputNames';
import { RecordFile } from './recordFile';
import {
  expectedFile,
  foreignRecord,
  outputKey,
  savingRecord,
  settledRecord,
  withFiles,
} from './recordSteps';
import type { ExpectedFile, RunRecord } from './runRecord';
import { SavingLimits } from './savingLimits';
import { temporaryName } from './temporaryName';
import { plural, t } from '../safety/localize';

export interface SavedOutput {
  readonly file: OutputFile;
  /** Name in the folder. */
  readonly name: string;
  /** Path or URI text. */
  readonly location: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export interface SaveProgress {
  readonly file: OutputFile;
  /** 1-based. */
  readonly index: number;
  readonly count: number;
  readonly bytes: number;
  /** Missing when the server does not say. */
  readonly size?: number | undefined;
}

export interface SaveRequest {
  readonly job: Job;
  readonly client: OutputSource;
  readonly folder: OutputFolder;
  /** The record that was written before the prompt left; without one it is written now, before the first file. */
  readonly run?: RecordFile | undefined;
  /** What only the submitter knows, for a record that is written now; the prompt as posted. */
  readonly record: { readonly promptText?: string | undefined };
  /** Which files; by default those that `filesWorthSaving` names. What the record lists stays among them. */
  readonly files?: readonly OutputFile[] | undefined;
  /** Temporary outputs are worth saving whatever else the job made. */
  readonly temporaryToo?: boolean | undefined;
  /** What somebody looks at now: fetched before the others. */
  readonly shown?: (() => OutputFile | undefined) | undefined;
  readonly onProgress?: ((progress: SaveProgress) => void) | undefined;
  readonly timing?: DownloadTiming | undefined;
  readonly clock?: (() => number) | undefined;
  readonly signal: AbortSignal;
}

export interface FailedOutput {
  /** Missing when it was the run record that could not be written. */
  readonly file?: OutputFile;
  readonly error: unknown;
}

/** Some outputs could not be saved; what could be is in the folder, with its run record. */
export class OutputsNotSavedError extends OutputError {
  constructor(
    readonly saved: readonly SavedOutput[],
    readonly failed: readonly [FailedOutput, ...FailedOutput[]],
  ) {
    const { error } = failed[0];
    super(sentence(saved.length, failed), error instanceof OutputError ? error.reason : 'broken', error);
  }

  override get nextAction(): string {
    return this.cause instanceof ServerError ? this.cause.nextAction : super.nextAction;
  }
}

/**
 * Saves what a job made into the folder, each file whole or not at all, nothing overwritten. The run record beside them
 * comes first and tells at every moment what is still missing; what it says is on disk and is there unchanged is not
 * fetched again. A file that fails does not keep the others from being saved, except when the disk is full.
 * @returns all outputs that are on disk now
 * @throws OutputsNotSavedError when a file could not be saved; the signal's reason when aborted
 */
export async function saveOutputs(request: SaveRequest): Promise<SavedOutput[]> {
  const { job, folder } = request;
  const wanted = request.files ?? filesWorthSaving(job, request.temporaryToo);
  if (!request.run && wanted.length === 0 && job.texts.length === 0) return [];
  let run = request.run;
  try {
    run ??= await RecordFile.create(
      folder,
      outputPrefix(job, request.clock?.() ?? Date.now()),
      foreignRecord(job, request.record.promptText),
    );
    const names = await FreeNames.of(folder);
    const earlier = new Map(run.record.expected.map((each) => [outputKey(each), each]));
    const files = [...wanted, ...recordedBefore(job, wanted, earlier)];
    const plan = planOf(files, run.stem, earlier, names);
    await run.change((record) => savingRecord(record, job, plan));
    return await new Saving(request, run, names, files, plan).go(earlier);
  } catch (error) {
    throw OutputError.is(error) && !(error instanceof OutputsNotSavedError)
      ? new OutputsNotSavedError([], [{ error }])
      : error;
  } finally {
    if (!request.run && run) await letGo(run);
  }
}

/** A record that was written for a job from elsewhere, of which nothing could be saved, is not left behind. */
async function letGo(run: RecordFile): Promise<void> {
  const { files, state } = run.record;
  if (files.length === 0 && state === 'incomplete') await run.remove().catch(() => undefined);
  await run.close();
}

/** Temporary outputs that an earlier saving has listed: what lies on disk does not leave the record. */
function recordedBefore(
  job: Job,
  wanted: readonly OutputFile[],
  earlier: ReadonlyMap<string, ExpectedFile>,
): readonly OutputFile[] {
  const keys = new Set(wanted.map(keyOf));
  return job.outputs.filter(
    (file) => isTemporary(file) && earlier.has(keyOf(file)) && !keys.has(keyOf(file)),
  );
}

function keyOf(file: OutputFile): string {
  return outputKey(expectedFile(file, ''));
}

/** The names that the outputs get, the same ones when they are saved again. */
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

/** Records are files that anybody may have edited or sent: they make no program, and nothing that programs look for. */
function isGivenName(name: string, stem: string): boolean {
  return name.startsWith(`${stem}-`) && neutralName(name) === name;
}

/** What will not be better with the next file. */
const endsSaving: ReadonlySet<OutputErrorReason> = new Set(['diskFull', 'notWritable', 'tooMany']);

/** One attempt to bring the outputs of a run to disk. */
class Saving {
  /** By place in the plan. */
  readonly #saved = new Map<number, SavedOutput>();
  readonly #failed: FailedOutput[] = [];
  readonly #limits: SavingLimits;

  constructor(
    private readonly request: SaveRequest,
    private readonly run: RecordFile,
    private readonly names: FreeNames,
    private readonly files: readonly OutputFile[],
    private readonly plan: readonly ExpectedFile[],
  ) {
    this.#limits = new SavingLimits(files.length);
  }

  /** @param earlier what earlier attempts have planned: a file of such a name is the output */
  async go(earlier: ReadonlyMap<string, ExpectedFile>): Promise<SavedOutput[]> {
    try {
      if (earlier.size > 0) await this.#lookAtDisk(earlier);
      await this.#fetchAll();
      this.#missNone();
    } finally {
      // What was saved before an abort or a full disk keeps its history too.
      await this.#settle();
    }
    const [first, ...others] = this.#failed;
    if (first !== undefined) throw new OutputsNotSavedError(this.#inOrder(), [first, ...others]);
    return this.#inOrder();
  }

  /** What earlier attempts have saved, although they may not have come to writing so down. */
  async #lookAtDisk(earlier: ReadonlyMap<string, ExpectedFile>): Promise<void> {
    const recorded = new Map(this.run.record.files.map(({ name, sha256 }) => [name, sha256]));
    for (const [index, file] of this.files.entries()) {
      const planned = this.plan[index];
      if (!planned || earlier.get(outputKey(planned)) !== planned) continue;
      this.request.signal.throwIfAborted();
      // Something else of that name is not the output.
      const found = await this.request.folder.fingerprint(planned.name).catch(() => undefined);
      const hash = recorded.get(planned.name);
      if (found && (hash === undefined || hash === found.sha256))
        this.#keep(index, file, planned.name, found);
    }
  }

  async #fetchAll(): Promise<void> {
    const { signal } = this.request;
    for (const index of this.#missing()) {
      const file = this.files[index];
      const planned = this.plan[index];
      if (!file || !planned) continue;
      signal.throwIfAborted();
      try {
        await this.#fetch(file, planned, index);
        await this.run.note((record) => this.#withSaved(record));
      } catch (error) {
        signal.throwIfAborted();
        this.#failed.push({ file, error });
        if (OutputError.is(error) && endsSaving.has(error.reason)) break;
      }
    }
  }

  /** Places in the plan of what is not on disk: each time the one that is looked at, else the first. */
  *#missing(): Generator<number> {
    const missing = new Set(this.plan.keys());
    for (const index of this.#saved.keys()) missing.delete(index);
    const places = new Map(this.plan.map((planned, index) => [outputKey(planned), index]));
    for (let first = 0; missing.size > 0;) {
      while (!missing.has(first)) first++;
      const file = this.request.shown?.();
      const shown = file && places.get(keyOf(file));
      const next = shown !== undefined && missing.has(shown) ? shown : first;
      missing.delete(next);
      yield next;
    }
  }

  /** Outputs that are counted and not listed are owed still. */
  #missNone(): void {
    const missing = missingOutputs(this.request.job);
    if (!missing) return;
    this.#failed.push({ error: new OutputError(notListed(missing), 'notListed') });
  }

  async #fetch(file: OutputFile, planned: ExpectedFile, index: number): Promise<void> {
    const { folder, client, signal, onProgress, timing } = this.request;
    const temporary = temporaryName();
    const count = this.files.length;
    const downloaded = await download({
      file,
      source: client,
      folder,
      temporary,
      signal,
      room: this.#limits.room(),
      timing: timing ?? patientTiming,
      onBytes: (bytes, size) => onProgress?.({ file, index: index + 1, count, bytes, size }),
    });
    this.#limits.took(downloaded.bytes);
    try {
      signal.throwIfAborted();
      this.#keep(index, file, await this.#takeName(temporary, planned.name), downloaded);
    } catch (error) {
      await folder.remove(temporary).catch(() => undefined);
      throw error;
    }
  }

  /** Another program may have put a file there since the name was planned. */
  async #takeName(temporary: string, planned: string): Promise<string> {
    for (let name = planned; ; name = this.names.take(planned)) {
      try {
        await this.request.folder.rename(temporary, name);
        return name;
      } catch (error) {
        if (!OutputError.is(error, 'exists')) throw error;
      }
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
    return withFiles(record, saved);
  }

  /** Keeps the error instead of throwing it: it must not hide the one that ended the saving. */
  async #settle(): Promise<void> {
    const { job } = this.request;
    const [first] = this.#failed;
    try {
      await this.run.change((record) =>
        settledRecord(this.#withSaved(record), job, first && wordsOf(first.error)),
      );
    } catch (error) {
      this.#failed.push({ error });
    }
  }
}

function notListed({ counted, listed }: { readonly counted: number; readonly listed: number }): string {
  if (listed > 0) return t`The server counts ${counted} outputs for the job but lists ${listed}.`;
  return plural(
    counted,
    t`The server counts 1 output for the job but lists none.`,
    t`The server counts ${counted} outputs for the job but lists none.`,
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : t`An output could not be saved.`;
}

function sentence(savedCount: number, failed: readonly [FailedOutput, ...FailedOutput[]]): string {
  const { error } = failed[0];
  return [
    wordsOf(error),
    ...(failed.length > 1 ? [t`${failed.length} outputs could not be saved.`] : []),
    ...(savedCount > 0 ? [t`${savedCount} saved.`] : []),
  ].join(' ');
}
