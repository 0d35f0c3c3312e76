import * as vscode from 'vscode';
import { musicLimits } from '../../core/protocol/musicLimits';
import { t } from '../../core/safety/localize';
import { type FromMusic, musicMessages, type ToMusic, type TrackAction } from '../../webview/contract/music';
import { revealFile, saveFileAs } from '../platform/openFile';
import { Panel } from '../platform/panel';
import type { Platform } from '../platform/platform';
import type { MusicController } from './musicController';
import type { Track } from './track';

/** Progress is sent to the panel at most this often (ms). */
const refreshEvery = 100;

/** The music panel: shows what the controller does and what the history contains, and passes on requests. */
export class MusicPanel extends Panel<FromMusic, ToMusic> {
  constructor(
    panel: vscode.WebviewPanel,
    platform: Platform,
    private readonly controller: MusicController,
  ) {
    const { service, history } = controller;
    const { cspSource } = panel.webview;
    super(panel, platform, {
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
      messages: musicMessages,
      folders: foldersOf(controller),
    });
    this.own(
      service.onDidChange(() => this.guard(() => this.#postSetup())),
      history.onDidChange(() => this.#postTracks()),
      controller.onDidChange(this.paced(refreshEvery, () => this.#postGeneration())),
      { dispose: () => this.guard(() => history.settle()) },
    );
  }

  async #postSetup(): Promise<void> {
    const { service } = this.controller;
    const ready = await service.isReady();
    this.post({
      type: 'setup',
      setup: {
        service: service.name,
        isSandbox: service.isSandbox,
        ready,
        ...musicLimits,
        ...service.price,
        decoder: {
          worker: this.resource('decoder', 'worker.js'),
          wasm: this.resource('decoder', 'decode-audio.wasm'),
        },
      },
    });
  }

  #postTracks(): void {
    const { tracks, deleted } = this.controller.history;
    this.allow(foldersOf(this.controller));
    this.post({
      type: 'tracks',
      tracks: tracks.map(({ uri, ...track }) => ({ ...track, source: this.address(vscode.Uri.parse(uri)) })),
      undo: deleted?.title ?? null,
    });
  }

  #postGeneration(): void {
    const { generation, trouble } = this.controller;
    this.post({ type: 'generation', generation, trouble });
  }

  protected override async receive(message: FromMusic): Promise<void> {
    const { controller } = this;
    const { service, history } = controller;
    switch (message.type) {
      case 'ready':
        await history.load();
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
    const { controller } = this;
    const file = vscode.Uri.parse(track.uri);
    switch (action) {
      case 'again':
        return controller.generate(track.prompt, track.asked);
      case 'copyPrompt':
        return vscode.env.clipboard.writeText(track.prompt);
      case 'delete':
        return controller.history.delete(track.id);
      case 'reveal':
        return revealFile(file);
      case 'saveAs':
        return saveFileAs(file);
    }
  }
}

function foldersOf({ history, places }: MusicController): readonly vscode.Uri[] {
  const tracks = history.tracks.map(({ uri }) => vscode.Uri.joinPath(vscode.Uri.parse(uri), '..'));
  return [...places.expected(), ...tracks];
}
