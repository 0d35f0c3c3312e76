import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { RecordedInput } from '../../core/records/runRecord';
import type { SentTexts } from '../../core/runLife/sentTexts';
import type { Storage } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';

/** What this machine knows about a run besides the job. */
export interface SubmittedRun extends SentTexts {
  /** The only output nodes to run. */
  readonly targets?: readonly string[] | undefined;
  readonly inputs?: readonly RecordedInput[] | undefined;
  /** Output folder. */
  readonly outputFolder: vscode.Uri;
}

/** Where a run is recorded. */
interface RecordPlace {
  readonly outputFolder: vscode.Uri;
  /** Name in the folder. */
  readonly record: string;
}

/** Records that are looked at for runs of batches and of the command line, per folder. */
const mostRecords = 500;
/** They are looked at again after this long at the earliest, ms. */
const lookEvery = 10_000;

/**
 * The runs sent from here, for running again: what was sent is in their run records. Where those of this window's own
 * runs are is remembered, until the job is removed from the list; those of batches and of the command line are looked
 * for in the output folders.
 */
export class SubmittedRuns {
  readonly #storage: Pick<Storage, 'read' | 'write' | 'remove'>;
  readonly #trouble: Pick<StorageTrouble, 'guard'>;
  readonly #unrecorded = new Map<string, SubmittedRun>();
  readonly #folders: () => Promise<readonly vscode.Uri[]>;
  /** Job ID -> where its record was seen. */
  #seen = new Map<string, RecordPlace>();
  #looked: { readonly at: number; readonly done: Promise<void> } | undefined;

  /** @param folders where run records may be read */
  constructor(
    storage: Pick<Storage, 'read' | 'write' | 'remove'>,
    trouble: Pick<StorageTrouble, 'guard'>,
    folders: () => Promise<readonly vscode.Uri[]> = () => Promise.resolve([]),
  ) {
    this.#storage = storage;
    this.#trouble = trouble;
    this.#folders = folders;
  }

  /**
   * Never fails: an accepted job is tracked whatever the storage does.
   * @param record name of the run record; without one, the run is known in this window only
   */
  async keep(jobId: string, run: SubmittedRun, record: string | undefined): Promise<void> {
    if (record === undefined) {
      this.#unrecorded.set(jobId, run);
      return;
    }
    const place = { outputFolder: run.outputFolder.toString(), record };
    await this.#trouble.guard(this.#storage.write(fileOf(jobId), JSON.stringify(place)));
  }

  /** What was sent as this job; undefined if its record is gone. */
  async of(jobId: string): Promise<SubmittedRun | undefined> {
    const unrecorded = this.#unrecorded.get(jobId);
    if (unrecorded) return unrecorded;
    const place = readPlace(await this.#storage.read(fileOf(jobId))) ?? (await this.#find(jobId));
    return place && recordedRun(place, jobId);
  }

  async #find(jobId: string): Promise<RecordPlace | undefined> {
    if (!this.#seen.has(jobId) && !(this.#looked && Date.now() - this.#looked.at < lookEvery))
      this.#looked = { at: Date.now(), done: this.#look() };
    await this.#looked?.done;
    return this.#seen.get(jobId);
  }

  async #look(): Promise<void> {
    const [{ NodeFolder }, { newestRecords }] = await Promise.all([
      import('../../core/outputs/nodeFolder'),
      import('../../core/records/recordFile'),
    ]);
    const seen = new Map<string, RecordPlace>();
    for (const outputFolder of await this.#folders()) {
      for await (const { name, record } of newestRecords(new NodeFolder(outputFolder.fsPath), mostRecords))
        if (record.job !== undefined && !seen.has(record.job))
          seen.set(record.job, { outputFolder, record: name });
    }
    this.#seen = seen;
  }

  async forget(jobIds: readonly string[]): Promise<void> {
    for (const id of jobIds) this.#unrecorded.delete(id);
    await Promise.all(jobIds.map((id) => this.#storage.remove(fileOf(id))));
  }
}

/** IDs come from servers and may contain anything: a hash is always a valid file name. */
function fileOf(jobId: string): string {
  return `run-${createHash('sha256').update(jobId).digest('hex').slice(0, 40)}.json`;
}

function readPlace(text: string | undefined): RecordPlace | undefined {
  if (text === undefined) return undefined;
  try {
    const { outputFolder, record } = JSON.parse(text) as { outputFolder?: unknown; record?: unknown };
    if (typeof outputFolder !== 'string' || typeof record !== 'string') return undefined;
    return { outputFolder: vscode.Uri.parse(outputFolder, true), record };
  } catch {
    return undefined;
  }
}

/** What the record says was sent as this job; undefined if it is gone, or of another run by now. */
async function recordedRun(
  { outputFolder, record: name }: RecordPlace,
  jobId: string,
): Promise<SubmittedRun | undefined> {
  const { isSafeSegment } = await import('../../core/outputs/safeName');
  if (!isSafeSegment(name)) return undefined;
  const { NodeFolder } = await import('../../core/outputs/nodeFolder');
  const { recordNamed } = await import('../../core/records/recordFile');
  const listed = await recordNamed(new NodeFolder(outputFolder.fsPath), name).catch(() => undefined);
  if (listed?.record.job !== jobId) return undefined;
  const { promptText, workflowText, targets, inputs } = listed.record;
  return promptText === undefined ? undefined : { promptText, workflowText, targets, inputs, outputFolder };
}
