import * as vscode from 'vscode';

/** The only panel of its kind, restored after the window reloads. `T`: what shows something in it. */
export class OnePanel<T> {
  #open: { readonly panel: vscode.WebviewPanel; readonly shown: T } | undefined;
  /** A panel being prepared: no second one may open until then. */
  #opening: Promise<void> | undefined;

  constructor(
    private readonly id: string,
    private readonly fill: (panel: vscode.WebviewPanel) => Promise<T>,
  ) {}

  get shown(): T | undefined {
    return this.#open?.shown;
  }

  /** When VS Code restores the panel, another one may already be open. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewPanelSerializer(this.id, {
      deserializeWebviewPanel: async (panel) => {
        if (this.#opening) await this.#opening;
        if (this.#open) panel.dispose();
        else await this.#adopt(panel);
      },
    });
  }

  async show(
    create: () => vscode.WebviewPanel | Promise<vscode.WebviewPanel>,
    preserveFocus = false,
  ): Promise<T | undefined> {
    if (this.#opening) await this.#opening;
    if (this.#open) this.#open.panel.reveal(undefined, preserveFocus);
    else await this.#adopt(create());
    return this.shown;
  }

  #adopt(panel: vscode.WebviewPanel | Promise<vscode.WebviewPanel>): Promise<void> {
    this.#opening = this.#prepare(panel).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #prepare(created: vscode.WebviewPanel | Promise<vscode.WebviewPanel>): Promise<void> {
    const panel = await created;
    const closed = new AbortController();
    panel.onDidDispose(() => {
      closed.abort();
      this.#open = undefined;
    });
    const shown = await this.fill(panel);
    if (!closed.signal.aborted) this.#open = { panel, shown };
  }
}
