import { countAt } from '../../core/safety/lists';
import {
  serverDefinitionsFrom,
  type ServerDefinitions,
  type DefinitionTexts,
} from '../../core/server/serverDefinitions';
import type { Log } from '../platform/log';
import type { DefinitionFiles } from './definitionFiles';

/** What is known about the nodes of a server. */
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
  readonly #files: DefinitionFiles;
  readonly #log: Log;
  /** When the cached definitions were read from the server, ms. */
  readonly #written = new Map<string, number>();

  constructor(files: DefinitionFiles, log: Log) {
    this.#files = files;
    this.#log = log;
  }

  /** Undefined when nothing is cached. */
  async read(origin: string): Promise<KnownDefinitions | undefined> {
    const found = await this.#files.load(origin);
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
      await this.#files.save(origin, { texts, readAt, version: rules.version });
      this.#written.set(origin, readAt);
    } catch (error) {
      this.#log.error('Caching node definitions', error);
    }
  }

  /** Removes the cache of servers that are no longer used, except that of `origin`. */
  async removeUnused(origin: string): Promise<void> {
    await this.#files.removeUnused(Date.now(), origin);
  }
}

/** Whether two reads returned identical text. */
export function isSameText(a: DefinitionTexts | undefined, b: DefinitionTexts | undefined): boolean {
  return a !== undefined && a.definitions === b?.definitions && a.replacements === b.replacements;
}
