import * as vscode from 'vscode';

/** Whether a part of the window shows how a run (by its job's ID) or a batch (by its own) stands. */
type Shows = (id: string) => boolean;

/** What the person sees already, so that no notification repeats it: views and panels say what they show. */
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
