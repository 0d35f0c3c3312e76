import * as vscode from 'vscode';
import type { WebSocket } from 'ws';
import { budgets } from '../../core/safety/budgets';
import { commands } from '../platform/contributions';
import { openServedPage } from '../platform/openFile';
import type { Platform } from '../platform/platform';
import { showWarning } from '../platform/show';
import type { Runs } from '../runs/runs';
import { BoundCanvas } from './boundCanvas';
import type { CanvasServers } from './canvasServers';
import { actionLabels, type CanvasWords } from './canvasWords';

/** The ComfyUI page of a file in a tab of the browser. It lasts until the tab has been gone for a while. */
export class BrowserCanvas extends BoundCanvas {
  #pages = 0;
  #gone: NodeJS.Timeout | undefined;

  /** @param ended is called once it can't be returned to */
  constructor(
    document: vscode.TextDocument,
    platform: Platform,
    servers: CanvasServers,
    runs: Runs,
    private readonly ended: () => void,
  ) {
    super(document, platform, servers, runs, {
      kind: 'browser',
      isActive: () => this.#pages > 0,
      showWords: (words) => this.#showWords(words),
      // This one may have ended, and another be open.
      load: async () => {
        await vscode.commands.executeCommand(commands.openInComfyUi, document.uri);
      },
    });
  }

  /** Opens a tab with the page of the selected server. */
  async show(): Promise<void> {
    await this.open();
    const { address } = this;
    if (address === undefined) {
      this.ended();
      return;
    }
    this.#wait();
    await openServedPage(address);
  }

  override connect(page: WebSocket): void {
    this.#pages++;
    clearTimeout(this.#gone);
    page.on('close', () => {
      if (--this.#pages === 0) this.#wait();
    });
    super.connect(page);
  }

  override dispose(): void {
    super.dispose();
    clearTimeout(this.#gone);
  }

  #wait(): void {
    clearTimeout(this.#gone);
    this.#gone = setTimeout(this.ended, budgets.canvasReturn);
  }

  /** In the page if there is one, because that is where the user looks. */
  #showWords(said: CanvasWords | undefined): void {
    if (!said) return;
    if (this.#pages > 0) this.showInPage(said.words);
    else void this.#ask(said);
  }

  async #ask({ words, actions }: CanvasWords): Promise<void> {
    const buttons = actions.map((action) => ({ action, label: actionLabels[action] }));
    const pressed = await showWarning(words, ...buttons);
    if (pressed) await this.act(pressed.action);
  }
}
