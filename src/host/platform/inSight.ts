import * as vscode from 'vscode';

type Shows = (id: string) => boolean;

/** Knows what the person sees already, so that no notification repeats it. */
export class InSight {
  readonly #parts = new Set<Shows>();

  add(shows: Shows): vscode.Disposable {
    this.#parts.add(shows);
    return new vscode.Disposable(() => this.#parts.delete(shows));
  }

  /** @param files of the run, on disk: a visible editor shows its result */
  has(id: string, files: readonly string[] = []): boolean {
    if ([...this.#parts].some((shows) => shows(id))) return true;
    return vscode.window.tabGroups.all.some(({ activeTab }) => {
      const input = activeTab?.input;
      const isFile = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText;
      return isFile && files.includes(input.uri.fsPath);
    });
  }
}
