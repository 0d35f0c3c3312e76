import * as vscode from 'vscode';
import { mapDefined } from '../../core/safety/lists';
import { FreeNames } from '../../core/outputs/outputNames';
import { recordAt } from '../../core/records/findRun';
import { isOwed, writeRunRecord } from '../../core/records/runRecord';
import { outputsText } from '../../core/safety/countText';
import { t } from '../../core/safety/localize';
import { shown, shownList } from '../../core/safety/shownText';
import { revealFile } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { pickOne, showCancellable, showInformation } from '../platform/show';
import { uriName } from '../platform/workflowSource';
import type { PlacedOutput } from './ratings';

/** Copies outputs, and their run records if wanted, into a folder that the user chooses. Nothing is overwritten. */
export async function exportOutputs(outputs: readonly PlacedOutput[]): Promise<void> {
  const what = await pickOne(
    [
      { label: shown`Outputs`, withRecords: false },
      {
        label: shown`Outputs and Run Records`,
        detail: shown`Includes what's needed to show and repeat the runs elsewhere.`,
        withRecords: true,
      },
    ],
    { title: shown`${t`Export Outputs`} (${outputs.length})`, placeHolder: shown`Select what to export` },
  );
  if (!what) return;
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: t`Export Outputs`,
      openLabel: t`Export Here`,
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: false,
    })) ?? [];
  if (!folder) return;
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const work = new Export(folder, new FreeNames(entries.map(([name]) => name)));
  await showCancellable(shown`Exporting outputs`, async (signal, progress) => {
    for (const output of outputs) {
      if (signal.aborted) return;
      progress.report({ message: shown`${uriName(output.file)}`, increment: 100 / outputs.length });
      await work.copyOutput(output);
    }
    if (what.withRecords) await work.writeRecords(signal);
  });
  showExportResult(work, folder);
}

function showExportResult({ copied, failed, owed }: Export, folder: vscode.Uri): void {
  if (failed.length > 0) {
    throw new UserProblem(
      shown`Couldn't export ${shownList(failed, 5)}.`,
      shown`Check that the files exist and that ${uriName(folder)} can be written to.`,
    );
  }
  if (owed.length > 0) {
    throw new UserProblem(
      shown`The records of these runs weren't exported, because their outputs aren't all saved yet: ${shownList(owed, 5)}`,
      shown`Export them again once everything is saved.`,
    );
  }
  const [first] = copied;
  if (!first) return;
  const reveal = { label: shown`Reveal` };
  void showInformation(shown`${outputsText(copied.length)} exported to ${uriName(folder)}.`, reveal).then(
    (pressed) => (pressed ? revealFile(first) : undefined),
  );
}

class Export {
  readonly copied: vscode.Uri[] = [];
  readonly failed: string[] = [];
  /** Records of runs with outputs to save: a copy would be followed as well. */
  readonly owed: string[] = [];
  readonly #named = new Map<string, Map<string, string>>();

  constructor(
    private readonly folder: vscode.Uri,
    private readonly names: FreeNames,
  ) {}

  async copyOutput({ file, record, row }: PlacedOutput): Promise<void> {
    const name = this.names.take(row.file.name);
    const to = vscode.Uri.joinPath(this.folder, name);
    if (!(await copyFile(file, to))) {
      this.failed.push(row.file.name);
      return;
    }
    this.copied.push(to);
    const named = this.#named.get(record.toString()) ?? new Map<string, string>();
    this.#named.set(record.toString(), named.set(row.file.name, name));
  }

  async writeRecords(signal: AbortSignal): Promise<void> {
    for (const [uri, named] of this.#named) {
      if (signal.aborted) return;
      await this.#writeRecord(vscode.Uri.parse(uri), named);
    }
  }

  async #writeRecord(uri: vscode.Uri, named: ReadonlyMap<string, string>): Promise<void> {
    const listed = await recordAt(uri.fsPath);
    if (!listed) {
      this.failed.push(uriName(uri));
      return;
    }
    if (isOwed(listed.record)) {
      this.owed.push(listed.name);
      return;
    }
    const renamed = <F extends { readonly name: string }>(file: F): F => ({
      ...file,
      name: named.get(file.name) ?? file.name,
    });
    const { files, expected, inputs = [] } = listed.record;
    const record = { ...listed.record, files: files.map(renamed), expected: expected.map(renamed) };
    // Their names come from their content: one that is there is the same.
    for (const name of new Set(mapDefined(inputs, ({ kept }) => kept))) {
      if (this.names.has(name)) continue;
      this.names.take(name);
      await copyFile(vscode.Uri.joinPath(uri, '..', name), vscode.Uri.joinPath(this.folder, name));
    }
    const to = vscode.Uri.joinPath(this.folder, this.names.take(listed.name));
    await Promise.resolve(vscode.workspace.fs.writeFile(to, writeRunRecord(record))).catch(() =>
      this.failed.push(listed.name),
    );
  }
}

async function copyFile(from: vscode.Uri, to: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(from);
    // A link might lead elsewhere.
    if (type !== vscode.FileType.File) return false;
    await vscode.workspace.fs.copy(from, to, { overwrite: false });
    return true;
  } catch {
    return false;
  }
}
