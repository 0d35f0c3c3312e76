import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { countAt } from '../safety/lists';
import type { OutputFile } from '../protocol/outputFile';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';
import { sizeText } from '../safety/sizeText';
import { removeFile, removeFolder } from './changeFile';
import { downloadOutput, type DownloadTiming, type OutputSource } from './downloadOutput';
import { NodeFolder } from './nodeFolder';
import { OutputError } from './outputError';
import { outputName } from './outputNames';
import { outputFileKey } from './expectedFile';
import { holdStamp, type LetGo, removeUnfinished, temporaryName } from './ownerStamp';

/** Nobody waits for these files for long: what does not arrive stays on the server. */
const timing: DownloadTiming = { waits: [500], total: budgets.temporaryTime };

interface Fetched {
  readonly name: string;
  readonly bytes: number;
}

/** A folder that is removed with this process. Beyond the limit, the oldest job's outputs are removed. */
export class TemporaryFiles {
  readonly folder: string;
  /** Job ID -> its local outputs; the job fetched last at the end. */
  readonly #jobs = new Map<string, Map<string, Fetched>>();
  readonly #underWay = new Map<string, number>();
  #count = 0;
  #bytes = 0;
  #held: Promise<LetGo | undefined> | undefined;

  /**
   * @param parent where all processes have their folders
   * @param changed this job's files were added or removed, or fetching started or ended
   * @param most bytes of all jobs together
   */
  constructor(
    private readonly parent: string,
    private readonly changed: (jobId: string) => void,
    private readonly most: number = budgets.temporaryBytes,
  ) {
    this.folder = path.join(parent, temporaryName());
  }

  find(jobId: string, file: OutputFile): string | undefined {
    const fetched = this.#jobs.get(jobId)?.get(outputFileKey(file));
    return fetched && path.join(this.folder, fetched.name);
  }

  isFetching(jobId: string): boolean {
    return countAt(this.#underWay, jobId) > 0;
  }

  /**
   * Fetches what is missing. A file that fails does not prevent the others.
   * @throws the first failure, once the others are done; the signal's reason when aborted
   */
  async fetch(
    jobId: string,
    files: readonly OutputFile[],
    source: OutputSource,
    signal: AbortSignal,
  ): Promise<void> {
    const missing = files.filter((file) => this.find(jobId, file) === undefined);
    if (missing.length === 0) return;
    this.#held ??= this.#hold();
    await this.#held;
    this.#countFetches(jobId, 1);
    const failures: unknown[] = [];
    try {
      for (const file of missing.slice(0, budgets.outputFiles)) {
        signal.throwIfAborted();
        try {
          await this.#fetch(jobId, file, source, signal);
        } catch (error) {
          signal.throwIfAborted();
          failures.push(error);
        }
      }
    } finally {
      this.#countFetches(jobId, -1);
    }
    if (failures.length > 0) throw failures[0];
  }

  async forget(jobIds: readonly string[]): Promise<void> {
    for (const id of jobIds) await this.#forget(id);
  }

  async close(): Promise<void> {
    this.#jobs.clear();
    await removeFolder(this.folder);
    const letGo = await this.#held;
    await letGo?.();
  }

  async #fetch(jobId: string, file: OutputFile, source: OutputSource, signal: AbortSignal): Promise<void> {
    if (this.find(jobId, file) !== undefined) return;
    const name = outputName(String(++this.#count), file);
    const others = [...(this.#jobs.get(jobId)?.values() ?? [])];
    const room = others.reduce((left, { bytes }) => left - bytes, this.most);
    const { bytes } = await downloadOutput({
      file,
      source,
      folder: new NodeFolder(this.folder),
      temporary: name,
      onBytes: (received, size = received) => {
        if (size <= room) return;
        const most = sizeText(this.most);
        throw new OutputError(
          t`The temporary outputs of this job are larger than ${most}, so not all of them are shown.`,
          'tooLarge',
        );
      },
      timing,
      signal,
    });
    // Another caller requested it in the meantime.
    if (this.find(jobId, file) !== undefined) return removeFile(path.join(this.folder, name));
    const fetched = this.#jobs.get(jobId) ?? new Map<string, Fetched>();
    this.#jobs.delete(jobId);
    this.#jobs.set(jobId, fetched.set(outputFileKey(file), { name, bytes }));
    this.#bytes += bytes;
    for (const id of this.#jobs.keys()) {
      if (this.#bytes <= this.most || id === jobId) break;
      await this.#forget(id);
    }
    this.changed(jobId);
  }

  async #forget(jobId: string): Promise<void> {
    const files = this.#jobs.get(jobId);
    if (!files) return;
    this.#jobs.delete(jobId);
    for (const { name, bytes } of files.values()) {
      this.#bytes -= bytes;
      await removeFile(path.join(this.folder, name));
    }
    this.changed(jobId);
  }

  #countFetches(jobId: string, more: 1 | -1): void {
    this.#underWay.set(jobId, countAt(this.#underWay, jobId) + more);
    this.changed(jobId);
  }

  /** Removes what programs that were killed have left, too, which nobody waits for. */
  async #hold(): Promise<LetGo | undefined> {
    const all = new NodeFolder(this.parent);
    try {
      await mkdir(this.parent, { recursive: true });
      return await holdStamp(all);
    } catch {
      // The file that is fetched can't be written either, and its error says so.
      return undefined;
    } finally {
      const remove = (name: string): Promise<void> => removeFolder(path.join(this.parent, name));
      void removeUnfinished(all, { mayEnd: true }, remove).catch(() => undefined);
    }
  }
}
