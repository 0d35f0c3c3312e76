import path from 'node:path';
import * as vscode from 'vscode';
import { readBatchFile, type BatchFile } from '../../core/batch/batchFile';
import type { ReadText } from '../../core/batch/axisSource';
import { hashWorkflowText } from '../../core/batch/planBatch';
import type { TextFile } from '../../core/batch/prepareBatch';
import { resolveRealPath } from '../../core/outputs/changeFile';
import { describeLocalMedia } from '../../core/runs/localFile';
import { isHidden, isPathBelow, pathBelow } from '../../core/safety/paths';
import { budgets } from '../../core/safety/budgets';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';
import {
  uriName,
  readSource,
  readSentText,
  tooLarge,
  unreadable,
  type WorkflowSource,
} from '../platform/workflowSource';
import { csvColumns } from '../../core/batch/axisValues';
import { openDocument } from '../platform/activeDocument';
import { pathInFolder } from '../platform/sameUri';

export interface BatchSource {
  readonly spec: BatchFile;
  readonly workflow: WorkflowSource;
  /** SHA-256 (hex) of the file's text. */
  readonly batchHash: string;
  readonly files: { readonly read: ReadText; readonly texts: readonly TextFile[] };
}

/**
 * Saves unsaved changes first, so that the batch can be resumed.
 * @param draft read instead of the file
 * @throws UserProblem
 */
export async function readBatchSource(file: vscode.Uri, draft?: string): Promise<BatchSource> {
  if (draft === undefined) await save(file);
  const text = draft ?? (await textFile(file));
  const spec = batchIn(file, text);
  const workflow = await fileBelow(file, spec.workflow);
  const texts: TextFile[] = [];
  return {
    spec,
    workflow: await savedWorkflow(workflow),
    batchHash: hashWorkflowText(text),
    files: {
      read: async (name) => {
        const uri = await fileBelow(file, name);
        texts.push(await textFileAt(file, uri, name));
        return textFile(uri);
      },
      texts,
    },
  };
}

/** @throws UserProblem */
export function batchIn(file: vscode.Uri, text: string): BatchFile {
  const spec = readBatchFile(text);
  if (spec.kind === 'batch') return spec;
  throw new UserProblem(
    shown`${uriName(file)} is not a batch file: ${spec.findings[0]?.message ?? ''}`,
    shown`Open the file and fix the marked problems.`,
  );
}

async function textFileAt(batch: vscode.Uri, uri: vscode.Uri, name: string): Promise<TextFile> {
  if (uri.scheme !== 'file') return { description: name, size: 0, marks: isHidden(name) ? ['hidden'] : [] };
  const folder = path.dirname(batch.fsPath);
  const realPath = await resolveRealPath(uri.fsPath).catch(() => uri.fsPath);
  return describeLocalMedia({ path: uri.fsPath, realPath, size: 0 }, { root: folder, folder, name }, name);
}

/** The workflow as it is on disk, unsaved changes included: they are saved first. */
export async function savedWorkflow(uri: vscode.Uri): Promise<WorkflowSource> {
  await save(uri);
  return readSource(uri);
}

/** @throws UserProblem for a file that is not below the batch file's folder, also by links */
export async function fileBelow(file: vscode.Uri, name: string): Promise<vscode.Uri> {
  const folder = vscode.Uri.joinPath(file, '..');
  const whole = vscode.Uri.joinPath(folder, ...name.split('/'));
  if (isPathBelow(name) && (await staysBelow(folder, whole))) return whole;
  throw outside(name);
}

function outside(name: string): UserProblem {
  return new UserProblem(
    shown`${name} is outside the folder of the batch file.`,
    shown`Move it to that folder.`,
  );
}

async function staysBelow(folder: vscode.Uri, file: vscode.Uri): Promise<boolean> {
  if (folder.scheme !== 'file') return true;
  const root = await resolveRealPath(folder.fsPath);
  const real = await resolveRealPath(file.fsPath).catch(() => path.join(root, path.basename(file.fsPath)));
  return pathBelow(root, real, path) !== undefined;
}

async function save(uri: vscode.Uri): Promise<void> {
  const open = openDocument(uri);
  if (open?.isDirty && !(await open.save())) throw notSaved(uri);
}

export function notSaved(uri: vscode.Uri): UserProblem {
  return new UserProblem(
    shown`${uriName(uri)} couldn't be saved.`,
    shown`Save it in its editor, then try again.`,
  );
}

/** As it is on disk. @throws UserProblem */
export async function textFile(uri: vscode.Uri): Promise<string> {
  const name = uriName(uri);
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if (size > budgets.batchFile) throw tooLarge(name);
    // A pipe may never end.
    if ((type & vscode.FileType.File) !== 0)
      return readSentText(name, await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof UserProblem) throw error;
  }
  throw unreadable(name);
}

/** Reads the text and CSV files of a batch. They must be below the folder of its file. */
export function textFilesOf(batchFile: vscode.Uri): ReadText {
  return async (name) => textFile(await fileBelow(batchFile, name));
}

/** `column`: the first one of a CSV file; empty for a text file. */
export async function pickTextFile(folder: vscode.Uri) {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: t`Select a file`,
      defaultUri: folder,
      filters: { [t`Text and CSV files`]: ['txt', 'csv', 'md'] },
    })) ?? [];
  if (!uri) return undefined;
  const file = pathInFolder(folder, uri);
  if (file === undefined || !isPathBelow(file)) throw outside(uriName(uri));
  if (!/\.csv$/i.test(file)) return { file, column: '' };
  const [column = ''] = await textFile(uri).then(csvColumns, () => []);
  return { file, column };
}
