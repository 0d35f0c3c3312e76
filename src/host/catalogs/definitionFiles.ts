import { createHash } from 'node:crypto';
import {
  type DefinitionTexts,
  serverDefinitionsFrom,
  type ServerDefinitions,
} from '../../core/server/serverDefinitions';
import type { Storage } from '../platform/storage';
import { countAt } from '../../core/safety/lists';
import type { Log } from '../platform/log';

/** The known node definitions of a server. */
export interface KnownDefinitions {
  readonly rules: ServerDefinitions;
  /** The text they were read from, if it came from this server. */
  readonly texts?: DefinitionTexts | undefined;
  /** When the server sent them, in ms; undefined for those included in the extension. */
  readonly readAt?: number | undefined;
}

/** Cached definitions are rewritten after this time even if the server returns the same (ms). */
const writtenAnewAfter = 24 * 3600 * 1000;

/** The definitions cached on disk, written only when they changed or the file gets old. */
export class KeptDefinitions {
  /** When the cached definitions were read from the server, ms. */
  readonly #written = new Map<string, number>();

  constructor(
    private readonly files: DefinitionFiles,
    private readonly log: Log,
  ) {}

  /** Undefined when nothing is cached. */
  async read(origin: string): Promise<KnownDefinitions | undefined> {
    const found = await this.files.load(origin);
    if (!found) return undefined;
    const { texts, readAt, version } = found;
    this.#written.set(origin, readAt);
    return { rules: { ...serverDefinitionsFrom(texts), version }, texts, readAt };
  }

  /** @param before what was known before this read */
  async keep(
    origin: string,
    { rules, texts, readAt }: KnownDefinitions,
    before: KnownDefinitions | undefined,
  ): Promise<void> {
    if (!texts || readAt === undefined) return;
    if (before?.rules === rules && readAt - countAt(this.#written, origin) < writtenAnewAfter) return;
    try {
      await this.files.save(origin, { texts, readAt, version: rules.version });
      this.#written.set(origin, readAt);
    } catch (error) {
      this.log.error('Caching node definitions', error);
    }
  }

  /** Removes the cache of servers that are no longer used, except that of `origin`. */
  async removeUnused(origin: string): Promise<void> {
    await this.files.removeUnused(Date.now(), origin);
  }
}

/** Whether two reads returned identical text. */
export function isSameText(a: DefinitionTexts | undefined, b: DefinitionTexts | undefined): boolean {
  return a !== undefined && a.definitions === b?.definitions && a.replacements === b.replacements;
}

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
  constructor(private readonly storage: Pick<Storage, 'read' | 'write' | 'remove' | 'list'>) {}

  /** Undefined when nothing is cached for the server or the file can't be read. */
  async load(origin: string): Promise<StoredDefinitions | undefined> {
    const text = await this.storage.read(fileOf(origin));
    return text === undefined ? undefined : stored(text, origin);
  }

  /** The definitions follow our own header line unchanged: they are megabytes and never rewritten. */
  async save(origin: string, { texts, readAt, version }: StoredDefinitions): Promise<void> {
    const head = { origin, readAt, version, replacements: texts.replacements };
    await this.storage.write(fileOf(origin), `${JSON.stringify(head)}\n${texts.definitions}`);
  }

  /**
   * Removes the files of servers that are no longer used. Each window that asks a server rewrites its file, so an old
   * file belongs to a removed or unused server. The file of `origin` is kept; `now` is in ms.
   */
  async removeUnused(now: number, origin: string): Promise<void> {
    const files = await this.storage.list(prefix);
    const unused = files.filter(({ name, writtenAt }) => {
      return name !== fileOf(origin) && now - writtenAt > keptFor;
    });
    await Promise.all(unused.map(({ name }) => this.storage.remove(name)));
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
