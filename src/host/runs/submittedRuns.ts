import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { SentTexts } from '../../core/runs/sentTexts';
import type { Storage } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';

/** What this machine knows of a run besides the job: kept until the job leaves the list. */
export interface SubmittedRun extends SentTexts {
  /** Output nodes that alone were to run. */
  readonly targets?: readonly string[] | undefined;
  /** Folder for the outputs. */
  readonly outputFolder: vscode.Uri;
}

/** The prompts that were sent from here, for run records and for running them again; one file per job. */
export class SubmittedRuns {
  readonly #storage: Storage;
  readonly #trouble: StorageTrouble;
  readonly #known = new Map<string, SubmittedRun>();

  constructor(storage: Storage, trouble: StorageTrouble) {
    this.#storage = storage;
    this.#trouble = trouble;
  }

  /** Never fails: a job that was taken is followed whatever the storage says. */
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

  /** The same for a look at it: what comes from the disk is not held. */
  async read(jobId: string): Promise<SubmittedRun | undefined> {
    return this.#known.get(jobId) ?? readStored(await this.#storage.read(fileOf(jobId)));
  }

  async forget(jobIds: readonly string[]): Promise<void> {
    for (const id of jobIds) this.#known.delete(id);
    await Promise.all(jobIds.map((id) => this.#storage.remove(fileOf(id))));
  }
}

/** Ids come from servers and may hold anything: a hash is always a file name. */
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
