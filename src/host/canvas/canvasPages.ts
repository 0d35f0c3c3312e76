import * as vscode from 'vscode';
import { budgets } from '../../core/safety/budgets';
import { customEditors } from '../platform/contributions';
import { openFileIn } from '../platform/openFile';
import type { Platform } from '../platform/platform';
import { commandSources } from '../platform/workflowSource';
import type { Runs } from '../runs/runs';
import { BrowserCanvas } from './browserCanvas';
import { CanvasPage } from './canvasPage';
import { CanvasServers } from './canvasServers';

/** The canvases that are open: one for each file. */
export class CanvasPages implements vscode.Disposable {
  readonly #pages = new Set<CanvasPage>();
  /** By the URI of their file. */
  readonly #inBrowser = new Map<string, BrowserCanvas>();
  readonly #canvasServers: CanvasServers;
  readonly #watch: vscode.Disposable;

  constructor(
    private readonly platform: Platform,
    private readonly runs: Runs,
  ) {
    const { servers } = runs;
    this.#canvasServers = new CanvasServers(platform, servers);
    this.#watch = servers.onDidChange(() => {
      for (const { canvas } of this.#pages) canvas.serverChanged(servers.currentOrigin());
    });
  }

  /** @throws UserProblem before anything opens, if it can't be shown */
  async edit(args: readonly unknown[]): Promise<void> {
    const [file] = commandSources(args);
    this.#canvasServers.selected();
    await openFileIn(file, customEditors.canvas, { preview: false });
  }

  /** Opens the page of the selected server in a browser. @throws UserProblem if it can't be shown */
  async openInBrowser(args: readonly unknown[]): Promise<void> {
    const [file] = commandSources(args);
    this.#canvasServers.selected();
    const key = file.toString();
    const document = await vscode.workspace.openTextDocument(file);
    this.#inBrowser.get(key)?.dispose();
    const canvas = new BrowserCanvas(document, this.platform, this.#canvasServers, this.runs, () => {
      canvas.dispose();
      if (this.#inBrowser.get(key) === canvas) this.#inBrowser.delete(key);
    });
    this.#inBrowser.set(key, canvas);
    await canvas.show();
  }

  /** Puts a file among the workflows of the selected server. @throws UserProblem or ServerError */
  async saveToServer(args: readonly unknown[]): Promise<void> {
    const [file] = commandSources(args);
    const { name, origin } = this.#canvasServers.selected();
    const session = await this.runs.servers.sessionOf(origin);
    const { saveToServer } = await import('./saveToServer');
    if (session) await saveToServer(file, name, session.workflows);
  }

  fill(panel: vscode.WebviewPanel, document: vscode.TextDocument): void {
    const page = new CanvasPage(panel, document, this.platform, this.#canvasServers, this.runs);
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
    if (page.canvas.isLoaded) return;
    page
      .show()
      .then(() => this.#clearOldest())
      .catch(this.platform.onError);
  }

  /** A page takes about 200 MB. */
  async #clearOldest(): Promise<void> {
    const loaded = [...this.#pages].filter(({ canvas }) => canvas.isLoaded);
    const hidden = loaded
      .filter(({ editor, canvas }) => !editor.visible && !canvas.showsOther)
      .sort((one, other) => one.seenAt - other.seenAt);
    const surplus = hidden.slice(0, Math.max(0, loaded.length - budgets.loadedCanvases));
    await Promise.all(surplus.map((page) => page.clear()));
  }

  dispose(): void {
    this.#watch.dispose();
    for (const canvas of this.#inBrowser.values()) canvas.dispose();
    void this.#canvasServers.closeAll();
  }
}
