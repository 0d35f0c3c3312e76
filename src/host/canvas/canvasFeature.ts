import * as vscode from 'vscode';
import { registerCommand } from '../platform/commandRegistry';
import { commands, customEditors } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Platform } from '../platform/platform';
import type { Runs } from '../runs/runs';
import type { CanvasPages } from './canvasPages';

/** Edits a workflow file in the ComfyUI page of the selected server. */
export class CanvasFeature implements Feature {
  #loaded: Promise<CanvasPages> | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly runs: Runs,
  ) {}

  register({ subscriptions }: vscode.ExtensionContext): void {
    const pages = (): Promise<CanvasPages> => (this.#loaded ??= this.#load());
    subscriptions.push(
      registerCommand(this.platform.log, commands.editInComfyUi, async (...args) =>
        (await pages()).edit(args),
      ),
      registerCommand(this.platform.log, commands.openInComfyUi, async (...args) =>
        (await pages()).openInBrowser(args),
      ),
      registerCommand(this.platform.log, commands.saveToServer, async (...args) =>
        (await pages()).saveToServer(args),
      ),
      registerCommand(this.platform.log, commands.newWorkflow, async () => {
        const { makeNewWorkflow } = await import('./newWorkflow');
        await makeNewWorkflow(this.platform.extensionUri, this.runs.servers);
      }),
      vscode.window.registerCustomEditorProvider(
        customEditors.canvas,
        { resolveCustomTextEditor: async (document, panel) => (await pages()).fill(panel, document) },
        { webviewOptions: { retainContextWhenHidden: true } },
      ),
    );
  }

  async #load(): Promise<CanvasPages> {
    const { CanvasPages: Pages } = await import('./canvasPages');
    return this.platform.own(new Pages(this.platform, this.runs));
  }
}
