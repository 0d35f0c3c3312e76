import * as vscode from 'vscode';
import { progressEnding } from '../../core/batch/batchEndings';
import type { LanguageFeature } from '../language/languageFeature';
import { registerCommand } from '../platform/commandRegistry';
import { commands, customEditors, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import { tellProblem } from '../platform/problems';
import type { BatchPanelParts, BatchPanels } from './batchPanels';
import type { Batches } from './batches';

/** The Run Batch form and the contact sheets, by command and after a reload. */
export class BatchPanelsFeature implements Feature {
  #panels: Promise<BatchPanels> | undefined;

  constructor(
    private readonly services: BatchPanelParts['services'],
    private readonly language: Pick<LanguageFeature, 'language'>,
    private readonly batches: Batches,
  ) {}

  register(context: vscode.ExtensionContext): void {
    const { log } = this.services;
    const panels = (): Promise<BatchPanels> => (this.#panels ??= this.#load(context.extensionUri));
    const restored = (
      id: string,
      fill: (panel: vscode.WebviewPanel, key: string) => Promise<void>,
    ): vscode.Disposable =>
      vscode.window.registerWebviewPanelSerializer(id, {
        deserializeWebviewPanel: async (panel, state) => {
          const key = keyIn(state);
          const filled = key === undefined || !vscode.workspace.isTrusted ? undefined : fill(panel, key);
          if (!filled) panel.dispose();
          await filled?.catch((error: unknown) => {
            panel.dispose();
            tellProblem(error, log);
          });
        },
      });
    context.subscriptions.push(
      registerCommand(log, commands.showBatchForm, async (...args) => {
        const { filesToRun } = await import('../runs/filesToRun');
        const [uri] = await filesToRun(args, context.extensionUri);
        if (uri) await (await panels()).showForm(uri);
      }),
      registerCommand(log, commands.openBatch, async (wanted) => {
        const id = await this.#batchOf(wanted);
        if (id !== undefined) (await panels()).showSheet(id);
      }),
      restored(webviewPanels.batchForm, async (panel, key) =>
        (await panels()).restoreForm(panel, vscode.Uri.parse(key)),
      ),
      restored(webviewPanels.batchSheet, async (panel, key) => {
        await this.batches.ready();
        (await panels()).fillSheet(panel, key);
      }),
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

  async #load(extensionUri: vscode.Uri): Promise<BatchPanels> {
    const { BatchPanels: Panels } = await import('./batchPanels');
    const { services, language, batches } = this;
    const definitions = async () => (await language.language()).definitions;
    return new Panels({ extensionUri, services, definitions, batches });
  }

  /** The batch of an id or a kept file, that of the active editor, or one that the person picks. */
  async #batchOf(wanted: unknown): Promise<string | undefined> {
    if (typeof wanted === 'string') return wanted;
    const file = wanted instanceof vscode.Uri ? wanted : vscode.window.activeTextEditor?.document.uri;
    if (!file?.path.endsWith(progressEnding)) {
      await this.batches.ready();
      return (await import('./batchPanels')).pickBatch(this.batches.shown);
    }
    return (await this.batches.loaded()).showKept(file);
  }
}

/** What a page has stored to be opened again. */
function keyIn(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('key' in state)) return undefined;
  return typeof state.key === 'string' && state.key !== '' ? state.key : undefined;
}
