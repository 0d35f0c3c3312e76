import type { Job } from '../jobs/job';
import type { OutputFile } from '../protocol/outputFile';
import type { FreeNames } from '../outputs/freeNames';
import { neutralName } from '../outputs/neutralEnding';
import { isTemporary, outputName } from '../outputs/outputNames';
import { expectedFile, outputFileKey, outputKey, type ExpectedFile } from '../outputs/expectedFile';

/** Temporary outputs listed by an earlier save: what is on disk stays in the record. */
export function recordedBefore(
  job: Job,
  wanted: readonly OutputFile[],
  earlier: ReadonlyMap<string, ExpectedFile>,
): readonly OutputFile[] {
  const keys = new Set(wanted.map(outputFileKey));
  return job.outputs.filter(
    (file) => isTemporary(file) && earlier.has(outputFileKey(file)) && !keys.has(outputFileKey(file)),
  );
}

/** The names of the outputs, the same when they are saved again. */
export function planOf(
  files: readonly OutputFile[],
  stem: string,
  earlier: ReadonlyMap<string, ExpectedFile>,
  names: FreeNames,
): ExpectedFile[] {
  return files.map((file) => {
    const wanted = expectedFile(file, '');
    const known = earlier.get(outputKey(wanted));
    if (known && isGivenName(known.name, stem)) return known;
    return { ...wanted, name: names.take(outputName(stem, file)) };
  });
}

/** Anyone may have edited or sent a record: its names must not create programs, or files that programs look for. */
function isGivenName(name: string, stem: string): boolean {
  return name.startsWith(`${stem}-`) && neutralName(name) === name;
}
