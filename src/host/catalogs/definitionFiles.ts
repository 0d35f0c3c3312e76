import { createHash } from 'node:crypto';
import type { DefinitionTexts } from '../../core/server/serverDefinitions';
import type { Storage } from '../platform/storage';

/** A server's answers at one point in time. */
export interface StoredDefinitions {
  readonly texts: DefinitionTexts;
  /** When they were read from the server, ms. */
  readonly readAt: number;
  /** The server's version at that time. */
  readonly version?: string | undefined;
}

/**
 * A server that was not asked for this long is considered gone; if it comes back, its definitions are read again (ms).
 */
const keptFor = 30 * 24 * 3600 * 1000;

/** Node definitions on disk, one file per origin. */
export class DefinitionFiles {
  readonly #storage: Pick<Storage, 'read' | 'write' | 'remove' | 'list'>;

  constructor(storage: Pick<Storage, 'read' | 'write' | 'remove' | 'list'>) {
    this.#storage = storage;
  }

  /** Undefined when nothing is cached for the server or the file can't be read. */
  async load(origin: string): Promise<StoredDefinitions | undefined> {
    const text = await this.#storage.read(fileOf(origin));
    return text === undefined ? undefined : stored(text, origin);
  }

  /** The definitions follow our own header line unchanged: they are megabytes and never rewritten. */
  async save(origin: string, { texts, readAt, version }: StoredDefinitions): Promise<void> {
    const head = { origin, readAt, version, replacements: texts.replacements };
    await this.#storage.write(fileOf(origin), `${JSON.stringify(head)}\n${texts.definitions}`);
  }

  /**
   * Removes the files of servers that are no longer used. Each window that asks a server rewrites its file, so an old
   * file belongs to a removed or unused server. The file of `origin` is kept; `now` is in ms.
   */
  async removeUnused(now: number, origin: string): Promise<void> {
    const files = await this.#storage.list(prefix);
    const unused = files.filter(({ name, writtenAt }) => {
      return name !== fileOf(origin) && now - writtenAt > keptFor;
    });
    await Promise.all(unused.map(({ name }) => this.#storage.remove(name)));
  }
}

const prefix = 'definitions-';

function fileOf(origin: string): string {
  return `${prefix}${createHash('sha256').update(origin).digest('hex').slice(0, 24)}.json`;
}

function stored(text: string, origin: string): StoredDefinitions | undefined {
  const end = text.indexOf('\n');
  try {
    const head = JSON.parse(text.slice(0, end)) as Record<string, unknown>;
    const { readAt, version, replacements } = head;
    if (end < 0 || head['origin'] !== origin || typeof readAt !== 'number') return undefined;
    return {
      texts: {
        definitions: text.slice(end + 1),
        replacements: typeof replacements === 'string' ? replacements : undefined,
      },
      readAt,
      version: typeof version === 'string' ? version : undefined,
    };
  } catch {
    return undefined;
  }
}
