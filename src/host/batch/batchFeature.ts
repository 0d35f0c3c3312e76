import * as vscode from 'vscode';
import { batchEnding } from '../../core/batch/batchEndings';
import type { LanguageFeature } from '../language/languageFeature';
import { registerCommand } from '../platform/commandRegistry';
import { commands, customEditors, webviewPanels, type CommandId } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import { revealFile } from '../platform/openFile';
import type { Platform } from '../platform/platform';
import { commandSources } from '../platform/workflowSource';
import type { WindowRuns } from '../runs/windowRuns';
import type { BatchList } from './batchList';
import type { BatchLanguage } from './batchLanguage';
import type { BatchPanels } from './batchPanels';

const batchFiles: vscode.DocumentSelector = { pattern: `**/*${batchEnding}` };

/** Forms and contact sheets are opened again after a reload. */
export class BatchFeature implements Feature {
  #checks: Promise<BatchLanguage> | undefined;
  #panels: Promise<BatchPanels> | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly runs: WindowRuns,
    private readonly batches: BatchList,
    private readonly language: LanguageFeature,
  ) {}

  register(context: vscode.ExtensionContext): void {
    this.#registerCommands(context);
    this.#registerChecks(context);
    this.#registerPanels(context);
  }

  #registerCommands({ subscriptions }: vscode.ExtensionContext): void {
    const { log } = this.platform;
    const { batches } = this;
    const on = (id: CommandId, act: (batchId: string) => unknown): vscode.Disposable =>
      registerCommand(log, id, (first) => {
        const batchId = batchIdOf(first);
        return batchId === undefined ? undefined : act(batchId);
      });
    subscriptions.push(
      registerCommand(log, commands.runBatch, (...args) => this.#run(args)),
      on(commands.showBatch, (id) => vscode.commands.executeCommand(commands.openBatch, id)),
      on(commands.pauseBatch, (id) => batches.find(id)?.pause()),
      registerCommand(log, commands.resumeBatch, async (first) => {
        // From the Explorer, opens the file of a batch that any window or command has started.
        if (first instanceof vscode.Uri) await (await batches.loaded()).continueFile(first);
        const id = batchIdOf(first);
        if (id !== undefined) await (await batches.loaded()).resume(id);
      }),
      on(commands.cancelBatch, (id) => batches.find(id)?.cancel()),
      on(commands.retryBatch, async (id) => (await batches.loaded()).resume(id, true)),
      on(commands.revealBatch, (id) => this.#reveal(id)),
      on(commands.removeBatch, async (id) => (await batches.loaded()).remove(id)),
    );
  }

  #registerChecks(context: vscode.ExtensionContext): void {
    const { log } = this.platform;
    const { batches } = this;
    const checks = (): Promise<BatchLanguage> => (this.#checks ??= this.#loadChecks(context));
    const look = ({ uri }: vscode.TextDocument): void => {
      if (!uri.path.endsWith(batchEnding)) return;
      checks().catch((error: unknown) => log.error('Checking batch files', error));
    };
    context.subscriptions.push(
      vscode.languages.registerCodeLensProvider(batchFiles, {
        provideCodeLenses: async (document) => (await checks()).lenses(document),
      }),
      vscode.workspace.onDidOpenTextDocument(look),
    );
    // This must not delay activation.
    setTimeout(() => {
      vscode.workspace.textDocuments.forEach(look);
      batches.followUnfinished().catch((error: unknown) => log.error('Reading earlier runs', error));
    }, 0);
  }

  #registerPanels({ subscriptions, extensionUri }: vscode.ExtensionContext): void {
    const { log } = this.platform;
    const panels = (): Promise<BatchPanels> => (this.#panels ??= this.#loadPanels());
    const restored = (id: string, restore: 'restoreForm' | 'restoreSheet'): vscode.Disposable =>
      vscode.window.registerWebviewPanelSerializer(id, {
        deserializeWebviewPanel: async (panel, state) => (await panels())[restore](panel, state),
      });
    subscriptions.push(
      registerCommand(log, commands.showBatchForm, async (...args) => {
        const { filesToRun } = await import('../runs/filesToRun');
        const [uri] = await filesToRun(args, extensionUri);
        if (uri) await (await panels()).showForm(uri);
      }),
      registerCommand(log, commands.openBatch, async (wanted) => (await panels()).open(wanted)),
      restored(webviewPanels.batchForm, 'restoreForm'),
      restored(webviewPanels.batchSheet, 'restoreSheet'),
      vscode.window.registerCustomEditorProvider(
        customEditors.startedBatch,
        {
          openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
          resolveCustomEditor: async ({ uri }, panel) => (await panels()).fillFile(panel, uri),
        },
        { supportsMultipleEditorsPerDocument: true },
      ),
    );
  }

  async #loadChecks(context: vscode.ExtensionContext): Promise<BatchLanguage> {
    const [{ BatchLanguage: Language }, { definitions }] = await Promise.all([
      import('./batchLanguage'),
      this.language.language(),
    ]);
    const checks = new Language(definitions, this.platform.log);
    context.subscriptions.push(checks);
    return checks;
  }

  async #loadPanels(): Promise<BatchPanels> {
    const { BatchPanels: Panels, formSources } = await import('./batchPanels');
    const { platform, runs, batches } = this;
    const panels = new Panels(platform, batches, async (workflow) =>
      formSources(workflow, (await this.language.language()).definitions, platform.log, runs),
    );
    platform.sight.add((id) => panels.shows(id));
    return panels;
  }

  async #run(args: readonly unknown[]): Promise<string | undefined> {
    const [file] = commandSources(args);
    if (file.path.endsWith(batchEnding)) return (await this.batches.loaded()).start(file);
    await vscode.commands.executeCommand(commands.showBatchForm, file);
    return undefined;
  }

  async #reveal(id: string): Promise<void> {
    const batch = this.batches.find(id);
    if (!batch) return;
    const saved = batch.rows.findLast(({ state, record }) => state === 'saved' && record !== undefined);
    await revealFile(
      saved?.record === undefined ? batch.folder : vscode.Uri.joinPath(batch.folder, saved.record),
    );
  }
}

function batchIdOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  if (typeof argument !== 'object' || argument === null || !('batchId' in argument)) return undefined;
  return typeof argument.batchId === 'string' ? argument.batchId : undefined;
}
