import type { Job } from '../../core/jobs/job';
import { mergeJobs, readJobs, readRemoved, writeJobs, type JobMemory } from '../../core/jobs/jobMemory';
import { budgets } from '../../core/safety/budgets';
import type { Storage } from '../platform/storage';
import { WriterFiles } from '../platform/writerFiles';

/** The jobs of a workspace in the extension's storage: each window writes its own file and reads those of all. */
export class JobFile implements JobMemory {
  readonly #files: WriterFiles;
  /** Jobs removed in earlier windows: other windows' files may still contain them. */
  #removed: readonly string[] = [];

  constructor(storage: Pick<Storage, 'read' | 'write' | 'remove' | 'list'>, name: string, writer?: string) {
    this.#files = new WriterFiles(storage, name, writer);
  }

  async load(): Promise<readonly Job[]> {
    const texts = await this.#files.read();
    const removed = new Set(texts.flatMap(readRemoved));
    this.#removed = [...removed];
    return mergeJobs(texts.map(readJobs)).filter(({ id }) => !removed.has(id));
  }

  save(jobs: readonly Job[], removed: readonly string[] = []): Promise<void> {
    this.#removed = [...new Set([...this.#removed, ...removed])].slice(-budgets.removedJobs);
    return this.#files.write(writeJobs(jobs, this.#removed));
  }
}
