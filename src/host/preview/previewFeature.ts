import * as vscode from 'vscode';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import { OnePanel } from '../platform/onePanel';
import { tellProblem } from '../platform/problems';
import type { Services } from '../services';
import type { PreviewParts } from './previewPanel';
import { t } from '../../core/safety/localize';

/** The live preview: opened by command or by a run, restored after the window reloads. */
export class PreviewFeature implements Feature {
  /**
   * @param ready resolves once jobs and outputs of earlier windows are known
   * @param named the job with what its sender on this machine knows about it
   * @param jobOf the job of a command's argument: an ID or a row of the jobs tree
   */
  constructor(
    private readonly services: PreviewParts['services'] & Pick<Services, 'log' | 'sight'>,
    private readonly ready: () => Promise<void>,
    private readonly named: PreviewParts['named'],
    private readonly jobOf: (argument: unknown) => string | undefined,
  ) {}

  register(context: vscode.ExtensionContext): void {
    const { services, named } = this;
    const { log } = services;
    const { extensionUri } = context;
    const panel = new OnePanel(webviewPanels.preview, async (created) => {
      const [{ PreviewPanel }] = await Promise.all([import('./previewPanel'), this.ready()]);
      const onError = (error: unknown): void => tellProblem(error, log);
      return new PreviewPanel(created, { extensionUri, services, named, onError });
    });
    const show = async (jobId?: string): Promise<void> => (await panel.show(newPanel, true))?.show(jobId);
    context.subscriptions.push(
      registerCommand(log, commands.openPreview, () => show()),
      registerCommand(log, commands.previewJob, (row) => show(this.jobOf(row))),
      registerCommand(log, commands.runFromPreview, () => panel.shown?.run()),
      panel.register(),
      services.sight.add((id) => panel.shown?.shows(id) === true),
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
