import { readSavedFiles, type SavedFile } from '../outputs/savedOutputs';
import type { Storage } from '../platform/storage';
import { isWritten } from '../platform/writerFiles';
import { olderLists } from './pointerFiles';

/** What earlier versions stored of a workspace's jobs and saved outputs: read until it is stored anew. */
export class OlderLists {
  readonly #storage: Pick<Storage, 'read' | 'remove' | 'list'>;
  readonly #workspace: string;
  #names: readonly string[] = [];

  constructor(storage: Pick<Storage, 'read' | 'remove' | 'list'>, workspace: string) {
    this.#storage = storage;
    this.#workspace = workspace;
  }

  /** The texts of the lists of jobs, and the saved files of each of the others. */
  async read(): Promise<{
    readonly isAny: boolean;
    readonly jobs: readonly string[];
    readonly files: readonly [jobId: string, files: readonly SavedFile[]][][];
  }> {
    const [jobs, outputs] = await Promise.all(olderLists.map((prefix) => this.#texts(prefix)));
    return {
      isAny: this.#names.length > 0,
      jobs: jobs ?? [],
      files: (outputs ?? []).map((text) => readSavedFiles(parsed(text))),
    };
  }

  /** A window of an earlier version may still write its own. */
  async remove(): Promise<void> {
    const left = this.#names.filter((name) => !isWritten(name));
    this.#names = [];
    await Promise.all(left.map((name) => this.#storage.remove(name)));
  }

  /** The newest first. */
  async #texts(prefix: string): Promise<readonly string[]> {
    const files = (await this.#storage.list(`${prefix}${this.#workspace}.`)).filter(({ name }) =>
      name.endsWith('.json'),
    );
    const names = files.sort((a, b) => b.writtenAt - a.writtenAt).map(({ name }) => name);
    this.#names = [...this.#names, ...names];
    const texts = await Promise.all(names.map((name) => this.#storage.read(name)));
    return texts.filter((text) => text !== undefined);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
