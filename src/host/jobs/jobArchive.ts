import type * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { JobMemory } from '../../core/jobs/jobMemory';
import type { JobStore } from '../../core/jobs/jobStore';

const liveKey = 'jobsLive';

/** How long changes are gathered before they are written (ms). */
const writeEvery = 2_000;

export interface ArchiveParts {
  readonly store: JobStore;
  readonly memory: JobMemory;
  readonly workspaceState: vscode.Memento;
  /** Other things that are remembered by job, read together with them. */
  readonly loadRest: () => Promise<void>;
  /** Removes from the storage what nobody will read again. */
  readonly prune: () => Promise<void>;
  /** Takes up again a job that lived when VS Code was closed. */
  readonly resume: (job: Job) => Promise<void>;
}

/** Keeps the jobs over restarts of VS Code: read back when they are first needed, written as they change. */
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

  /** Some job lived when this workspace was last closed: it has to be looked after without anybody asking. */
  get hadLife(): boolean {
    return this.#parts.workspaceState.get(liveKey) === true;
  }

  /** Reads the jobs of earlier windows, once. */
  load(): Promise<void> {
    this.#loaded ??= this.#read();
    return this.#loaded;
  }

  /** Writes the jobs as they are; those of earlier windows are read first, so that none is lost. */
  async flush(): Promise<void> {
    await this.load();
    const { memory, store } = this.#parts;
    await memory.save(store.jobs(), store.removed());
  }

  /** The last writing. A window that never used its jobs has nothing to write. */
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
    await Promise.all(jobs.filter(({ state }) => !isTerminal(state)).map((job) => resume(job)));
    // Its failure is no reason to be without the jobs.
    void prune().catch(() => undefined);
  }

  async #noteLife(): Promise<void> {
    if (!this.#ready) return;
    const lives = this.#parts.store.live().some(({ origin }) => origin !== undefined);
    if (lives !== this.hadLife) await this.#parts.workspaceState.update(liveKey, lives);
  }
}
