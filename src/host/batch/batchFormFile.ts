import * as vscode from 'vscode';
import { batchEnding } from '../../core/batch/batchEndings';
import { readBatchFile, type BatchFile } from '../../core/batch/batchFile';
import { batchFormFromSpec, type BatchForm } from '../../core/batch/batchForm';
import type { BatchInput } from '../../core/batch/batchInputs';
import type { OpenedBatch } from '../../core/batch/writeBatchFile';
import { shown } from '../../core/safety/shownText';
import { fileStat } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { askToGoOn } from '../platform/show';
import { keepLineEnds } from '../../core/json/textOfBytes';
import { uriName } from '../platform/workflowSource';
import { batchIn, notSaved, textFile } from './batchSource';
import { openDocument } from '../platform/activeDocument';
import { isSameUri } from '../platform/sameUri';

export class BatchFormFile {
  #opened: OpenedBatch | undefined;
  /** The form shows what the file had when it was opened, and not what it was before a reload. */
  #isShown = true;

  private constructor(
    readonly workflow: vscode.Uri,
    readonly file: vscode.Uri,
  ) {}

  /**
   * @param uri of a workflow, whose batch file need not exist, or of a batch file
   * @throws UserProblem for a workflow without a file, and for a file that isn't a batch file
   */
  static async of(uri: vscode.Uri): Promise<BatchFormFile> {
    if (uri.scheme === 'untitled')
      throw new UserProblem(
        shown`The batch file is saved next to the workflow, which hasn't been saved yet.`,
        shown`Save the workflow, then try again.`,
      );
    const folder = vscode.Uri.joinPath(uri, '..');
    if (!uri.path.endsWith(batchEnding)) {
      const name = `${uriName(uri).replace(/\.jsonc?$/i, '')}${batchEnding}`;
      return new BatchFormFile(uri, vscode.Uri.joinPath(folder, name));
    }
    const batch = batchIn(uri, openDocument(uri)?.getText() ?? (await textFile(uri)));
    return new BatchFormFile(vscode.Uri.joinPath(folder, batch.workflow), uri);
  }

  get opened(): OpenedBatch | undefined {
    return this.#opened;
  }

  /** Reads the file into a form; undefined if there is none, or it is not a batch of this workflow. */
  async open(
    inputs: readonly BatchInput[],
    ownServers: readonly string[],
    isShown: boolean,
  ): Promise<BatchForm | undefined> {
    this.#isShown = isShown;
    const text = await currentText(this.file);
    this.#opened = undefined;
    if (text === undefined) return undefined;
    const batch = readBatchFile(text);
    if (batch.kind === 'invalid' || !this.#isOurs(batch)) return undefined;
    const form = batchFormFromSpec(batch, inputs, ownServers);
    this.#opened = { text, form };
    return form;
  }

  /** Writes the file; asks before it replaces anything that the form did not open. @returns whether it is written */
  async save(made: string, form: BatchForm): Promise<boolean> {
    const current = await currentText(this.file);
    const text = keepLineEnds(current, made);
    const isOpened = this.#isShown && current === this.#opened?.text;
    const isKnown = current === undefined ? !(await fileStat(this.file)) : current === text || isOpened;
    if (!isKnown && !(await this.#mayReplace())) return false;
    if (current !== text) await writeText(this.file, text);
    this.#opened = { text, form };
    this.#isShown = true;
    return true;
  }

  #isOurs({ workflow }: BatchFile): boolean {
    return isSameUri(vscode.Uri.joinPath(this.file, '..', workflow), this.workflow);
  }

  #mayReplace(): Promise<boolean> {
    return askToGoOn({
      message: shown`Replace ${uriName(this.file)}?`,
      detail: this.#opened
        ? shown`The file has changed since the form opened it.`
        : shown`The file is not a batch of ${uriName(this.workflow)}.`,
      goOn: shown`Replace`,
    });
  }
}

function currentText(uri: vscode.Uri): Promise<string | undefined> {
  const open = openDocument(uri);
  return open ? Promise.resolve(open.getText()) : textFile(uri).catch(() => undefined);
}

async function writeText(uri: vscode.Uri, text: string): Promise<void> {
  const document = openDocument(uri);
  if (!document) {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  const end = document.positionAt(document.getText().length);
  edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) throw notSaved(uri);
}
