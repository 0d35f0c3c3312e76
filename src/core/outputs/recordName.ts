export const recordEnding = '.run.json';

export function isRecordName(name: string): boolean {
  return name.endsWith(recordEnding);
}

export function recordStem(name: string): string {
  return name.slice(0, -recordEnding.length);
}
