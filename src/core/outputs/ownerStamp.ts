import { randomUUID } from 'node:crypto';
import { budgets } from '../safety/budgets';
import type { OutputFolder } from './outputFolder';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const pattern = new RegExp(`^\\.comfy-deck-(${uuid})(?:\\.stamp|-${uuid}\\.part)$`);

/** This program, as the names of its hidden files say: a process ID may be that of another one soon, or elsewhere. */
const program = randomUUID();

/** The file that shows that this program works in a folder. */
export const ownStampName = `.comfy-deck-${program}.stamp`;

/** A name for a file that is not finished: hidden, never the same twice, and telling whose it is. */
export function temporaryName(): string {
  return `.comfy-deck-${program}-${randomUUID()}.part`;
}

/** The stamp of the program that a stamp or an unfinished file belongs to; undefined for a file that is not one of ours. */
export function temporaryFileOwner(name: string): string | undefined {
  const owner = pattern.exec(name)?.[1];
  return owner && `.comfy-deck-${owner}.stamp`;
}

/*
 * Whoever has locks or unfinished files in a folder keeps a small file there that changes every second. Another program that sees it change
 * knows that the owner works, on this machine or on another one; clocks, process IDs and start times say nothing of
 * that. Looks are counted, not time: a machine that slept between two of them gives the owner the rest.
 */

const renewEvery = 1_000;
const lookEvery = 250;
/** A stamp that doesn't change during this many looks (about five seconds) has no live owner. */
const looks = 20;

export function isStampName(name: string): boolean {
  return temporaryFileOwner(name) === name;
}

/** Lets go of a stamp. Never fails. */
export type LetGo = () => Promise<void>;

/** The stamp of this program in a folder, renewed until all who hold it have let go. */
class OwnStamp {
  #holders = 0;
  #isWritten = false;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: OutputFolder,
    private readonly place: string,
  ) {}

  async hold(): Promise<LetGo> {
    this.#holders++;
    this.#timer ??= setInterval(() => void this.#renew().catch(() => undefined), renewEvery).unref();
    try {
      await (this.#writing ?? (this.#isWritten ? undefined : this.#renew()));
    } catch (error) {
      await this.#letGo();
      throw error;
    }
    return () => this.#letGo();
  }

  #renew(): Promise<void> {
    this.#writing ??= this.folder
      .stamp(ownStampName, `${++count}\n`)
      .then(() => void (this.#isWritten = true))
      .finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #letGo(): Promise<void> {
    if (--this.#holders > 0) return;
    clearInterval(this.#timer);
    stamps.delete(this.place);
    // A write in progress would write it again.
    await this.#writing?.catch(() => undefined);
    await this.folder.remove(ownStampName).catch(() => undefined);
  }
}

const stamps = new Map<string, OwnStamp>();
/** No two texts of this program's stamps are the same, in whichever folder and however often it begins there. */
let count = 0;

/** @throws OutputError when it can't be written: others could not see that the owner works */
export function holdStamp(folder: OutputFolder): Promise<LetGo> {
  const place = folder.location(ownStampName);
  const stamp = stamps.get(place) ?? new OwnStamp(folder, place);
  stamps.set(place, stamp);
  return stamp.hold();
}

/** Content of stamps that were watched for that long and did not change. */
const still = new Map<string, string | undefined>();
const watched = new Map<string, Promise<boolean>>();

export interface Watching {
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
  const place = folder.location(name);
  if (stamps.has(place)) return true;
  const first = await folder.read(name, budgets.claim);
  // Whoever watched it too may have removed it.
  if (still.has(place) && (first === undefined || still.get(place) === first)) return false;
  onWait?.();
  const key = `${place} ${mayEnd}`;
  const watching = watched.get(key) ?? watchStamp(folder, name, first, mayEnd);
  watched.set(key, watching);
  try {
    return await watching;
  } finally {
    watched.delete(key);
  }
}

async function watchStamp(
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
    const now = await folder.read(name, budgets.claim);
    // A stamp that is gone is no sign of work: its owner has released it, or holds it again soon.
    if (now !== undefined && now !== first) return true;
  }
  still.set(folder.location(name), first);
  return false;
}

/**
 * Removes the stamps and unfinished files of programs that are gone, which takes a lifetime if there are any.
 * @param remove for what is more than a file
 */
export async function removeUnfinished(
  folder: OutputFolder,
  watching?: Watching,
  remove = (name: string) => folder.remove(name),
): Promise<void> {
  const removing = (await folder.list()).map(async (name) => {
    const owner = temporaryFileOwner(name);
    if (owner !== undefined && !(await isRenewed(folder, owner, watching))) await remove(name);
  });
  // Stamps that can't be read or removed aren't ours to remove.
  await Promise.allSettled(removing);
}
