import type { Job } from '../jobs/job';
import type { OutputFile } from '../protocol/outputFile';
import { ServerError } from '../protocol/serverError';
import { download, patientTiming } from './download';
import type { Downloaded, DownloadTiming, OutputSource } from './download';
import { OutputError } from './outputError';
import type { OutputFolder } from './outputFolder';
import { filesWorthSaving, outputName, outputPrefix, recordName } from './outputNames';
import { runRecordOf, writeRunRecord } from './runRecord';
import type { RecordedFile } from './runRecord';
import { uniqueName } from './safeName';
import { temporaryName } from './writeWhole';

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
  /** What only the submitter knows for the run record; the prompt as posted. */
  readonly record: { readonly promptText?: string | undefined };
  /** Which files; by default those that `filesWorthSaving` names. */
  readonly files?: readonly OutputFile[] | undefined;
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
 * Saves what a job made into the folder, each file whole or not at all, nothing overwritten, and writes the run
 * record beside them. A file that fails does not keep the others from being saved, except when the disk is full.
 * @throws OutputsNotSavedError when a file could not be saved; the signal's reason when aborted
 */
export async function saveOutputs(request: SaveRequest): Promise<SavedOutput[]> {
  const { job, signal } = request;
  const files = request.files ?? filesWorthSaving(job);
  const prefix = outputPrefix(job, request.clock?.() ?? Date.now());
  const saved: SavedOutput[] = [];
  const failed: FailedOutput[] = [];
  try {
    for (const [index, file] of files.entries()) {
      signal.throwIfAborted();
      try {
        saved.push(await saveOne(request, file, { prefix, index: index + 1, count: files.length }));
      } catch (error) {
        signal.throwIfAborted();
        failed.push({ file, error });
        if (OutputError.is(error, 'diskFull') || OutputError.is(error, 'notWritable')) break;
      }
    }
  } finally {
    // What was saved before an abort or a full disk keeps its history too.
    const unwritten = await keepRecord(request, prefix, saved);
    if (unwritten !== undefined) failed.push({ error: unwritten });
  }
  const [first, ...others] = failed;
  if (first !== undefined) throw new OutputsNotSavedError(saved, [first, ...others]);
  return saved;
}

interface Place {
  readonly prefix: string;
  readonly index: number;
  readonly count: number;
}

async function saveOne(request: SaveRequest, file: OutputFile, place: Place): Promise<SavedOutput> {
  const { folder, client, signal, onProgress } = request;
  const temporary = temporaryName();
  const downloaded = await download({
    file,
    source: client,
    folder,
    temporary,
    signal,
    timing: request.timing ?? patientTiming,
    onBytes: (bytes, size) => onProgress?.({ file, index: place.index, count: place.count, bytes, size }),
  });
  try {
    signal.throwIfAborted();
    const name = await takeName(folder, temporary, outputName(place.prefix, file));
    return savedOutput(folder, file, name, downloaded);
  } catch (error) {
    await folder.remove(temporary);
    throw error;
  }
}

function savedOutput(
  folder: OutputFolder,
  file: OutputFile,
  name: string,
  { bytes, sha256 }: Downloaded,
): SavedOutput {
  return { file, name, location: folder.location(name), bytes, sha256 };
}

/** Gives the finished file the first free name; another program may take one between the look and the step. */
async function takeName(folder: OutputFolder, temporary: string, wanted: string): Promise<string> {
  for (;;) {
    const name = await uniqueName(wanted, (candidate) => folder.exists(candidate));
    try {
      await folder.rename(temporary, name);
      return name;
    } catch (error) {
      if (!OutputError.is(error, 'exists')) throw error;
    }
  }
}

/** Gives the error instead of throwing it: it must not hide the one that ended the saving. */
async function keepRecord(
  { job, record, folder, signal }: SaveRequest,
  prefix: string,
  saved: readonly SavedOutput[],
): Promise<unknown> {
  const onlyTexts = job.texts.length > 0 && filesWorthSaving(job).length === 0 && !signal.aborted;
  if (saved.length === 0 && !onlyTexts) return undefined;
  try {
    await writeRunRecord(
      folder,
      recordName(prefix),
      runRecordOf(job, record.promptText, saved.map(recorded)),
    );
    return undefined;
  } catch (error) {
    return error;
  }
}

function recorded({ file, name, bytes, sha256 }: SavedOutput): RecordedFile {
  const original = file.subfolder === '' ? file.filename : `${file.subfolder}/${file.filename}`;
  return { name, sha256, bytes, node: file.nodeId, area: file.area, original };
}

function sentence(savedCount: number, failed: readonly [FailedOutput, ...FailedOutput[]]): string {
  const { error } = failed[0];
  const reason = error instanceof Error ? error.message : 'An output could not be saved.';
  const others = failed.length > 1 ? ` ${failed.length} outputs could not be saved.` : '';
  const kept = savedCount > 0 ? ` ${savedCount} saved.` : '';
  return `${reason}${others}${kept}`;
}
