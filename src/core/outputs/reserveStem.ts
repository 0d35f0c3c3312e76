import { sameOnEveryDisk } from './freeNames';
import type { OutputFolder } from './outputFolder';
import { recordName } from './outputNames';
import { putUnderFreeName, writeWhole } from './writeWhole';

/**
 * Takes a stem that all files of one run begin with, for this run alone: the first of `stem`, `stem (2)`, `stem (3)` …
 * that no file in the folder begins with. What makes it exclusive is the run record, `<stem>.run.json`: it is written
 * first and whole, and never over another, so two runs that end in the same second, in two windows or on the command
 * line, get different ones. Complete the record later with `replaceWhole`.
 * @param wanted as `outputPrefix` gives it
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

/** The numbers of the stem with which names begin; 1 is the stem without one. */
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
