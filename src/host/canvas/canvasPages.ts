import type * as vscode from 'vscode';
import { budgets } from '../../core/safety/budgets';
import { customEditors } from '../platform/contributions';
import { openFileIn } from '../platform/openFile';
import type { Platform } from '../platform/platform';
import { commandSources } from '../platform/workflowSource';
import type { Servers } from '../servers/servers';
import { CanvasPage } from './canvasPage';
import { CanvasServers } from './canvasServers';

/** The canvases that are open: one for each file. */
export class CanvasPages implements vscode.Disposable {
  readonly #pages = new Set<CanvasPage>();
  readonly #canvasServers: CanvasServers;
  readonly #watch: vscode.Disposable;

  constructor(
    private readonly platform: Platform,
    servers: Servers,
  ) {
    this.#canvasServers = new CanvasServers(platform, servers);
    this.#watch = servers.onDidChange(() => {
      for (const page of this.#pages) page.serverChanged(servers.currentOrigin());
    });
  }

  /** @throws UserProblem before anything opens, if it can't be shown */
  async edit(args: readonly unknown[]): Promise<void> {
    const [file] = commandSources(args);
    if (!file) return;
    this.#canvasServers.selected();
    await openFileIn(file, customEditors.canvas, { preview: false });
  }

  fill(panel: vscode.WebviewPanel, document: vscode.TextDocument): void {
    const page = new CanvasPage(panel, document, this.platform, this.#canvasServers);
    this.#pages.add(page);
    panel.onDidDispose(() => this.#pages.delete(page));
    panel.onDidChangeViewState(() => {
      if (panel.active) page.focus();
      if (panel.visible) this.#seen(page);
    });
    this.#seen(page);
  }

  #seen(page: CanvasPage): void {
    page.seenAt = Date.now();
    if (page.isLoaded) return;
    const show = async (): Promise<void> => {
      await page.show();
      await this.#clearOldest();
    };
    show().catch(this.platform.onError);
  }

  /** A page takes about 200 MB. */
  async #clearOldest(): Promise<void> {
    const loaded = [...this.#pages].filter(({ isLoaded }) => isLoaded);
    const hidden = loaded
      .filter(({ isInSight }) => !isInSight)
      .sort((one, other) => one.seenAt - other.seenAt);
    const surplus = hidden.slice(0, Math.max(0, loaded.length - budgets.loadedCanvases));
    await Promise.all(surplus.map((page) => page.clear()));
  }

  dispose(): void {
    this.#watch.dispose();
    void this.#canvasServers.closeAll();
  }
}
