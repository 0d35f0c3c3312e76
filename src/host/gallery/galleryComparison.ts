import path from 'node:path';
import { captionValues, captionWords } from '../../core/diff/captionWords';
import { isComparable, type RunDifference, runDifferences } from '../../core/diff/valueDifferences';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordNamed } from '../../core/outputs/recordFile';
import type * as vscode from 'vscode';
import { setContext } from '../platform/contextKeys';
import { contextKeys } from '../platform/contributions';
import type { RunRecord } from '../../core/outputs/runRecord';

/** An output, and the record of its run. */
export interface RunOfOutput {
  readonly id: number;
  readonly record: vscode.Uri;
}

export interface ComparedOutputs {
  readonly differences: readonly RunDifference[];
  /** What tells each from the others. */
  readonly captions: readonly (readonly string[])[];
  /** Those with no readable run record, or none with a prompt. */
  readonly unknown: readonly number[];
}

/** What differs between the runs of some outputs, by their records as they are now. */
export async function compareOutputs(
  outputs: readonly RunOfOutput[],
  serverName: (origin: string) => string,
): Promise<ComparedOutputs> {
  setContext(contextKeys.runsCompared, true);
  const records = await Promise.all(outputs.map(readRecord));
  const unknown = outputs.flatMap(({ id }, index) => {
    const record = records[index];
    return record && isComparable(record) ? [] : [id];
  });
  const none: RunRecord = { format: 3, state: 'lost', server: '', label: '', ...empty };
  const compared = records.map((record) => record ?? none);
  return {
    differences: runDifferences(compared, serverName),
    captions: captionWords(compared.map(captionValues)),
    unknown,
  };
}

const empty = { seeds: {}, expected: [], files: [], texts: [] } as const;

async function readRecord({ record }: RunOfOutput): Promise<RunRecord | undefined> {
  const folder = new NodeFolder(path.dirname(record.fsPath));
  return (await recordNamed(folder, path.basename(record.fsPath)))?.record;
}
