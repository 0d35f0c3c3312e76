import { createHash } from 'node:crypto';
import type { NodeRuleTexts } from '../../core/runs/nodeRules';
import type { Storage } from '../platform/storage';

/** The answers of a server, as they were at a time. */
export interface StoredDefinitions {
  readonly texts: NodeRuleTexts;
  /** When they were read from the server, ms. */
  readonly readAt: number;
  /** What the server said it was then. */
  readonly version?: string | undefined;
}

/** Node definitions on disk, one file per origin. */
export class DefinitionFiles {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Undefined when nothing is kept for the server or the file cannot be read. */
  async load(origin: string): Promise<StoredDefinitions | undefined> {
    const text = await this.#storage.read(fileOf(origin));
    return text === undefined ? undefined : stored(text, origin);
  }

  /** The definitions follow a line of our own as they came: megabytes that are never written anew. */
  async save(origin: string, { texts, readAt, version }: StoredDefinitions): Promise<void> {
    const head = { origin, readAt, version, replacements: texts.replacements };
    await this.#storage.write(fileOf(origin), `${JSON.stringify(head)}\n${texts.definitions}`);
  }
}

function fileOf(origin: string): string {
  return `definitions-${createHash('sha256').update(origin).digest('hex').slice(0, 24)}.json`;
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
        ...(typeof replacements === 'string' && { replacements }),
      },
      readAt,
      ...(typeof version === 'string' && { version }),
    };
  } catch {
    return undefined;
  }
}
