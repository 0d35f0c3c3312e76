import path from 'node:path';
import { captionValues, captionWords } from '../../core/diff/captionWords';
import { isComparable, type RunDifference, runDifferences } from '../../core/diff/valueDifferences';
import { runsBeside } from '../../core/gallery/galleryFilter';
import type { GalleryRow } from '../../core/gallery/galleryRow';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordNamed } from '../../core/records/recordFile';
import type * as vscode from 'vscode';
import { setContext } from '../platform/contextKeys';
import { contextKeys } from '../platform/contributions';
import type { RunRecord } from '../../core/records/runRecord';
import type { GalleryCaption } from '../../webview/contract/gallery';

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

/** What tells outputs from those of the runs of their workflow beside them: read from the records when they are seen. */
export async function captionsOf(
  ids: readonly number[],
  rows: readonly GalleryRow[],
  recordOf: (row: GalleryRow) => vscode.Uri | undefined,
): Promise<readonly GalleryCaption[]> {
  const found: GalleryCaption[] = [];
  for (const runs of runsBeside(rows, new Set(ids))) {
    const values = await Promise.all(
      runs.map(async ([row]) => {
        const record = row && recordOf(row);
        const known = record && (await readRecord({ record }).catch(() => undefined));
        return known && captionValues(known);
      }),
    );
    const known = values.flatMap((value, index) =>
      value === undefined ? [] : [{ value, rows: runs[index] ?? [] }],
    );
    const words = captionWords(known.map(({ value }) => value));
    for (const [index, run] of known.entries())
      for (const { id } of run.rows) found.push({ id, words: words[index] ?? [] });
  }
  return found;
}

const empty = { seeds: {}, expected: [], files: [], texts: [] } as const;

async function readRecord({ record }: Pick<RunOfOutput, 'record'>): Promise<RunRecord | undefined> {
  const folder = new NodeFolder(path.dirname(record.fsPath));
  return (await recordNamed(folder, path.basename(record.fsPath)))?.record;
}
