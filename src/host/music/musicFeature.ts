import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import type { Secrets } from '../../core/safety/secrets';
import type { OutputPlaces } from '../jobs/outputPlace';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { tellProblem } from '../platform/problems';
import type { Storage } from '../platform/storage';
import type { Keys } from '../servers/keys';
import type { Servers } from '../servers/servers';
import type { MusicPanel, MusicPanelParts } from './musicPanel';

export interface MusicFeatureParts {
  readonly secrets: Secrets;
  readonly log: Log;
  readonly storage: Storage;
  /** Storage name of this workspace's music. */
  readonly musicFileName: string;
  /** Where credentials of music services are stored. */
  readonly musicKeys: Keys;
  readonly servers: Servers;
  readonly places: OutputPlaces;
}

/** Music from a prompt: one panel, restored after the window reloads. */
export class MusicFeature implements Feature {
  readonly #parts: MusicFeatureParts;
  #open: MusicPanel | undefined;
  /** A panel being prepared: no second one may open until then. */
  #opening: Promise<void> | undefined;
  #loaded: Promise<MusicPanelParts> | undefined;

  constructor(parts: MusicFeatureParts) {
    this.#parts = parts;
  }

  register(context: vscode.ExtensionContext): void {
    const { log } = this.#parts;
    context.subscriptions.push(
      registerCommand(log, commands.openMusic, () => this.#show(context)),
      registerCommand(log, commands.selectMusicService, async () =>
        (await this.#load(context)).service.select(),
      ),
      registerCommand(log, commands.signInToMusic, async () => (await this.#load(context)).service.signIn()),
      registerCommand(log, commands.signOutOfMusic, async () =>
        (await this.#load(context)).service.signOut(),
      ),
      vscode.window.registerWebviewPanelSerializer(webviewPanels.music, {
        deserializeWebviewPanel: (panel) => this.#bringBack(panel, context),
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
      webviewPanels.music,
      t`Comfy Deck Music`,
      vscode.ViewColumn.Active,
      // Playback continues while another editor is active.
      { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true },
    );
    await this.#adopt(panel, context);
  }

  /** VS Code restores the panel; another one may already be open, and there is only one. */
  async #bringBack(panel: vscode.WebviewPanel, context: vscode.ExtensionContext): Promise<void> {
    if (this.#opening) await this.#opening;
    if (this.#open) panel.dispose();
    else await this.#adopt(panel, context);
  }

  #adopt(panel: vscode.WebviewPanel, context: vscode.ExtensionContext): Promise<void> {
    this.#opening = this.#makeReady(panel, context).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #makeReady(panel: vscode.WebviewPanel, context: vscode.ExtensionContext): Promise<void> {
    const [{ MusicPanel: Panel }, parts] = await Promise.all([import('./musicPanel'), this.#load(context)]);
    // Its folders are loadable from the start: reloading the page would stop playback.
    await parts.history.load();
    await parts.controller.recall();
    const adopted = new Panel(panel, context.extensionUri, parts);
    this.#open = adopted;
    adopted.onDidDispose(() => {
      if (this.#open === adopted) this.#open = undefined;
    });
  }

  #load({ subscriptions }: vscode.ExtensionContext): Promise<MusicPanelParts> {
    this.#loaded ??= this.#build(subscriptions);
    return this.#loaded;
  }

  async #build(subscriptions: vscode.ExtensionContext['subscriptions']): Promise<MusicPanelParts> {
    const { log, secrets, storage, musicFileName, musicKeys, servers, places } = this.#parts;
    const [{ MusicService }, { MusicHistory }, { MusicController }] = await Promise.all([
      import('./musicAccount'),
      import('./musicHistory'),
      import('./musicController'),
    ]);
    const service = new MusicService(musicKeys, servers, log, secrets);
    const history = new MusicHistory(storage, musicFileName);
    const controller = new MusicController(service, history, places, storage, log, secrets);
    subscriptions.push(service, history, controller);
    return {
      secrets,
      service,
      history,
      controller,
      places,
      guard: (action) => {
        action().catch((error: unknown) => tellProblem(error, log));
      },
    };
  }
}
