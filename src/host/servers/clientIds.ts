import { createHash, randomUUID } from 'node:crypto';
import { abortableSleep } from '../../core/client/timing';
import { renameFile } from '../../core/outputs/changeFile';
import type { Storage } from '../platform/storage';
import { isWritten } from '../platform/storage';

/** A window that reloads may live beside its successor until that one is this old, ms. */
const handover = 4_000;
const lookEvery = 100;

type Files = Pick<Storage, 'read' | 'write' | 'remove' | 'list' | 'path'>;

/**
 * The IDs that servers send this window's events to. A job's events go to the ID it was submitted with, so the next
 * window of this workspace goes on with the ID, once this one is gone: two at a time would take each other's events.
 * Each ID is a file that names its owner; taking one over renames it, which only one window can do.
 */
export class ClientIds {
  readonly #prefix: string;
  readonly #writer: string;
  readonly #patientUntil: number;
  readonly #own = new Set<string>();

  /** @param workspace as in the names of other files of the workspace */
  constructor(
    private readonly storage: Files,
    workspace: string,
    writer = `${process.pid}-${randomUUID().slice(0, 8)}`,
    startedAt = Date.now() - process.uptime() * 1000,
  ) {
    this.#prefix = `client-${workspace}-`;
    this.#writer = writer;
    this.#patientUntil = startedAt + handover;
  }

  /** For a session with a server. Never fails: without storage, it is a new one. */
  async of(origin: string): Promise<string> {
    const base = `${this.#prefix}${createHash('sha256').update(origin).digest('hex').slice(0, 16)}`;
    const own = `${base}.${this.#writer}.json`;
    try {
      const clientId = (await this.#takeOver(base, own)) ?? randomUUID();
      this.#own.add(own);
      await this.storage.write(own, JSON.stringify({ clientId }));
      return clientId;
    } catch {
      return randomUUID();
    }
  }

  /** The window closes and its sockets are closed: the next one need not wait for the end of its process. */
  async leave(): Promise<void> {
    const left = [...this.#own].map(async (own) => {
      const free = own.replace(`.${this.#writer}.`, `.0-${randomUUID().slice(0, 8)}.`);
      await this.#move(own, free);
    });
    await Promise.all(left);
  }

  async #takeOver(base: string, own: string): Promise<string | undefined> {
    for (;;) {
      const names = await this.#namesOf(base);
      if (names.includes(own)) return this.#read(own);
      const [newest, ...older] = names.filter((name) => !isWritten(name));
      if (newest !== undefined && (await this.#move(newest, own))) {
        await Promise.all(older.map((name) => this.storage.remove(name)));
        return this.#read(own);
      }
      // None was left, or all belong to open windows, one of which may be about to close.
      if (names.length === 0 || Date.now() >= this.#patientUntil) return undefined;
      await abortableSleep(lookEvery);
    }
  }

  async #namesOf(base: string): Promise<readonly string[]> {
    const files = await this.storage.list(`${base}.`);
    return files
      .filter(({ name }) => name.endsWith('.json'))
      .sort((a, b) => b.writtenAt - a.writtenAt)
      .map(({ name }) => name);
  }

  async #read(name: string): Promise<string | undefined> {
    const text = await this.storage.read(name);
    return text === undefined ? undefined : clientIdIn(text);
  }

  /** Whether it was there: another window may have been faster. */
  async #move(from: string, to: string): Promise<boolean> {
    try {
      await renameFile(this.storage.path(from), this.storage.path(to));
      return true;
    } catch {
      return false;
    }
  }
}

function clientIdIn(text: string): string | undefined {
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== 'object' || stored === null || !('clientId' in stored)) return undefined;
    const { clientId } = stored;
    return typeof clientId === 'string' && /^[0-9a-f-]{36}$/.test(clientId) ? clientId : undefined;
  } catch {
    return undefined;
  }
}
