import type { OutputFolder } from './outputFolder';
import { splitExtension } from './safeName';

/**
 * Gives out names that nothing in the folder has. The folder is listed once and the last number per name remembered,
 * so that thousands of outputs of one name cost no more than as many different ones. Names that differ in case or in
 * the way accents are written count as the same, as they do on macOS and Windows.
 */
export class FreeNames {
  readonly #taken: Set<string>;
  readonly #last = new Map<string, number>();

  /** @param taken names that are in the folder */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(Array.from(taken, sameOnEveryDisk));
  }

  static async of(folder: OutputFolder): Promise<FreeNames> {
    return new FreeNames(await folder.list());
  }

  /**
   * The first free one of `name.png`, `name (2).png`, `name (3).png` …; it counts as taken from now on.
   * @param name a single safe segment
   */
  take(name: string): string {
    const { stem, extension } = splitExtension(name);
    const key = sameOnEveryDisk(name);
    for (let count = (this.#last.get(key) ?? 0) + 1; ; count++) {
      const candidate = count === 1 ? name : `${stem} (${count})${extension}`;
      const candidateKey = sameOnEveryDisk(candidate);
      if (this.#taken.has(candidateKey)) continue;
      this.#taken.add(candidateKey);
      this.#last.set(key, count);
      return candidate;
    }
  }
}

/** What a disk that ignores case and composition makes of a name. */
export function sameOnEveryDisk(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
