import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import { OnePanel } from '../platform/onePanel';
import { tellProblem } from '../platform/problems';
import type { Services } from '../services';
import type { MusicPanel, MusicPanelParts } from './musicPanel';

type MusicServices = Pick<
  Services,
  'secrets' | 'log' | 'storage' | 'musicFileName' | 'musicKeys' | 'servers' | 'places'
>;

/** Music from a prompt: one panel, restored after the window reloads. */
export class MusicFeature implements Feature {
  #loaded: Promise<MusicPanelParts> | undefined;

  constructor(private readonly services: MusicServices) {}

  register(context: vscode.ExtensionContext): void {
    const { log } = this.services;
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
    const { log, secrets, storage, musicFileName, musicKeys, servers, places } = this.services;
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
