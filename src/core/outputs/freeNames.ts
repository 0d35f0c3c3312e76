import { countAt } from '../safety/lists';
import { isRecordName, recordEnding, recordStem } from './recordName';
import type { OutputFolder } from './outputFolder';
import { splitExtension } from './safeName';

/**
 * Returns names that are free in the folder. The folder is listed once and the last number per name remembered, so that
 * thousands of outputs with one name cost no more than distinct ones. Names that differ only in case or Unicode
 * normalization count as equal, as on macOS and Windows.
 */
export class FreeNames {
  readonly #used: Set<string>;
  readonly #last = new Map<string, number>();

  constructor(used: Iterable<string>) {
    this.#used = new Set(Array.from(used, sameOnEveryDisk));
  }

  static async of(folder: OutputFolder): Promise<FreeNames> {
    return new FreeNames(await folder.list());
  }

  has(name: string): boolean {
    return this.#used.has(sameOnEveryDisk(name));
  }

  /**
   * The first free one of `name.png`, `name (2).png`, `name (3).png` …; from now on it counts as taken. A run record
   * keeps its whole ending.
   * @param name a single safe segment
   */
  take(name: string): string {
    const { stem, extension } = isRecordName(name)
      ? { stem: recordStem(name), extension: recordEnding }
      : splitExtension(name);
    const key = sameOnEveryDisk(name);
    for (let count = countAt(this.#last, key) + 1; ; count++) {
      const candidate = count === 1 ? name : `${stem} (${count})${extension}`;
      const candidateKey = sameOnEveryDisk(candidate);
      if (this.#used.has(candidateKey)) continue;
      this.#used.add(candidateKey);
      this.#last.set(key, count);
      return candidate;
    }
  }
}

/** What a disk that ignores case and composition makes of a name. */
export function sameOnEveryDisk(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
