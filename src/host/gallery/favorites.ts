import type * as vscode from 'vscode';

const key = 'gallery.favorites';
/** The oldest are forgotten beyond this. */
const most = 10_000;

/** The outputs that the user marked in this workspace, by their URIs. */
export class Favorites {
  readonly #memory: vscode.Memento;
  #marked: Set<string> | undefined;

  constructor(workspaceState: vscode.Memento) {
    this.#memory = workspaceState;
  }

  has(uri: vscode.Uri): boolean {
    return this.#all.has(uri.toString());
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  async mark(uris: readonly vscode.Uri[], isFavorite: boolean): Promise<void> {
    for (const uri of uris) {
      if (isFavorite) this.#all.add(uri.toString());
      else this.#all.delete(uri.toString());
    }
    this.#marked = new Set([...this.#all].slice(-most));
    await this.#memory.update(key, [...this.#marked]);
  }

  get #all(): Set<string> {
    if (!this.#marked) {
      const stored: unknown = this.#memory.get(key);
      this.#marked = new Set(Array.isArray(stored) ? stored.map(String) : []);
    }
    return this.#marked;
  }
}
