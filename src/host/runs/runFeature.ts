import * as vscode from 'vscode';
import { commands } from '../platform/contributions';
import { registerCommand } from '../platform/commandRegistry';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import type { Runs } from './runs';
import { hasSource, readSource, sourcesOf, isWorkflowDocument, nameOf } from '../platform/workflowSource';
import { example, type ExampleKind } from '../../core/language/exampleWorkflow';
import { UserProblem } from '../platform/problems';
import { shown } from '../../core/safety/shownText';
import { pickOne } from '../platform/show';

/** Runs workflow files from the palette, the editor, the Explorer and the keyboard. */
export class RunFeature implements Feature {
  readonly #runs: Runs;
  readonly #log: Log;
  readonly #onUsed: () => void;

  /** @param onUsed called when a command of this feature is used */
  constructor(runs: Runs, log: Log, onUsed: () => void) {
    this.#runs = runs;
    this.#log = log;
    this.#onUsed = onUsed;
  }

  register(context: vscode.ExtensionContext): void {
    context.subscriptions.push(
      this.#runs,
      registerCommand(this.#log, commands.run, (...args) => this.#run(args, 'keep', context.extensionUri)),
      registerCommand(this.#log, commands.runWithNewSeeds, (...args) =>
        this.#run(args, 'new', context.extensionUri),
      ),
      registerCommand(this.#log, commands.runTimes, (...args) => this.#runTimes(args)),
      registerCommand(this.#log, commands.stopWaitingRuns, () => this.#runs.stopWaiting()),
      registerCommand(this.#log, commands.openSample, () => openSampleFrom(context.extensionUri)),
      registerCommand(this.#log, commands.openExample, (kind) => openExample(context.extensionUri, kind)),
    );
  }

  /** Several selected files run one after the other; a server error stops the rest. */
  async #run(
    args: readonly unknown[],
    seeds: 'keep' | 'new',
    extensionUri: vscode.Uri,
  ): Promise<string | undefined> {
    this.#onUsed();
    let jobId: string | undefined;
    for (const uri of await this.#filesToRun(args, extensionUri))
      jobId = await this.#runs.run(await readSource(uri), { seeds });
    return jobId;
  }

  async #runTimes(args: readonly unknown[]): Promise<void> {
    const [uri] = sourcesOf(args);
    if (!uri) return;
    const { askTimes } = await import('./waitingRuns');
    const times = await askTimes();
    if (times === undefined) return;
    this.#onUsed();
    await this.#runs.runTimes(await readSource(uri), times);
  }

  /** From the walkthrough, no file is active: an open one runs, or else a sample. */
  async #filesToRun(args: readonly unknown[], extensionUri: vscode.Uri): Promise<readonly vscode.Uri[]> {
    if (hasSource(args)) return sourcesOf(args);
    const open = await pickOpenWorkflow();
    const file = open === 'none' ? await openSampleFrom(extensionUri) : open;
    return file ? [file] : [];
  }
}

async function openSampleFrom(extensionUri: vscode.Uri): Promise<vscode.Uri | undefined> {
  return (await import('./sample')).openSample(extensionUri);
}

/** Opens a sample for trying findings or completion. It is not saved to a file, so nothing has to be cleaned up. */
async function openExample(extensionUri: vscode.Uri, wanted: unknown): Promise<void> {
  const kind: ExampleKind = wanted === 'completion' ? 'completion' : 'mistake';
  const sample = vscode.Uri.joinPath(extensionUri, 'samples', 'text-to-image.json');
  const made = example(new TextDecoder().decode(await vscode.workspace.fs.readFile(sample)), kind);
  if (!made) throw new UserProblem(shown`The sample can't be read.`, shown`Reinstall the extension.`);
  const document = await vscode.workspace.openTextDocument({ language: 'json', content: made.text });
  const at = document.positionAt(made.offset);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), preview: false });
  await vscode.commands.executeCommand(
    kind === 'mistake' ? 'workbench.actions.view.problems' : 'editor.action.triggerSuggest',
  );
}

/** A workflow file open behind the active editor, such as the walkthrough; undefined when cancelled. */
async function pickOpenWorkflow(): Promise<vscode.Uri | 'none' | undefined> {
  const open = await openWorkflows();
  if (open.length === 0) return 'none';
  if (open.length === 1) return open[0];
  const rows = open.map((uri) => ({
    label: shown`${nameOf(uri)}`,
    description: shown`${vscode.workspace.asRelativePath(uri)}`,
    uri,
  }));
  const picked = await pickOne(rows, {
    title: shown`Run Workflow`,
    placeHolder: shown`Select one of the open workflow files`,
  });
  return picked?.uri;
}

/** Open workflow files: the visible ones, or else all. */
async function openWorkflows(): Promise<readonly vscode.Uri[]> {
  const visible = vscode.window.visibleTextEditors.map(({ document }) => document).filter(isWorkflowDocument);
  if (visible.length > 0) return unique(visible.map(({ uri }) => uri));
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const files = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const found: vscode.Uri[] = [];
  for (const uri of unique(files)) if (await isWorkflow(uri)) found.push(uri);
  return found;
}

async function isWorkflow(uri: vscode.Uri): Promise<boolean> {
  if (!/\.json$|^Untitled-/i.test(nameOf(uri))) return false;
  try {
    return isWorkflowDocument(await vscode.workspace.openTextDocument(uri));
  } catch {
    return false;
  }
}

function unique(uris: readonly vscode.Uri[]): vscode.Uri[] {
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}
