import * as vscode from 'vscode';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { OnePanel } from '../platform/onePanel';
import type { PreviewSources } from './previewSources';
import { t } from '../../core/safety/localize';

/** The live preview: opened by command or by a run, restored after the window reloads. */
export class PreviewFeature implements Feature {
  readonly #log: Log;
  readonly #sources: () => Promise<PreviewSources>;
  readonly #jobOf: (argument: unknown) => string | undefined;

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
    const panel = new OnePanel(webviewPanels.preview, async (created) => {
      const [{ PreviewPanel }, sources] = await Promise.all([import('./previewPanel'), this.#sources()]);
      return new PreviewPanel(created, context.extensionUri, sources);
    });
    const show = async (jobId?: string): Promise<void> => (await panel.show(newPanel, true))?.show(jobId);
    context.subscriptions.push(
      registerCommand(this.#log, commands.openPreview, () => show()),
      registerCommand(this.#log, commands.previewJob, (row) => show(this.#jobOf(row))),
      registerCommand(this.#log, commands.runFromPreview, () => panel.shown?.run()),
      panel.register(),
    );
  }
}

async function newPanel(): Promise<vscode.WebviewPanel> {
  const isAlone = isNothingOpen();
  const panel = vscode.window.createWebviewPanel(
    webviewPanels.preview,
    t`Comfy Deck Preview`,
    { viewColumn: ownColumn(), preserveFocus: true },
    { enableScripts: true, localResourceRoots: [] },
  );
  // With several groups, VS Code does so itself.
  if (isAlone) await vscode.commands.executeCommand('workbench.action.lockEditorGroup');
  return panel;
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
