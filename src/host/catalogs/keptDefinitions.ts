import {
  serverDefinitionsFrom,
  type ServerDefinitions,
  type DefinitionTexts,
} from '../../core/server/serverDefinitions';
import type { Log } from '../platform/log';
import type { DefinitionFiles } from './definitionFiles';

/** What is known of the nodes of a server. */
export interface KnownDefinitions {
  readonly rules: ServerDefinitions;
  /** What they were read from, as far as it came from this server. */
  readonly texts?: DefinitionTexts | undefined;
  /** When the server told them, ms; undefined for those that come with the extension. */
  readonly readAt?: number | undefined;
  readonly version?: string | undefined;
}

/** What is kept is written anew this long after it was read, though the server still says the same (ms). */
const writtenAnewAfter = 24 * 3600 * 1000;

/** The definitions of servers that are kept on disk, written only where they changed or the file grows old. */
export class KeptDefinitions {
  readonly #files: DefinitionFiles;
  readonly #log: Log;
  /** When what the disk has was read from its server, ms. */
  readonly #written = new Map<string, number>();

  constructor(files: DefinitionFiles, log: Log) {
    this.#files = files;
    this.#log = log;
  }

  /** Undefined when nothing is kept. */
  async read(origin: string): Promise<KnownDefinitions | undefined> {
    const found = await this.#files.load(origin);
    if (!found) return undefined;
    const { texts, readAt, version } = found;
    this.#written.set(origin, readAt);
    return { rules: serverDefinitionsFrom(texts), texts, readAt, version };
  }

  /** @param before what was known before this was read */
  async keep(
    origin: string,
    { rules, texts, readAt, version }: KnownDefinitions,
    before: KnownDefinitions | undefined,
  ): Promise<void> {
    if (!texts || readAt === undefined) return;
    const isKept = before?.rules === rules && before.version === version;
    if (isKept && readAt - (this.#written.get(origin) ?? 0) < writtenAnewAfter) return;
    try {
      await this.#files.save(origin, { texts, readAt, version });
      this.#written.set(origin, readAt);
    } catch (error) {
      this.#log.error('Caching node definitions', error);
    }
  }

  /** Removes what is kept of servers that nobody uses any more; that of `origin` stays. */
  async removeUnused(origin: string): Promise<void> {
    await this.#files.removeUnused(Date.now(), origin);
  }
}

/** Whether two readings gave the same, letter for letter. */
export function isSameText(a: DefinitionTexts | undefined, b: DefinitionTexts | undefined): boolean {
  return a !== undefined && a.definitions === b?.definitions && a.replacements === b.replacements;
}
