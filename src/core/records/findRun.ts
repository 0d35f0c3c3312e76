import { isRecordName, recordStem } from '../outputs/recordName';
import { OutputError } from '../outputs/outputError';
import type { OutputFolder } from '../outputs/outputFolder';
import { type ListedRecord, newestRecords, recordNamed } from './recordFile';
import { recordTime, type RunRecord } from './runRecord';

/** At most this many records of a folder are read to find one: each may contain a full prompt. */
const mostRecords = 5_000;

export interface FoundRun extends ListedRecord {
  readonly folder: OutputFolder;
}

/** Finds the record by the file's name in its folder, or else by its content there and in other folders. */
export async function findRun(
  own: OutputFolder,
  name: string,
  others: readonly OutputFolder[],
): Promise<FoundRun | undefined> {
  try {
    const named = await runOfFile(own, name);
    if (named) return { ...named, folder: own };
    const content = await own.fingerprint(name);
    if (!content) return undefined;
    for (const folder of [own, ...others]) {
      const found = await runOfContent(folder, content.sha256);
      if (found) return { ...found, folder };
    }
  } catch (error) {
    // An output can't have this name, or the folder can't be read.
    if (!OutputError.is(error)) throw error;
  }
  return undefined;
}

async function runOfFile(folder: OutputFolder, name: string): Promise<ListedRecord | undefined> {
  const lists = ({ record }: ListedRecord): boolean => hasFile(record, name);
  // Files of a run begin with the name of its record.
  const names = (await folder.list()).filter(
    (each) => isRecordName(each) && name.startsWith(recordStem(each)),
  );
  for (const each of names.sort((a, b) => b.length - a.length)) {
    const listed = await recordNamed(folder, each);
    if (listed && lists(listed)) return listed;
  }
  for await (const listed of newestRecords(folder, mostRecords)) if (lists(listed)) return listed;
  return undefined;
}

async function runOfContent(folder: OutputFolder, sha256: string): Promise<ListedRecord | undefined> {
  for await (const listed of newestRecords(folder, mostRecords)) {
    if (listed.record.files.some((file) => file.sha256 === sha256)) return listed;
  }
  return undefined;
}

export async function runOfJob(folder: OutputFolder, job: string): Promise<ListedRecord | undefined> {
  for await (const listed of newestRecords(folder, mostRecords)) {
    if (listed.record.job === job) return listed;
  }
  return undefined;
}

function hasFile({ files, expected }: RunRecord, name: string): boolean {
  return files.some((file) => file.name === name) || expected.some((file) => file.name === name);
}

export interface RunToCompare<P> {
  readonly place: P;
  readonly label: string;
  /** When it was sent, ms since the epoch; 0 if unknown. */
  readonly time: number;
  readonly server: string;
  readonly seeds: readonly string[];
  readonly isSameWorkflow: boolean;
}

/** Keeps only what a list of runs shows: a record contains a full prompt. */
export function runToCompare<P>(place: P, record: RunRecord, other: Sourced): RunToCompare<P> {
  return {
    place,
    label: record.label,
    time: recordTime(record.sentAt ?? record.submittedAt) ?? 0,
    server: record.server,
    seeds: Object.values(record.seeds),
    isSameWorkflow: workflowOf(record) === workflowOf(other),
  };
}

/** Runs of the same workflow first, and the newest of each. */
export function comparableRunsInOrder<P>(runs: readonly RunToCompare<P>[]): readonly RunToCompare<P>[] {
  return [...runs].sort((a, b) => Number(b.isSameWorkflow) - Number(a.isSameWorkflow) || b.time - a.time);
}

type Sourced = Pick<RunRecord, 'label' | 'sourceUri'>;

function workflowOf({ sourceUri, label }: Sourced): string {
  return sourceUri ?? label;
}
