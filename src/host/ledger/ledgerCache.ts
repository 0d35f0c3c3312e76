import path from 'node:path';
import type { Job } from '../../core/jobs/job';
import { mergeJobs, readJobs, writeJobs } from '../../core/jobs/jobMemory';
import { budgets } from '../../core/safety/budgets';
import { readSavedFiles, type SavedFile } from '../outputs/savedOutputs';
import type { Storage } from '../platform/storage';
import { WriterFiles } from '../platform/storage';

export interface StoredRuns {
  readonly jobs: readonly Job[];
  readonly files: Iterable<readonly [jobId: string, files: readonly SavedFile[]]>;
  /** Paths of output folders that the settings may not name. */
  readonly folders: readonly string[];
  /** IDs of jobs that a person removed, which their records would list again. */
  readonly removed: readonly string[];
}

/** A cache of the run records, so that lists appear before they are read, plus what no record has. */
export class LedgerCache {
  readonly #rows: WriterFiles;
  readonly #list: WriterFiles;
  #written = '';

  /** @param workspace names its files */
  constructor(
    storage: Pick<Storage, 'read' | 'write' | 'remove' | 'list'>,
    workspace: string,
    writer?: string,
  ) {
    this.#rows = new WriterFiles(storage, `ledger-${workspace}.json`, writer);
    this.#list = new WriterFiles(storage, `list-${workspace}.json`, writer);
  }

  async read(): Promise<StoredRuns> {
    // The newest come first, and win.
    const texts = await this.#rows.read();
    const parts = texts.map((text) => readSavedFiles(membersOf(text)['files']));
    // The limits drop the oldest, so what was stored last comes last.
    const lists = (await this.#list.read()).map(membersOf).toReversed();
    const removed = new Set(lists.flatMap((list) => textsIn(list['removed'])));
    const files = new Map(parts.toReversed().flat());
    const savedIn = [...files.values()].flat().map(({ location }) => path.dirname(location));
    return {
      jobs: mergeJobs(texts.map(readJobs)).filter(({ id }) => !removed.has(id)),
      files,
      folders: [...new Set([...lists.flatMap((list) => textsIn(list['folders'])), ...savedIn])],
      removed: [...removed],
    };
  }

  async write({ jobs, files, folders, removed }: StoredRuns): Promise<void> {
    await this.#rows.write(writeJobs(jobs, { files: [...files].slice(-budgets.keptJobs) }));
    const list = JSON.stringify({
      format: 1,
      folders: folders.slice(-budgets.keptJobs),
      removed: removed.slice(-budgets.keptJobs),
    });
    if (list !== this.#written) await this.#list.write(list);
    this.#written = list;
  }
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
