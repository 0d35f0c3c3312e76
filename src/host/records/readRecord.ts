import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { textOfBytes } from '../../core/json/textOfBytes';
import { readRunRecord, type RunRecord } from '../../core/records/runRecord';
import { budgets } from '../../core/safety/budgets';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { findRun } from '../../core/records/findRun';
import { sourceOfRecord } from '../outputs/outputPlace';
import { openText } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { showInformation } from '../platform/show';
import { jobLabelInSentence } from '../../core/jobs/jobWords';
import type { RunStore } from '../../core/runLife/runStore';
import { uriInRun } from '../runs/runFolders';
import { isSourceGone, sourceGone, usedAsSent } from '../runs/goneSource';

/** The record of a file, or why it is none. */
export async function readRecord(uri: vscode.Uri): Promise<RunRecord | string> {
  const name = path.basename(uri.path);
  let bytes: Uint8Array;
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > budgets.runRecord) return t`${name} is too large.`;
    bytes = await vscode.workspace.fs.readFile(uri);
  } catch {
    return t`This file can't be read. It may have been moved or deleted.`;
  }
  let problem = '';
  const record = readRunRecord(textOfBytes(bytes), name, ({ message }) => (problem = message));
  return record ?? problem;
}

/** @throws UserProblem when the file is no run record */
export async function requireRecord(uri: vscode.Uri): Promise<RunRecord> {
  const read = await readRecord(uri);
  if (typeof read !== 'string') return read;
  throw new UserProblem(shown`${read}`, shown`Open it as text to see what it contains.`);
}

/** The record of the run that made a file, by its name or its content; `others` are more folders with records. */
export async function recordOfFile(file: vscode.Uri, others: readonly vscode.Uri[]): Promise<vscode.Uri> {
  const name = path.basename(file.fsPath);
  if (file.scheme !== 'file') {
    throw new UserProblem(
      shown`The run of ${name} can't be found, because the file is not on this machine.`,
      shown`Save it to a folder on disk, then try again.`,
    );
  }
  const own = path.dirname(file.fsPath);
  const roots = new Set(others.map(({ fsPath }) => fsPath).filter((root) => root !== own));
  const folders = Array.from(roots, (root) => new NodeFolder(root));
  const found = await findRun(new NodeFolder(own), name, folders);
  if (found) return vscode.Uri.file(found.folder.location(found.name));
  throw new UserProblem(
    shown`No run record found for ${name}.`,
    shown`Run records are next to the outputs, as files that end in .run.json.`,
  );
}

export function recordOfJob(jobId: string, runs: RunStore): vscode.Uri {
  const job = runs.job(jobId);
  const run = job && runs.ofJob(job);
  if (run) return uriInRun(run, run.place.record);
  const label = job ? jobLabelInSentence(job) : t`job ${jobId.slice(0, 8)}`;
  throw new UserProblem(
    shown`${label} has no run record in the output folder.`,
    shown`Save its outputs to create a run record.`,
  );
}

/** Opens the workflow file of a record, or what was sent if that is gone. */
export async function openRecordWorkflow(uri: vscode.Uri, record: RunRecord): Promise<void> {
  const source = sourceOfRecord(uri, record);
  const text = textOfRecord(record);
  if (await isSourceGone(source)) {
    if (text === undefined) throw sourceGone(record.label);
    await openText(text);
    void showInformation(usedAsSent(record.label));
    return;
  }
  const { document } = await vscode.window.showTextDocument(source);
  const { workflowIn, workflowInFile } = await import('../platform/readWorkflow');
  // An editor that has just opened may not know yet that its file has changed; its own may be gone.
  const file = document.isDirty ? undefined : vscode.workspace.fs.readFile(source);
  const bytes = await Promise.resolve(file).catch(() => undefined);
  const workflow = bytes ? workflowInFile(source, bytes) : workflowIn(document);
  const hash = createHash('sha256').update(workflow.text).digest('hex');
  if (record.sourceHash === undefined || record.sourceHash === hash || text === undefined) return;
  const open = { label: shown`Open Submitted Version` };
  const words = shown`${record.label} has changed since this run.`;
  void showInformation(words, open).then((chosen) => chosen && openText(text));
}

/** The workflow that was submitted: the graph, if the record has it. */
export function textOfRecord(record: RunRecord): string | undefined {
  return record.workflowText ?? record.promptText;
}
