import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import { galleryActions, galleryCommands } from '../../webview/contract/constants';
import type { GalleryCommand } from '../../webview/contract/gallery';
import { registerCommand } from '../platform/commandRegistry';
import { type CommandId, commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import { OnePanel } from '../platform/onePanel';
import type { Platform } from '../platform/platform';
import type { WindowRuns } from '../runs/windowRuns';
import { uriInRun } from '../runs/runFolders';
import { placedOutput } from './ratings';
import type { GalleryPanel } from './galleryPanel';

const menu: Readonly<Record<GalleryCommand, CommandId>> = {
  open: commands.openOutput,
  openToSide: commands.openOutputToSide,
  showRun: commands.showOutputRun,
  useSeed: commands.useOutputSeed,
  useValues: commands.useOutputValues,
  copyImage: commands.copyOutputImage,
  copyPath: commands.copyOutputPath,
  reveal: commands.revealOutput,
  favorite: commands.favoriteOutput,
  compare: commands.compareOutputs,
  export: commands.exportOutputs,
  delete: commands.deleteOutputs,
};

/** All outputs of the workspace: one panel, restored after the window reloads. */
export class GalleryFeature implements Feature {
  readonly #panel = new OnePanel(webviewPanels.gallery, (panel) => this.#fill(panel));

  /** @param sheets the contact sheets: the menu of a cell is that of its output */
  constructor(
    private readonly platform: Platform,
    private readonly runs: WindowRuns,
    private readonly sheets: { recordOf(context: unknown): vscode.Uri | undefined },
  ) {}

  async compare(records: readonly vscode.Uri[]): Promise<void> {
    const shown = await this.#show();
    await shown?.compareRuns(records);
  }

  register({ subscriptions }: vscode.ExtensionContext): void {
    const { log } = this.platform;
    subscriptions.push(
      registerCommand(log, commands.openGallery, () => this.#show()),
      ...galleryCommands.map((command) =>
        registerCommand(log, menu[command], (context) => this.#choose(command, context)),
      ),
      this.#panel.register(),
    );
  }

  async #choose(command: GalleryCommand, context: unknown): Promise<void> {
    const record = this.sheets.recordOf(context);
    const action = galleryActions.find((each) => each === command);
    if (!record || !action) {
      this.#panel.shown?.choose(command);
      return;
    }
    const { folders } = this.runs;
    const [{ actOnOutputs }] = await Promise.all([import('./galleryActions'), folders.loadAll()]);
    const run = folders.runs.find(
      (each) => uriInRun(each, each.place.record).toString() === record.toString(),
    );
    const file = run?.files.at(-1);
    const outputs = run && file ? [placedOutput({ run, file })] : [];
    if (await actOnOutputs(action, outputs)) folders.noteChange();
  }

  async #show(): Promise<GalleryPanel | undefined> {
    return this.#panel.show(() =>
      vscode.window.createWebviewPanel(
        webviewPanels.gallery,
        t`Comfy Deck Gallery`,
        vscode.ViewColumn.Active,
        { enableScripts: true, localResourceRoots: [] },
      ),
    );
  }

  async #fill(panel: vscode.WebviewPanel): Promise<GalleryPanel> {
    const [{ GalleryPanel: Panel }, { Ratings }, { KeptThumbnails }] = await Promise.all([
      import('./galleryPanel'),
      import('./ratings'),
      import('../platform/keptThumbnails'),
      this.runs.folders.loadAll(),
    ]);
    const { platform, runs } = this;
    const ratings = new Ratings(platform.context.workspaceState);
    const thumbnails = new KeptThumbnails(platform.thumbnailFolder);
    return new Panel(panel, platform, runs, ratings, thumbnails);
  }
}
