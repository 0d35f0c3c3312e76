import type { JobStore } from '../../core/jobs/jobStore';

/**
 * Names of servers missing from the settings: one removed during a run, or a sandbox of an earlier window. The jobs
 * that ran there have them.
 */
export class ServerNames {
  readonly #store: Pick<JobStore, 'get' | 'onDidChange'>;
  /** Origin -> name. */
  readonly #names = new Map<string, string>();
  readonly #stop: () => void;

  constructor(store: Pick<JobStore, 'get' | 'onDidChange'>) {
    this.#store = store;
    this.#stop = store.onDidChange(({ added, changed }) => {
      for (const id of [...added, ...changed]) this.#learn(id);
    });
  }

  of(origin: string): string | undefined {
    return this.#names.get(origin);
  }

  dispose(): void {
    this.#stop();
  }

  #learn(id: string): void {
    const job = this.#store.get(id);
    const name = job?.origin?.serverName;
    if (job && name !== undefined) this.#names.set(job.server, name);
  }
}
