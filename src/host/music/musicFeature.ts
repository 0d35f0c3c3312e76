import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import { OnePanel } from '../platform/onePanel';
import type { Platform } from '../platform/platform';
import type { OutputPlaces } from '../outputs/outputPlace';
import type { Servers } from '../servers/servers';
import type { MusicController } from './musicController';
import type { MusicPanel } from './musicPanel';

/** Music from a prompt: one panel, restored after the window reloads. */
export class MusicFeature implements Feature {
  #loaded: Promise<MusicController> | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly servers: Servers,
    private readonly places: OutputPlaces,
  ) {}

  register({ subscriptions }: vscode.ExtensionContext): void {
    const { log } = this.platform;
    const panel = new OnePanel(webviewPanels.music, (created) => this.#fill(created));
    subscriptions.push(
      registerCommand(log, commands.openMusic, () => panel.show(newPanel)),
      registerCommand(log, commands.selectMusicService, async () => (await this.#load()).service.select()),
      registerCommand(log, commands.signInToMusic, async () => (await this.#load()).service.signIn()),
      registerCommand(log, commands.signOutOfMusic, async () => (await this.#load()).service.signOut()),
      panel.register(),
    );
  }

  async #fill(panel: vscode.WebviewPanel): Promise<MusicPanel> {
    const [{ MusicPanel: Panel }, controller] = await Promise.all([import('./musicPanel'), this.#load()]);
    // Its folders are loadable from the start: reloading the page would stop playback.
    await controller.history.load();
    await controller.recall();
    return new Panel(panel, this.platform, controller);
  }

  #load(): Promise<MusicController> {
    this.#loaded ??= this.#build();
    return this.#loaded;
  }

  async #build(): Promise<MusicController> {
    const { platform, servers, places } = this;
    const [{ MusicService }, { MusicHistory }, { MusicController: Controller }] = await Promise.all([
      import('./musicAccount'),
      import('./musicHistory'),
      import('./musicController'),
    ]);
    const service = platform.own(new MusicService(platform, servers));
    const fileName = `music-${platform.workspaceName}.json`;
    const history = platform.own(new MusicHistory(platform.storage, fileName));
    return platform.own(new Controller(platform, service, history, places));
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
