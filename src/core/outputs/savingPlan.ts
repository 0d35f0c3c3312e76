import type { Job } from '../jobs/job';
import type { OutputFile } from '../protocol/outputFile';
import type { FreeNames } from './freeNames';
import { neutralName } from './neutralEnding';
import { isTemporary, outputName } from './outputNames';
import { expectedFile, outputFileKey, outputKey } from './recordSteps';
import type { ExpectedFile } from './runRecord';

/** Temporary outputs that an earlier saving has listed: what lies on disk does not leave the record. */
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

/** The names that the outputs get, the same ones when they are saved again. */
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

/** Records are files that anybody may have edited or sent: they make no program, and nothing that programs look for. */
function isGivenName(name: string, stem: string): boolean {
  return name.startsWith(`${stem}-`) && neutralName(name) === name;
}
