import path from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import type { Secrets } from '../../core/safety/secrets';
import type { OutputPlaces } from '../jobs/outputPlace';
import type { SavedOutputs } from '../jobs/savedOutputs';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { tellProblem } from '../platform/problems';
import type { Servers } from '../servers/servers';
import type { GalleryPanel, GalleryParts } from './galleryPanel';

export interface GalleryFeatureParts {
  readonly log: Log;
  readonly secrets: Secrets;
  readonly places: OutputPlaces;
  readonly saved: SavedOutputs;
  readonly servers: Pick<Servers, 'nameOf'>;
  /** Resolves when it is known where earlier outputs were saved. */
  readonly ready: () => Promise<void>;
}

/** All outputs of the workspace: one panel, restored after the window reloads. */
export class GalleryFeature implements Feature {
  readonly #parts: GalleryFeatureParts;
  #context: vscode.ExtensionContext | undefined;
  #open: GalleryPanel | undefined;
  /** A panel being prepared: no second one may open until then. */
  #opening: Promise<void> | undefined;

  constructor(parts: GalleryFeatureParts) {
    this.#parts = parts;
  }

  /** Opens the comparison of some runs by their records. */
  async compare(records: readonly vscode.Uri[]): Promise<void> {
    if (!this.#context) return;
    await this.#show(this.#context);
    await this.#open?.compareRuns(records);
  }

  register(context: vscode.ExtensionContext): void {
    const { log } = this.#parts;
    this.#context = context;
    context.subscriptions.push(
      registerCommand(log, commands.openGallery, () => this.#show(context)),
      vscode.window.registerWebviewPanelSerializer(webviewPanels.gallery, {
        deserializeWebviewPanel: async (panel) => {
          if (this.#opening) await this.#opening;
          if (this.#open) panel.dispose();
          else await this.#adopt(panel, context);
        },
      }),
    );
  }

  async #show(context: vscode.ExtensionContext): Promise<void> {
    if (this.#opening) await this.#opening;
    if (this.#open) {
      this.#open.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      webviewPanels.gallery,
      t`Comfy Deck Gallery`,
      vscode.ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [] },
    );
    await this.#adopt(panel, context);
  }

  #adopt(panel: vscode.WebviewPanel, context: vscode.ExtensionContext): Promise<void> {
    this.#opening = this.#makeReady(panel, context).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #makeReady(panel: vscode.WebviewPanel, context: vscode.ExtensionContext): Promise<void> {
    const [{ GalleryPanel: Panel }, { Favorites }, { KeptThumbnails }] = await Promise.all([
      import('./galleryPanel'),
      import('./favorites'),
      import('./keptThumbnails'),
      this.#parts.ready(),
    ]);
    const { secrets, places, saved, servers, log } = this.#parts;
    const parts: GalleryParts = {
      secrets,
      favorites: new Favorites(context.workspaceState),
      thumbnails: new KeptThumbnails(path.join(context.globalStorageUri.fsPath, 'thumbnails')),
      folders: () => [...places.expected(), ...saved.folders()],
      onDidSave: saved.onDidChange,
      serverName: (origin) => servers.nameOf(origin),
      onError: (error) => tellProblem(error, log),
    };
    const adopted = new Panel(panel, context.extensionUri, parts);
    this.#open = adopted;
    adopted.onDidDispose(() => {
      if (this.#open === adopted) this.#open = undefined;
    });
  }
}
