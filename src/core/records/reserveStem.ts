import { sameOnEveryDisk } from '../outputs/freeNames';
import type { OutputFolder } from '../outputs/outputFolder';
import { recordName } from '../outputs/outputNames';
import { putUnderFreeName, writeWhole } from '../outputs/writeWhole';

/**
 * Reserves a stem that all files of one run start with: the first of `stem`, `stem (2)`, `stem (3)` … that no file in
 * the
 * folder starts with. The run record, `<stem>.run.json`, makes it exclusive: it is written first and completely, and
 * never
 * over another, so two runs that end in the same second, in two windows or on the command line, get different ones.
 * Complete
 * the record later with `replaceWhole`.
 * @param wanted as returned by `outputPrefix`
 * @param record bytes of the first record
 */
export async function reserveStem(
  folder: OutputFolder,
  wanted: string,
  record: (stem: string) => Uint8Array,
): Promise<string> {
  const taken = takenNumbers(await folder.list(), wanted);
  let count = 0;
  return putUnderFreeName(
    () => {
      do count++;
      while (taken.has(count));
      return count === 1 ? wanted : `${wanted} (${count})`;
    },
    (stem) => writeWhole(folder, recordName(stem), record(stem)),
  );
}

/** The numbers of the stem in existing names; 1 is the stem without one. */
function takenNumbers(names: readonly string[], stem: string): ReadonlySet<number> {
  const start = sameOnEveryDisk(stem);
  const taken = new Set<number>();
  for (const name of names.map(sameOnEveryDisk)) {
    if (!name.startsWith(start)) continue;
    const match = /^(?: \((\d{1,9})\))?[-.]/.exec(name.slice(start.length));
    if (match) taken.add(Number(match[1] ?? 1));
  }
  return taken;
}
