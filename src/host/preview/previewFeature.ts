import * as vscode from 'vscode';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import type { PreviewPanel } from './previewPanel';
import type { PreviewSources } from './previewSources';
import { t } from '../../core/safety/localize';

/** The live preview: opened by command or by a run, restored after the window reloads. */
export class PreviewFeature implements Feature {
  readonly #log: Log;
  readonly #sources: () => Promise<PreviewSources>;
  readonly #jobOf: (argument: unknown) => string | undefined;
  #open: PreviewPanel | undefined;

  /**
   * @param sources loads what the panel depends on; called when the first panel opens
   * @param jobOf the job of a command's argument: an ID or a row of the jobs tree
   */
  constructor(
    log: Log,
    sources: () => Promise<PreviewSources>,
    jobOf: (argument: unknown) => string | undefined,
  ) {
    this.#log = log;
    this.#sources = sources;
    this.#jobOf = jobOf;
  }

  register(context: vscode.ExtensionContext): void {
    const { extensionUri } = context;
    context.subscriptions.push(
      registerCommand(this.#log, commands.openPreview, () => this.#show(extensionUri, undefined)),
      registerCommand(this.#log, commands.previewJob, (row) => this.#show(extensionUri, this.#jobOf(row))),
      registerCommand(this.#log, commands.runFromPreview, () => this.#open?.run()),
      vscode.window.registerWebviewPanelSerializer(webviewPanels.preview, {
        deserializeWebviewPanel: (panel) => this.#adopt(panel, extensionUri),
      }),
    );
  }

  async #show(extensionUri: vscode.Uri, jobId: string | undefined): Promise<void> {
    if (this.#open === undefined) {
      const isAlone = isNothingOpen();
      const panel = vscode.window.createWebviewPanel(
        webviewPanels.preview,
        t`Comfy Deck Preview`,
        { viewColumn: ownColumn(), preserveFocus: true },
        { enableScripts: true, localResourceRoots: [] },
      );
      // With several groups, VS Code does so itself.
      if (isAlone) await vscode.commands.executeCommand('workbench.action.lockEditorGroup');
      await this.#adopt(panel, extensionUri);
    } else this.#open.reveal();
    this.#open?.show(jobId);
  }

  async #adopt(panel: vscode.WebviewPanel, extensionUri: vscode.Uri): Promise<void> {
    const [{ PreviewPanel: Panel }, sources] = await Promise.all([import('./previewPanel'), this.#sources()]);
    const adopted = new Panel(panel, extensionUri, sources);
    this.#open = adopted;
    adopted.onDidDispose(() => {
      if (this.#open === adopted) this.#open = undefined;
    });
  }
}

/**
 * A column without files, a new one on the right if necessary: VS Code locks it when the preview is the first to open
 * there (`autoLockGroups` in package.json), so files opened next don't cover it.
 */
function ownColumn(): vscode.ViewColumn {
  const empty = vscode.window.tabGroups.all.find(({ tabs, isActive }) => tabs.length === 0 && !isActive);
  return empty?.viewColumn ?? vscode.ViewColumn.Nine;
}

function isNothingOpen(): boolean {
  const [only, ...others] = vscode.window.tabGroups.all;
  return others.length === 0 && only?.tabs.length === 0;
}
