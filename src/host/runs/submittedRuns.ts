import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { SentTexts } from '../../core/runs/sentTexts';
import type { Storage } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';

/** What this machine knows about a run besides the job: kept until the job is removed from the list. */
export interface SubmittedRun extends SentTexts {
  /** The only output nodes to run. */
  readonly targets?: readonly string[] | undefined;
  /** Output folder. */
  readonly outputFolder: vscode.Uri;
}

/** The prompts sent from here, for run records and running again; one file per job. */
export class SubmittedRuns {
  readonly #storage: Storage;
  readonly #trouble: StorageTrouble;
  readonly #known = new Map<string, SubmittedRun>();

  constructor(storage: Storage, trouble: StorageTrouble) {
    this.#storage = storage;
    this.#trouble = trouble;
  }

  /** Never fails: an accepted job is tracked whatever the storage does. */
  async keep(jobId: string, run: SubmittedRun): Promise<void> {
    this.#known.set(jobId, run);
    const stored = { ...run, outputFolder: run.outputFolder.toString() };
    await this.#trouble.guard(this.#storage.write(fileOf(jobId), JSON.stringify(stored)));
  }

  async of(jobId: string): Promise<SubmittedRun | undefined> {
    const run = await this.read(jobId);
    if (run) this.#known.set(jobId, run);
    return run;
  }

  /** The same for a single read: what comes from the disk is not kept in memory. */
  async read(jobId: string): Promise<SubmittedRun | undefined> {
    return this.#known.get(jobId) ?? readStored(await this.#storage.read(fileOf(jobId)));
  }

  async forget(jobIds: readonly string[]): Promise<void> {
    for (const id of jobIds) this.#known.delete(id);
    await Promise.all(jobIds.map((id) => this.#storage.remove(fileOf(id))));
  }
}

/** IDs come from servers and may contain anything: a hash is always a valid file name. */
function fileOf(jobId: string): string {
  return `run-${createHash('sha256').update(jobId).digest('hex').slice(0, 40)}.json`;
}

function readStored(text: string | undefined): SubmittedRun | undefined {
  if (text === undefined) return undefined;
  try {
    const stored = JSON.parse(text) as Omit<SubmittedRun, 'outputFolder'> & { readonly outputFolder: string };
    return { ...stored, outputFolder: vscode.Uri.parse(stored.outputFolder, true) };
  } catch {
    return undefined;
  }
}
