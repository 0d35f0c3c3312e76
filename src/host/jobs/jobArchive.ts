import type * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { JobMemory } from '../../core/jobs/jobMemory';
import type { JobStore } from '../../core/jobs/jobStore';

const liveKey = 'jobsLive';

/** How long changes are collected before they are written (ms). */
const writeEvery = 2_000;

export interface ArchiveParts {
  readonly store: JobStore;
  readonly memory: JobMemory;
  readonly workspaceState: vscode.Memento;
  /** Other per-job state, read together with the jobs. */
  readonly loadRest: () => Promise<void>;
  /** Removes what will never be read again from the storage. */
  readonly prune: () => Promise<void>;
  /** Tracks a job again that was alive when VS Code was closed. Not waited for: its server may not answer for long. */
  readonly resume: (job: Job) => void;
}

/** Keeps jobs across restarts of VS Code: reads them when first needed and writes them as they change. */
export class JobArchive implements vscode.Disposable {
  readonly #parts: ArchiveParts;
  readonly #write: ReturnType<typeof coalesce>;
  readonly #stop: () => void;
  #loaded: Promise<void> | undefined;
  #ready = false;

  constructor(parts: ArchiveParts) {
    this.#parts = parts;
    this.#write = coalesce(() => void this.flush(), writeEvery);
    this.#stop = parts.store.onDidChange(() => {
      void this.#noteLife();
      this.#write();
    });
  }

  /** A job was alive when this workspace was last closed, so it is tracked right away. */
  get hadLife(): boolean {
    return this.#parts.workspaceState.get(liveKey) === true;
  }

  /** Reads the jobs of earlier windows, once. */
  load(): Promise<void> {
    this.#loaded ??= this.#read();
    return this.#loaded;
  }

  /** Writes the current jobs; reads those of earlier windows first so that none is lost. */
  async flush(): Promise<void> {
    await this.load();
    const { memory, store } = this.#parts;
    await memory.save(store.jobs(), store.removed());
  }

  /** The final write. A window that never used its jobs has nothing to write. */
  async close(): Promise<void> {
    if (this.#ready) await this.flush();
  }

  dispose(): void {
    this.#write.cancel();
    this.#stop();
  }

  async #read(): Promise<void> {
    const { store, memory, loadRest, resume, prune } = this.#parts;
    const [jobs] = await Promise.all([memory.load(), loadRest()]);
    store.restore(jobs);
    this.#ready = true;
    for (const job of jobs) if (!isTerminal(job.state)) resume(job);
    // If this fails, the jobs are still used.
    void prune().catch(() => undefined);
  }

  async #noteLife(): Promise<void> {
    if (!this.#ready) return;
    const lives = this.#parts.store.live().some(({ origin }) => origin !== undefined);
    if (lives !== this.hadLife) await this.#parts.workspaceState.update(liveKey, lives);
  }
}
