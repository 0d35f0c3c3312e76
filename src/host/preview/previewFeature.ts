import * as vscode from 'vscode';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import { OnePanel } from '../platform/onePanel';
import type { Platform } from '../platform/platform';
import { argumentJobId } from '../jobs/jobCommands';
import type { Runs } from '../runs/runs';
import { t } from '../../core/safety/localize';

/** The live preview: opened by command or by a run, restored after the window reloads. */
export class PreviewFeature implements Feature {
  constructor(
    private readonly platform: Platform,
    private readonly runs: Runs,
  ) {}

  register(context: vscode.ExtensionContext): void {
    const { platform, runs } = this;
    const { log, sight } = platform;
    const panel = new OnePanel(webviewPanels.preview, async (created) => {
      const [{ PreviewPanel }] = await Promise.all([import('./previewPanel'), runs.windowRuns.ready()]);
      return new PreviewPanel(created, platform, runs);
    });
    const show = async (jobId?: string): Promise<void> => (await panel.show(newPanel, true))?.show(jobId);
    context.subscriptions.push(
      registerCommand(log, commands.openPreview, () => show()),
      registerCommand(log, commands.previewJob, (row) => show(argumentJobId(row))),
      registerCommand(log, commands.runFromPreview, () => panel.shown?.run()),
      panel.register(),
      sight.add((id) => panel.shown?.shows(id) === true),
    );
  }
}

async function newPanel(): Promise<vscode.WebviewPanel> {
  const [only, ...others] = vscode.window.tabGroups.all;
  const isAlone = others.length === 0 && only?.tabs.length === 0;
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
