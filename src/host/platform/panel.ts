import type * as vscode from 'vscode';
import type * as z from 'zod';
import { coalesceCalls } from '../../core/jobs/coalesce';
import type { Shown } from '../../core/safety/shownText';
import { panelFolder, panelIcon, type PanelPage, panelPage, panelResource } from './panelPage';
import type { Platform } from './platform';
import { setPanelTitle } from './showItems';
import { messageWithoutSecrets } from './shownSecrets';

/** What a panel needs of its window. */
export type PanelPlatform = Pick<Platform, 'extensionUri' | 'onError'>;

export interface PanelDesign<From> extends PanelPage {
  /** Other messages of the page are dropped. It shows files from outside, so it isn't trusted. */
  readonly messages: z.ZodType<From>;
  readonly folders: readonly vscode.Uri[];
}

/** A page says `ready` first, and again after each reload. Nothing is sent to it before, or after it was closed. */
export abstract class Panel<From extends { readonly type: string }, To extends object> {
  #isReady = false;
  #isClosed = false;

  protected constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly platform: PanelPlatform,
    design: PanelDesign<From>,
  ) {
    this.allow(design.folders);
    this.own(
      panel.webview.onDidReceiveMessage((raw: unknown) => {
        const message = design.messages.safeParse(raw).data;
        if (message === undefined) return;
        if (message.type === 'ready') this.#isReady = true;
        this.guard(() => this.receive(message));
      }),
    );
    panel.onDidDispose(() => (this.#isClosed = true));
    panel.iconPath = panelIcon(platform.extensionUri);
    this.setPage(design);
  }

  /** Loads the page anew. It says `ready` again. */
  protected setPage(page: PanelPage): void {
    this.#isReady = false;
    this.panel.webview.html = panelPage(this.panel.webview, this.platform.extensionUri, page);
  }

  protected abstract receive(message: From): unknown;

  protected own(...disposables: readonly { dispose(): unknown }[]): void {
    this.panel.onDidDispose(() => {
      for (const each of disposables) each.dispose();
    });
  }

  protected get isReady(): boolean {
    return this.#isReady && !this.#isClosed;
  }

  protected get isVisible(): boolean {
    return this.isReady && this.panel.visible;
  }

  protected guard(action: () => unknown): void {
    const act = async (): Promise<void> => {
      await action();
    };
    act().catch(this.platform.onError);
  }

  /** Runs the action at once, then at most once in this many milliseconds. */
  protected paced(ms: number, action: () => unknown): () => void {
    const paced = coalesceCalls(() => this.guard(action), ms);
    this.own({ dispose: () => paced.cancel() });
    return paced;
  }

  protected setTitle(title: Shown): void {
    if (!this.#isClosed) setPanelTitle(this.panel, title);
  }

  protected post(message: To): void {
    if (this.isReady) void this.panel.webview.postMessage(messageWithoutSecrets(message));
  }

  /** Lets the page load from these folders. A new one reloads it, and it asks again. */
  protected allow(folders: readonly vscode.Uri[]): void {
    const roots = [panelFolder(this.platform.extensionUri), ...folders];
    const { webview } = this.panel;
    const allowed = new Set(webview.options.localResourceRoots?.map(String));
    if (roots.every((root) => allowed.has(root.toString()))) return;
    this.#isReady = false;
    const unique = new Map(roots.map((root) => [root.toString(), root]));
    webview.options = { enableScripts: true, localResourceRoots: [...unique.values()] };
  }

  protected address(file: vscode.Uri): string {
    return this.panel.webview.asWebviewUri(file).toString();
  }

  protected resource(...file: readonly string[]): string {
    return panelResource(this.panel.webview, this.platform.extensionUri, ...file);
  }
}
