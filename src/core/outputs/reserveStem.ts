import { sameOnEveryDisk } from './freeNames';
import type { OutputFolder } from './outputFolder';
import { OutputError } from './outputError';
import { recordName } from './outputNames';
import { writeWhole } from './writeWhole';

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
  for (let count = 1; ; count++) {
    if (taken.has(count)) continue;
    const stem = count === 1 ? wanted : `${wanted} (${count})`;
    try {
      await writeWhole(folder, recordName(stem), record(stem));
      return stem;
    } catch (error) {
      // Another run was faster.
      if (!OutputError.is(error, 'exists')) throw error;
    }
  }
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
