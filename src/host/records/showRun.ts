import path from 'node:path';
import * as vscode from 'vscode';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { findRun, runOfJob } from '../../core/records/findRun';
import { shown } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';

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

/** The record of a job in one of these folders. */
export async function recordOfJob(
  job: string,
  label: string,
  folders: readonly vscode.Uri[],
): Promise<vscode.Uri> {
  for (const root of new Set(folders.map(({ fsPath }) => fsPath))) {
    const found = await runOfJob(new NodeFolder(root), job);
    if (found) return vscode.Uri.file(path.join(root, found.name));
  }
  throw new UserProblem(
    shown`${label} has no run record in the output folder.`,
    shown`Save its outputs to create a run record.`,
  );
}
