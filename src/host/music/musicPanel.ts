import * as vscode from 'vscode';
import { musicLimits } from '../../core/protocol/musicLimits';
import { coalesce } from '../../core/jobs/coalesce';
import { t } from '../../core/safety/localize';
import type { Secrets } from '../../core/safety/secrets';
import type { FromMusic, MusicTrackView, ToMusic, TrackAction } from '../../webview/contract/music';
import type { OutputPlaces } from '../jobs/outputPlace';
import { revealFile } from '../platform/openFile';
import { panelFolder, panelIcon, panelPage, panelResource } from '../platform/panelPage';
import type { MusicHistory } from './musicHistory';
import { readMusicMessage } from './musicMessage';
import type { MusicService } from './musicAccount';
import type { MusicController } from './musicController';
import type { Track } from './track';

/** Progress is sent to the panel at most this often (ms). */
const refreshEvery = 100;

export interface MusicPanelParts {
  /** None of them is sent to the page. */
  readonly secrets: Secrets;
  readonly service: MusicService;
  readonly history: MusicHistory;
  readonly controller: MusicController;
  readonly places: OutputPlaces;
  /** Runs an action of the panel; a failure becomes one notification. */
  guard(action: () => Promise<void>): void;
}

/** The music panel: shows what the controller does and what the history contains, and passes on requests. */
export class MusicPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #extensionUri: vscode.Uri;
  readonly #parts: MusicPanelParts;
  #ready = false;

  constructor(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, parts: MusicPanelParts) {
    this.#panel = panel;
    this.#extensionUri = extensionUri;
    this.#parts = parts;
    const { service, history, controller } = parts;
    const showGeneration = coalesce(() => this.#postGeneration(), refreshEvery);
    this.#allowFolders();
    const subscriptions = [
      panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      service.onDidChange(() => parts.guard(() => this.#postSetup())),
      history.onDidChange(() => this.#postTracks()),
      controller.onDidChange(() => showGeneration()),
      new vscode.Disposable(() => showGeneration.cancel()),
    ];
    panel.onDidDispose(() => {
      for (const subscription of subscriptions) subscription.dispose();
      parts.guard(() => history.settle());
    });
    panel.iconPath = panelIcon(extensionUri);
    const { cspSource } = panel.webview;
    panel.webview.html = panelPage(panel.webview, extensionUri, {
      title: t`Comfy Deck Music`,
      name: 'music',
      allows: {
        // Files come from the folders that the panel was given, and are played or run in a worker as blobs.
        'connect-src': `${cspSource} blob:`,
        'media-src': 'blob:',
        'worker-src': 'blob:',
        // For the decoder, if VS Code has no AAC.
        'script-src': `'wasm-unsafe-eval'`,
      },
    });
  }

  #decoderFile(name: string): string {
    return panelResource(this.#panel.webview, this.#extensionUri, 'decoder', name);
  }

  /** Only for a new folder, such as one just selected: changing these options reloads the page. */
  #allowFolders(): void {
    const { history, places } = this.#parts;
    const folders = history.tracks.map(({ uri }) => vscode.Uri.joinPath(vscode.Uri.parse(uri), '..'));
    const roots = [panelFolder(this.#extensionUri), ...places.expected(), ...folders];
    const unique = [...new Map(roots.map((root) => [root.toString(), root])).values()];
    const allowed = new Set(this.#panel.webview.options.localResourceRoots?.map(String));
    if (unique.every((root) => allowed.has(root.toString()))) return;
    this.#panel.webview.options = { enableScripts: true, localResourceRoots: unique };
  }

  #post(message: ToMusic): void {
    if (this.#ready) void this.#panel.webview.postMessage(this.#parts.secrets.hideDeep(message));
  }

  async #postSetup(): Promise<void> {
    const { service } = this.#parts;
    const ready = await service.isReady();
    this.#post({
      type: 'setup',
      setup: {
        service: service.name,
        isSandbox: service.isSandbox,
        ready,
        ...musicLimits,
        ...service.price,
        decoder: {
          worker: this.#decoderFile('worker.js'),
          wasm: this.#decoderFile('decode-audio.wasm'),
        },
      },
    });
  }

  #postTracks(): void {
    const { tracks, deleted } = this.#parts.history;
    this.#allowFolders();
    this.#post({
      type: 'tracks',
      tracks: tracks.map((track) => this.#view(track)),
      undo: deleted?.title ?? null,
    });
  }

  #postGeneration(): void {
    const { generation, trouble } = this.#parts.controller;
    this.#post({ type: 'generation', generation, trouble });
  }

  #view({ uri, ...track }: Track): MusicTrackView {
    return { ...track, source: this.#panel.webview.asWebviewUri(vscode.Uri.parse(uri)).toString() };
  }

  #receive(raw: unknown): void {
    const message = readMusicMessage(raw);
    if (message) this.#parts.guard(() => this.#act(message));
  }

  async #act(message: FromMusic): Promise<void> {
    const { service, history, controller } = this.#parts;
    switch (message.type) {
      case 'ready':
        await history.load();
        this.#ready = true;
        await this.#postSetup();
        this.#postTracks();
        this.#postGeneration();
        return;
      case 'generate':
        return controller.generate(message.prompt, message.seconds);
      case 'cancel':
        controller.cancel();
        return;
      case 'keep':
        return controller.keep();
      case 'dismiss':
        return controller.dismiss();
      case 'signIn':
        if ((await service.signIn()) && controller.trouble?.canSignIn === true) await controller.dismiss();
        return;
      case 'selectService':
        return service.select();
      case 'undo':
        return history.undo();
      case 'track': {
        const track = history.find(message.id);
        return track && this.#actOnTrack(message.action, track);
      }
      case 'peaks':
        return history.setPeaks(message.id, message.peaks);
    }
  }

  async #actOnTrack(action: TrackAction, track: Track): Promise<void> {
    const { history, controller } = this.#parts;
    const file = vscode.Uri.parse(track.uri);
    switch (action) {
      case 'again':
        return controller.generate(track.prompt, track.asked);
      case 'copyPrompt':
        return vscode.env.clipboard.writeText(track.prompt);
      case 'delete':
        return history.delete(track.id);
      case 'reveal':
        return revealFile(file);
      case 'saveAs': {
        const target = await vscode.window.showSaveDialog({ defaultUri: file, title: t`Save Music As` });
        if (target !== undefined && target.toString() !== file.toString())
          await vscode.workspace.fs.copy(file, target, { overwrite: true });
      }
    }
  }
}
