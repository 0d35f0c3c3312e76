import * as vscode from 'vscode';
import path from 'node:path';
import { textOfBytes } from '../../core/json/textOfBytes';
import { readRunRecord, type RunRecord } from '../../core/records/runRecord';
import { budgets } from '../../core/safety/budgets';
import { t } from '../../core/safety/localize';
import { UserProblem } from '../platform/problems';
import { shown } from '../../core/safety/shownText';

export type RecordReading =
  | { readonly kind: 'record'; readonly record: RunRecord }
  /** A sentence. */
  | { readonly kind: 'problem'; readonly message: string };

/** The run record in a file. */
export async function readRecord(uri: vscode.Uri): Promise<RecordReading> {
  let bytes: Uint8Array;
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > budgets.runRecord)
      return { kind: 'problem', message: t`This file is too large for a run record.` };
    bytes = await vscode.workspace.fs.readFile(uri);
  } catch {
    return { kind: 'problem', message: t`This file can't be read. It may have been moved or deleted.` };
  }
  let problem = '';
  const record = readRunRecord(textOfBytes(bytes), path.basename(uri.path), ({ message }) => {
    problem = message;
  });
  return record ? { kind: 'record', record } : { kind: 'problem', message: problem };
}

/** @throws UserProblem when the file is no run record */
export async function requireRecord(uri: vscode.Uri): Promise<RunRecord> {
  const reading = await readRecord(uri);
  if (reading.kind === 'record') return reading.record;
  throw new UserProblem(shown`${reading.message}`, shown`Open it as text to see what it contains.`);
}
