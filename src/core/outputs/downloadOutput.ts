import { createHash, type Hash } from 'node:crypto';
import { abortableSleep, linkAbort, silentWait } from '../client/timing';
import type { ViewAnswer } from '../client/view';
import type { OutputFile } from '../protocol/outputFile';
import { ServerError, type ServerErrorReason } from '../protocol/serverError';
import { budgets } from '../safety/budgets';
import { OutputError, outputErrorWords } from './outputError';
import type { Fingerprint, OutputFolder, OutputSink } from './outputFolder';
import { shownName } from './outputWords';
import { t } from '../safety/localize';
import { sizeText } from '../safety/sizeText';

/** @throws OutputError for a file that is too large */
function refuseSize(file: OutputFile, bytes: number): void {
  if (bytes <= budgets.outputFileBytes) return;
  const [name, most] = [shownName(file), sizeText(budgets.outputFileBytes)];
  throw new OutputError(t`${name} is larger than the limit of ${most} per file.`, 'tooLarge');
}

/** @throws OutputError when the disk has less room than that, bytes */
async function requireRoom({ file, folder }: DownloadRequest, bytes: number): Promise<void> {
  const free = await folder.free();
  if (free === undefined || free >= bytes) return;
  const left = sizeText(free);
  throw new OutputError(t`The disk has ${left} left, so ${shownName(file)} wasn't saved.`, 'diskFull');
}

export interface OutputSource {
  view(
    file: OutputFile,
    options: { readonly signal?: AbortSignal | undefined; readonly offset?: number | undefined },
  ): Promise<ViewAnswer>;
  notice?(sentence: string): void;
}

export interface DownloadTiming {
  /** Delays before the next attempt, in ms: also the maximum number of consecutive attempts without a new byte. */
  readonly waits: readonly number[];
  /** For the entire download, in ms; the budget, unless a test sets its own. */
  readonly total?: number | undefined;
}

export const patientTiming: DownloadTiming = { waits: [500, 1500, 4000, 8000] };

export interface DownloadRequest {
  readonly file: OutputFile;
  readonly source: OutputSource;
  readonly folder: OutputFolder;
  /** The name to write under; removed again when the download does not succeed. */
  readonly temporary: string;
  readonly onBytes: (bytes: number, size: number | undefined) => void;
  readonly timing: DownloadTiming;
  readonly signal: AbortSignal;
}

/** Trouble that may be over in a moment; everything else is final. */
const passing: ReadonlySet<ServerErrorReason> = new Set(['network', 'timeout', 'server', 'rateLimited']);

/**
 * Resumes a broken transfer if the server can. One chunk is in memory at a time. After any failure or abort the
 * temporary file is removed. It always ends: attempts must make progress, and share a time limit.
 */
export async function downloadOutput(request: DownloadRequest): Promise<Fingerprint> {
  const total = request.timing.total ?? budgets.streamTime;
  const limit = new AbortController();
  const unlink = linkAbort(request.signal, limit);
  const timer = setTimeout(() => limit.abort(failed(request.file, 'tooSlow')), total);
  try {
    return await attempts({ ...request, signal: limit.signal });
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

async function attempts(request: DownloadRequest): Promise<Fingerprint> {
  const { folder, temporary, timing, signal } = request;
  const target = await Target.open(folder, temporary);
  try {
    for (let fruitless = 0; ; fruitless++) {
      signal.throwIfAborted();
      const before = target.bytes;
      try {
        await receive(request, target);
        break;
      } catch (error) {
        signal.throwIfAborted();
        if (target.resumable && target.bytes > before) fruitless = 0;
        const wait = timing.waits[fruitless];
        if (!mayPass(error) || wait === undefined) throw error;
        if (wait > silentWait) {
          const [name, seconds] = [shownName(request.file), Math.ceil(wait / 1000)];
          request.source.notice?.(t`${name} couldn't be downloaded. Retrying in ${seconds} s.`);
        }
        await abortableSleep(wait, signal);
        if (!target.resumable) await target.startAgain();
      }
    }
    return await target.finish();
  } catch (error) {
    await target.discard();
    throw error;
  }
}

async function receive(request: DownloadRequest, target: Target): Promise<void> {
  const { file, source, onBytes, signal } = request;
  const asked = target.bytes;
  const name = shownName(file);
  const interrupted = (cause?: unknown): OutputError =>
    broken(t`The download of ${name} was interrupted after ${target.bytes} bytes.`, cause);
  const answer = await source.view(file, { signal, ...(asked > 0 && { offset: asked }) });
  try {
    const fits = target.fits(answer);
    target.resumable = fits && answer.resumable;
    if (!fits) throw interrupted();
    refuseErrorPage(file, answer);
    const { size } = answer;
    let checkedAt = target.bytes;
    if (size !== undefined) {
      refuseSize(file, size);
      await requireRoom(request, size - target.bytes);
    }
    onBytes(target.bytes, size);
    for await (const chunk of chunks(answer.body, signal)) {
      await target.write(chunk);
      // A body longer than announced may never end.
      if (size !== undefined && target.bytes > size) break;
      refuseSize(file, target.bytes);
      if (target.bytes - checkedAt >= budgets.diskCheckEvery) {
        checkedAt = target.bytes;
        if (checkedAt !== size) await requireRoom(request, budgets.diskReserve);
      }
      onBytes(target.bytes, size);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutputError || error instanceof ServerError) throw error;
    // A body that breaks off rejects with whatever the HTTP stack throws; after the last byte, that no longer matters.
    if (target.bytes !== answer.size) throw interrupted(error);
  } finally {
    void answer.body.cancel().catch(ignore);
  }
  if (target.bytes === 0) throw broken(t`The server sent an empty file.`);
  if (answer.size === undefined || answer.size === target.bytes) return;
  if (target.bytes < answer.size)
    throw broken(
      t`The download of ${name} was interrupted after ${t`${target.bytes} of ${answer.size}`} bytes.`,
    );
  // More than announced can't be fixed by requesting the rest.
  target.resumable = false;
  throw broken(t`The download of ${name} is larger than the ${answer.size} bytes announced.`);
}

function failed(file: OutputFile, reason: 'tooSlow' | 'notTheFile'): OutputError {
  return new OutputError(outputErrorWords(reason, shownName(file)), reason);
}

function broken(message: string, cause?: unknown): OutputError {
  return new OutputError(message, 'broken', cause);
}

/** A proxy or a login page answers 200 with its own page, which is not the picture. */
function refuseErrorPage(file: OutputFile, answer: ViewAnswer): void {
  if (answer.mime === undefined || !/^text\/html\b/i.test(answer.mime)) return;
  if (/\.html?$/i.test(file.filename)) return;
  throw failed(file, 'notTheFile');
}

function mayPass(error: unknown): boolean {
  if (error instanceof OutputError) return error.reason === 'broken';
  return error instanceof ServerError && !error.lasts && passing.has(error.reason);
}

/** The chunks of a stream; an abort ends the wait even if the source ignores it. */
async function* chunks(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  // Cancelling settles a pending read at once, whatever the source does.
  const leave = (): void => void reader.cancel().catch(ignore);
  signal.addEventListener('abort', leave, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', leave);
    reader.releaseLock();
  }
}

function ignore(): void {
  // The fate of a stream that nobody reads any more does not matter.
}

class Target {
  resumable = false;
  #hash: Hash = createHash('sha256');
  #open = true;
  #of: Pick<ViewAnswer, 'size' | 'version'> = {};

  private constructor(
    private readonly folder: OutputFolder,
    private readonly name: string,
    private sink: OutputSink,
  ) {}

  static async open(folder: OutputFolder, name: string): Promise<Target> {
    return new Target(folder, name, await folder.create(name));
  }

  get bytes(): number {
    return this.sink.size;
  }

  /** Whether the answer is about the file whose first bytes are here, and not about one that replaced it. */
  fits({ size, version }: ViewAnswer): boolean {
    if (this.bytes === 0) this.#of = { size, version };
    const { size: sizeBefore = size, version: versionBefore = version } = this.#of;
    return (size ?? sizeBefore) === sizeBefore && (version ?? versionBefore) === versionBefore;
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.sink.write(chunk);
    this.#hash.update(chunk);
  }

  async startAgain(): Promise<void> {
    if (this.bytes === 0) return;
    await this.discard();
    this.sink = await this.folder.create(this.name);
    this.#open = true;
    this.#hash = createHash('sha256');
  }

  async finish(): Promise<Fingerprint> {
    const { bytes } = this;
    await this.sink.sync();
    await this.#close();
    return { bytes, sha256: this.#hash.digest('hex') };
  }

  async discard(): Promise<void> {
    await this.#close().catch(ignore);
    await this.folder.remove(this.name).catch(ignore);
  }

  async #close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.sink.close();
  }
}
