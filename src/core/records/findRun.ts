import { isRecordName, recordStem } from '../outputs/outputNames';
import path from 'node:path';
import { NodeFolder } from '../outputs/nodeFolder';
import { OutputError } from '../outputs/outputError';
import type { OutputFolder } from '../outputs/outputFolder';
import { findRecord, type ListedRecord, recordNamed } from './recordFile';
import type { RunRecord } from './runRecord';

/** The record at a path; undefined if it can't be read. */
export function recordAt(file: string): Promise<ListedRecord | undefined> {
  return recordNamed(new NodeFolder(path.dirname(file)), path.basename(file));
}

/** At most this many records of a folder are read to find one: each may contain a full prompt. */
const mostRecords = { newest: 5_000 };

/** Finds the record by the file's name in its folder, or else by its content there and in other folders. */
export async function findRun(
  own: OutputFolder,
  name: string,
  others: readonly OutputFolder[],
): Promise<(ListedRecord & { readonly folder: OutputFolder }) | undefined> {
  try {
    const named = await runOfFile(own, name);
    if (named) return { ...named, folder: own };
    const content = await own.fingerprint(name);
    if (!content) return undefined;
    for (const folder of [own, ...others]) {
      const found = await findRecord(
        folder,
        ({ files }) => files.some(({ sha256 }) => sha256 === content.sha256),
        mostRecords,
      );
      if (found) return { ...found, folder };
    }
  } catch (error) {
    // An output can't have this name, or the folder can't be read.
    if (!OutputError.is(error)) throw error;
  }
  return undefined;
}

async function runOfFile(folder: OutputFolder, name: string): Promise<ListedRecord | undefined> {
  // Files of a run begin with the name of its record.
  const names = (await folder.list()).filter(
    (each) => isRecordName(each) && name.startsWith(recordStem(each)),
  );
  for (const each of names.sort((a, b) => b.length - a.length)) {
    const listed = await recordNamed(folder, each);
    if (listed && hasFile(listed.record, name)) return listed;
  }
  return findRecord(folder, (record) => hasFile(record, name), mostRecords);
}

function hasFile({ files, expected }: RunRecord, name: string): boolean {
  return [...files, ...expected].some((file) => file.name === name);
}
