import { sameOnEveryDisk } from '../outputs/freeNames';
import { splitExtension } from '../outputs/safeName';

const recordEnding = '.run.json';

/** Gives names that are free in a folder: `name.png`, or else `name (2).png`, `name (3).png` … */
export class ExportNames {
  readonly #taken: Set<string>;

  /** @param taken names that exist in the folder */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(Array.from(taken, sameOnEveryDisk));
  }

  has(name: string): boolean {
    return this.#taken.has(sameOnEveryDisk(name));
  }

  /** From now on the name counts as taken. A run record keeps its whole ending. */
  take(name: string): string {
    const { stem, extension } = name.endsWith(recordEnding)
      ? { stem: name.slice(0, -recordEnding.length), extension: recordEnding }
      : splitExtension(name);
    let free = name;
    for (let count = 2; this.has(free); count++) free = `${stem} (${count})${extension}`;
    this.#taken.add(sameOnEveryDisk(free));
    return free;
  }
}
