/** What the file name of a run record ends with. */
export const recordEnding = '.run.json';

export function isRecordName(name: string): boolean {
  return name.endsWith(recordEnding);
}

/** What the names of the run's files start with. */
export function recordStem(name: string): string {
  return name.slice(0, -recordEnding.length);
}
