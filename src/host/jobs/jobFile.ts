import type { Job } from '../../core/jobs/job';
import { readJobs, writeJobs, type JobMemory } from '../../core/jobs/jobMemory';
import type { Storage } from '../platform/storage';

/** The jobs of a workspace in one file of the extension's storage. */
export class JobFile implements JobMemory {
  readonly #storage: Storage;
  readonly #name: string;

  constructor(storage: Storage, name: string) {
    this.#storage = storage;
    this.#name = name;
  }

  async load(): Promise<readonly Job[]> {
    const text = await this.#storage.read(this.#name);
    return text === undefined ? [] : readJobs(text);
  }

  save(jobs: readonly Job[]): Promise<void> {
    return this.#storage.write(this.#name, writeJobs(jobs));
  }
}
