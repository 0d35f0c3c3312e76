import * as vscode from 'vscode';
import { activeDocument, onDidChangeActiveDocument } from '../platform/activeDocument';
import { registerCommand } from '../platform/commandRegistry';
import type { Feature } from '../platform/feature';
import type { Platform } from '../platform/platform';
import type { StatusItem } from '../servers/statusItem';
import { type CommandId, commands, contextKeys } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import { looksLikeGraph } from '../../core/workflow/format';
import type { RunChoices } from '../../core/runs/runChoices';
import type { Runs } from './runs';
import { isWorkflowDocument, readSource, commandSources } from '../platform/workflowSource';
import { exampleWorkflow, type ExampleKind } from '../../core/language/exampleWorkflow';
import { UserProblem } from '../platform/problems';
import { shown } from '../../core/safety/shownText';

/** Runs workflow files from the palette, the editor, the Explorer and the keyboard, and uploads masks. */
export class RunFeature implements Feature {
  constructor(
    private readonly platform: Platform,
    private readonly runs: Runs,
    private readonly item: StatusItem,
  ) {}

  register({ subscriptions }: vscode.ExtensionContext): void {
    const { log, extensionUri } = this.platform;
    const command = (id: CommandId, choices: RunChoices) =>
      registerCommand(log, id, (...args) => this.#run(args, choices));
    subscriptions.push(
      command(commands.run, { seeds: 'keep' }),
      command(commands.runWithNewSeeds, { seeds: 'new' }),
      command(commands.runNext, { seeds: 'keep', next: true }),
      registerCommand(log, commands.runTimes, (...args) => this.#runTimes(args)),
      registerCommand(log, commands.openSample, async () =>
        (await import('./sample')).openSample(extensionUri),
      ),
      registerCommand(log, commands.openExample, (kind) => openExample(extensionUri, kind)),
      registerCommand(log, commands.uploadMask, async (uri, offset) => {
        const { uploadMaskInto } = await import('./uploadMask');
        await uploadMaskInto(
          this.runs.servers,
          uri instanceof vscode.Uri ? uri : undefined,
          typeof offset === 'number' ? offset : undefined,
        );
      }),
    );
  }

  async #run(args: readonly unknown[], choices: RunChoices): Promise<string | undefined> {
    this.item.wake();
    let jobId: string | undefined;
    const { filesToRun } = await import('./filesToRun');
    for (const uri of await filesToRun(args, this.platform.extensionUri))
      jobId = await this.runs.run(await readSource(uri), choices);
    return jobId;
  }

  async #runTimes(args: readonly unknown[]): Promise<void> {
    const [uri] = commandSources(args);
    this.item.wake();
    await this.runs.runTimes(await readSource(uri));
  }
}

/** Opens an unsaved sample, so that nothing has to be cleaned up. */
async function openExample(extensionUri: vscode.Uri, wanted: unknown): Promise<void> {
  const kind: ExampleKind = wanted === 'completion' ? 'completion' : 'mistake';
  const sample = vscode.Uri.joinPath(extensionUri, 'samples', 'text-to-image.json');
  const made = exampleWorkflow(new TextDecoder().decode(await vscode.workspace.fs.readFile(sample)), kind);
  if (!made) throw new UserProblem(shown`The sample can't be read.`, shown`Reinstall the extension.`);
  const document = await vscode.workspace.openTextDocument({ language: 'json', content: made.text });
  const at = document.positionAt(made.offset);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), preview: false });
  await vscode.commands.executeCommand(
    kind === 'mistake' ? 'workbench.actions.view.problems' : 'editor.action.triggerSuggest',
  );
}

const rest = 300;

/** Sets the context key that shows the run buttons: is the active editor a workflow file? */
export class ActiveWorkflow implements Feature {
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly item: StatusItem) {}

  register(context: vscode.ExtensionContext): void {
    context.subscriptions.push(
      onDidChangeActiveDocument(() => this.#updateContext()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document !== activeDocument()) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#updateContext(), rest);
      }),
      vscode.workspace.onDidOpenTextDocument((document) => {
        // The language of a document was changed, or its graph was opened before it.
        if (document === activeDocument()) this.#updateContext();
      }),
      { dispose: () => clearTimeout(this.#timer) },
    );
    this.#updateContext();
  }

  #updateContext(): void {
    clearTimeout(this.#timer);
    const document = activeDocument();
    const isWorkflow = document !== undefined && isWorkflowDocument(document);
    setContext(contextKeys.activeIsWorkflow, isWorkflow);
    setContext(contextKeys.activeIsGraph, isWorkflow && looksLikeGraph(document.getText()));
    if (isWorkflow) this.item.wake();
  }
}
