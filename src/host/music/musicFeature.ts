import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import type { Secrets } from '../../core/safety/secrets';
import type { OutputPlaces } from '../outputs/outputPlace';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { OnePanel } from '../platform/onePanel';
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
  #loaded: Promise<MusicPanelParts> | undefined;

  constructor(parts: MusicFeatureParts) {
    this.#parts = parts;
  }

  register(context: vscode.ExtensionContext): void {
    const { log } = this.#parts;
    const panel = new OnePanel(webviewPanels.music, (created) => this.#fill(created, context));
    context.subscriptions.push(
      registerCommand(log, commands.openMusic, () => panel.show(newPanel)),
      registerCommand(log, commands.selectMusicService, async () =>
        (await this.#load(context)).service.select(),
      ),
      registerCommand(log, commands.signInToMusic, async () => (await this.#load(context)).service.signIn()),
      registerCommand(log, commands.signOutOfMusic, async () =>
        (await this.#load(context)).service.signOut(),
      ),
      panel.register(),
    );
  }

  async #fill(panel: vscode.WebviewPanel, context: vscode.ExtensionContext): Promise<MusicPanel> {
    const [{ MusicPanel: Panel }, parts] = await Promise.all([import('./musicPanel'), this.#load(context)]);
    // Its folders are loadable from the start: reloading the page would stop playback.
    await parts.history.load();
    await parts.controller.recall();
    return new Panel(panel, parts);
  }

  #load(context: vscode.ExtensionContext): Promise<MusicPanelParts> {
    this.#loaded ??= this.#build(context);
    return this.#loaded;
  }

  async #build({ subscriptions, extensionUri }: vscode.ExtensionContext): Promise<MusicPanelParts> {
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
      extensionUri,
      service,
      history,
      controller,
      places,
      onError: (error) => tellProblem(error, log),
    };
  }
}

function newPanel(): vscode.WebviewPanel {
  const { Active } = vscode.ViewColumn;
  return vscode.window.createWebviewPanel(webviewPanels.music, t`Comfy Deck Music`, Active, {
    enableScripts: true,
    localResourceRoots: [],
    // Playback continues while another editor is active.
    retainContextWhenHidden: true,
  });
}
