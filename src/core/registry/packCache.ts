import * as z from 'zod';
import { packCard } from './packCard';
import type { PackAnswer } from './packAnswer';

/** Answers are valid for a day, misses too (protocol 6.2), ms. */
const lifetime = 24 * 60 * 60 * 1000;
const mostEntries = 2000;

/** Where the answers are stored between windows; both methods may fail without harm. */
export interface CacheStore {
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
}

const answer = z.union([
  z.object({ kind: z.literal('found'), how: z.enum(['provides', 'maybe']), card: packCard }),
  z.object({ kind: z.enum(['core', 'none']) }),
]);

interface Entry {
  readonly at: number;
  readonly answer: PackAnswer;
}

export class PackCache {
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();
  #loading: Promise<void> | undefined;
  #saving: Promise<void> | undefined;
  #unsaved = false;

  constructor(
    private readonly store: CacheStore,
    private readonly now: () => number = Date.now,
  ) {}

  load(): Promise<void> {
    this.#loading ??= this.#read();
    return this.#loading;
  }

  get(key: string): PackAnswer | undefined {
    const entry = this.#entries.get(key);
    if (!entry || !this.#isFresh(entry)) return undefined;
    return entry.answer;
  }

  set(key: string, answered: PackAnswer): void {
    this.#entries.delete(key);
    this.#entries.set(key, { at: this.now(), answer: answered });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= mostEntries) break;
      this.#entries.delete(oldest);
    }
    this.#save();
  }

  forgetPack(id: string): void {
    for (const [key, { answer: known }] of this.#entries) {
      if (known.kind === 'found' && known.card.id === id) this.#entries.delete(key);
    }
    this.#save();
  }

  async saved(): Promise<void> {
    await this.#saving;
  }

  async #read(): Promise<void> {
    const text = await this.store.load().catch(() => undefined);
    for (const [key, entry] of readEntries(text)) {
      if (this.#isFresh(entry) && !this.#entries.has(key)) this.#entries.set(key, entry);
    }
  }

  #save(): void {
    this.#unsaved = true;
    this.#saving ??= this.#write();
  }

  /** One write at a time; changes during a write cause one more. */
  async #write(): Promise<void> {
    while (this.#unsaved) {
      this.#unsaved = false;
      const fresh = [...this.#entries].filter(([, entry]) => this.#isFresh(entry));
      await this.store.save(JSON.stringify(fresh)).catch(() => undefined);
    }
    this.#saving = undefined;
  }

  #isFresh({ at }: Entry): boolean {
    const age = this.now() - at;
    return age >= 0 && age < lifetime;
  }
}

const stored = z.array(z.unknown());
const storedEntry = z.tuple([z.string(), z.object({ at: z.number(), answer })]);

function readEntries(text: string | undefined): [string, Entry][] {
  try {
    const list = stored.parse(JSON.parse(text ?? '[]'));
    return list.flatMap((each) => {
      const entry = storedEntry.safeParse(each).data;
      return entry ? [entry] : [];
    });
  } catch {
    return [];
  }
}
