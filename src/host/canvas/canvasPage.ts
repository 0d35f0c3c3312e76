import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { shown } from '../../core/safety/shownText';
import { canvasMessages, type FromCanvas, type ToCanvas } from '../../webview/contract/canvasPanel';
import { Panel } from '../platform/panel';
import type { Platform } from '../platform/platform';
import type { Runs } from '../runs/runs';
import { BoundCanvas } from './boundCanvas';
import type { CanvasServers } from './canvasServers';
import { actionLabels, type CanvasWords } from './canvasWords';

const design = { title: 'ComfyUI', name: 'canvas', bodyClass: 'canvas-page' };

/** The ComfyUI page as an editor of a workflow file: in a frame, below a bar of words. */
export class CanvasPage extends Panel<FromCanvas, ToCanvas> {
  readonly canvas: BoundCanvas;
  #words: CanvasWords | undefined;
  /** When it was last in sight, ms since the epoch. */
  seenAt = Date.now();

  constructor(
    readonly editor: vscode.WebviewPanel,
    document: vscode.TextDocument,
    platform: Platform,
    servers: CanvasServers,
    runs: Runs,
  ) {
    super(editor, platform, { ...design, allows: {}, messages: canvasMessages, folders: [] });
    this.canvas = new BoundCanvas(document, platform, servers, runs, {
      kind: 'frame',
      isActive: () => editor.active,
      showWords: (words) => this.#showWords(words),
      load: () => this.show(),
    });
    this.own(this.canvas);
  }

  /** Loads the page of the selected server. */
  async show(): Promise<void> {
    await this.canvas.open();
    const { address } = this.canvas;
    // It must not lead elsewhere: only this origin may be in the frame.
    if (address !== undefined) {
      this.setPage({ ...design, allows: { 'frame-src': new URL(address).origin } });
    }
  }

  /** Writes what is in the page, and takes the page out. */
  async clear(): Promise<void> {
    await this.canvas.settle();
    if (this.editor.visible || this.canvas.showsOther) return;
    this.canvas.close();
    this.post({ type: 'clear' });
  }

  focus(): void {
    this.post({ type: 'focus' });
  }

  protected override receive(message: FromCanvas): unknown {
    if (message.type === 'act') return this.canvas.act(message.action);
    const { address } = this.canvas;
    // The name is the client ID of the page, and no two may have the same.
    if (address !== undefined) this.post({ type: 'show', address, name: `comfy-deck-${randomUUID()}` });
    this.#showWords(this.#words);
    return undefined;
  }

  #showWords(said: CanvasWords | undefined): void {
    this.#words = said;
    const { words, actions } = said ?? { words: shown``, actions: [] };
    const offered = actions.map((action) => ({ action, label: actionLabels[action].line() }));
    this.post({ type: 'say', words: words.line(), actions: offered });
  }
}
