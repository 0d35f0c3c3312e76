import { randomUUID } from 'node:crypto';
import type { OutputFolder } from '../outputs/outputFolder';
import { budgets } from '../safety/budgets';

/*
 * Whoever has locks in a folder keeps a small file there that changes every second. Another program that sees it change
 * knows that the owner works, on this machine or on another one; clocks, process IDs and start times say nothing of
 * that. Looks are counted, not time: a machine that slept between two of them gives the owner the rest.
 */

const renewEvery = 1_000;
const lookEvery = 250;
/** So many looks without a change are a lifetime: about five seconds. */
const looks = 20;

const pattern = /^\.comfy-deck-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.stamp$/;

export function isStampName(name: string): boolean {
  return pattern.test(name);
}

export interface HeldStamp {
  readonly name: string;
  letGo(): Promise<void>;
}

/** The stamp of this program in a folder, renewed until all who hold it have let go. */
class OwnStamp {
  readonly name = `.comfy-deck-${randomUUID()}.stamp`;
  #holders = 0;
  #count = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #folder: OutputFolder;

  constructor(folder: OutputFolder) {
    this.#folder = folder;
  }

  /** @throws OutputError when it can't be written: others could not see that the owner works */
  async hold(): Promise<HeldStamp> {
    this.#holders++;
    own.add(this.name);
    this.#timer ??= setInterval(() => void this.#renew().catch(() => undefined), renewEvery).unref();
    const letGo = (): Promise<void> => this.#letGo();
    try {
      await (this.#writing ?? (this.#count === 0 ? this.#renew() : undefined));
    } catch (error) {
      await letGo();
      throw error;
    }
    return { name: this.name, letGo };
  }

  #renew(): Promise<void> {
    this.#writing ??= this.#folder
      .stamp(this.name, `${++this.#count}\n`)
      .finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #letGo(): Promise<void> {
    if (--this.#holders > 0) return;
    clearInterval(this.#timer);
    stamps.delete(this.#folder);
    // What is on its way would write it again.
    await this.#writing?.catch(() => undefined);
    await this.#folder.remove(this.name).catch(() => undefined);
    own.delete(this.name);
  }
}

const stamps = new WeakMap<OutputFolder, OwnStamp>();
const own = new Set<string>();

export function holdStamp(folder: OutputFolder): Promise<HeldStamp> {
  const stamp = stamps.get(folder) ?? new OwnStamp(folder);
  stamps.set(folder, stamp);
  return stamp.hold();
}

/** What stood in the stamps that were watched for a lifetime and did not change. */
const still = new Map<string, string | undefined>();
const watched = new Map<string, Promise<boolean>>();

/** What watching costs the caller. */
export interface Watching {
  /** Told when it takes a while. */
  readonly onWait?: (() => void) | undefined;
  /** The program may end meanwhile. */
  readonly mayEnd?: boolean | undefined;
}

/** Whether the owner of a stamp works. Watches it for a lifetime, unless it has been watched before. */
export async function isRenewed(
  folder: OutputFolder,
  name: string,
  { onWait, mayEnd = false }: Watching = {},
): Promise<boolean> {
  if (own.has(name)) return true;
  const first = await folder.read(name, budgets.claim);
  // Whoever watched it too may have removed it.
  if (still.has(name) && (first === undefined || still.get(name) === first)) return false;
  onWait?.();
  const key = `${name} ${mayEnd}`;
  const watching = watched.get(key) ?? watch(folder, name, first, mayEnd);
  watched.set(key, watching);
  try {
    return await watching;
  } finally {
    watched.delete(key);
  }
}

async function watch(
  folder: OutputFolder,
  name: string,
  first: string | undefined,
  mayEnd: boolean,
): Promise<boolean> {
  for (let look = 0; look < looks; look++) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookEvery);
      if (mayEnd) timer.unref();
    });
    if ((await folder.read(name, budgets.claim)) !== first) return true;
  }
  still.set(name, first);
  return false;
}
