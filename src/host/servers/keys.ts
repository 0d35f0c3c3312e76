import * as vscode from 'vscode';
import { addressOrigin } from '../../core/client/address';
import { countAt } from '../../core/safety/lists';
import { t } from '../../core/safety/localize';
import type { Platform } from '../platform/platform';
import { Owner } from '../platform/feature';

const serverPrefix = 'comfyDeck.key:';

/** Each key is bound to its origin, and hidden wherever it is quoted. */
export class Keys extends Owner {
  readonly #changed = new vscode.EventEmitter<string>();
  readonly onDidChange = this.#changed.event;
  /** The last key read or written per origin, because the storage also reports this window's own changes. */
  readonly #last = new Map<string, string | undefined>();
  /** Number of writes started and ended per origin: a read in between is not conclusive. */
  readonly #steps = new Map<string, number>();
  readonly #writing = new Set<string>();

  /** @param prefix one per kind of service: a key for one is never used for another */
  constructor(
    private readonly platform: Platform,
    private readonly prefix = serverPrefix,
  ) {
    super();
    this.own(
      this.#changed,
      platform.context.secrets.onDidChange(({ key }) => {
        if (key.startsWith(prefix)) void this.#reportedChange(key.slice(prefix.length));
      }),
    );
  }

  async get(server: string): Promise<string | undefined> {
    const origin = addressOrigin(server);
    const step = this.#steps.get(origin);
    const key = await this.platform.context.secrets.get(this.prefix + origin);
    if (key !== undefined) this.platform.secrets.add(key);
    if (step === this.#steps.get(origin) && !this.#writing.has(origin)) this.#last.set(origin, key);
    return key;
  }

  async set(server: string, key: string): Promise<void> {
    const origin = addressOrigin(server);
    this.platform.secrets.add(key);
    await this.#write(origin, key, () => this.platform.context.secrets.store(this.prefix + origin, key));
    this.#changed.fire(origin);
  }

  async delete(server: string): Promise<void> {
    const origin = addressOrigin(server);
    await this.#write(origin, undefined, () => this.platform.context.secrets.delete(this.prefix + origin));
    this.#changed.fire(origin);
  }

  async #write(origin: string, key: string | undefined, write: () => Thenable<void>): Promise<void> {
    this.#step(origin);
    this.#last.set(origin, key);
    this.#writing.add(origin);
    try {
      await write();
    } finally {
      this.#writing.delete(origin);
      this.#step(origin);
    }
  }

  #step(origin: string): void {
    this.#steps.set(origin, countAt(this.#steps, origin) + 1);
  }

  async #reportedChange(origin: string): Promise<void> {
    const known = this.#last.get(origin);
    if ((await this.get(origin)) !== known) this.#changed.fire(origin);
  }
}

/** Says why an entered key can't be sent in a header; undefined if it can. */
export function keyProblem(text: string): string | undefined {
  const key = text.trim();
  if (key === '') return t`Paste the key or token.`;
  if (!/^[\x21-\x7e]+$/.test(key))
    return t`A key or token contains no spaces or special characters. Copy it again.`;
  return undefined;
}
