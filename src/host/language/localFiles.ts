import * as vscode from 'vscode';
import type { UploadKind } from '../../core/catalog/inputSpec';
import { isNameOfKind } from '../../core/runs/uploadKinds';
import type { Owned } from '../platform/feature';
import { findMediaUri } from '../runs/localMedia';
import { nameOf } from '../runs/workflowSource';

/** Files that one workflow names and that are looked for in the workspace; those beyond count as absent. */
const mostFiles = 100;

interface NamedFiles {
  readonly workflow: vscode.Uri;
  /** Whether each file that was asked for is there; undefined while it is looked for. */
  readonly files: Map<string, boolean | undefined>;
}

/**
 * Which files that open workflows name lie in the workspace, from where a run uploads them. A check cannot wait for the
 * disk: until it has answered a file counts as there, and the workflow is checked again when it is not.
 */
export class LocalFiles implements vscode.Disposable {
  readonly #onChange: (workflow: vscode.Uri) => void;
  readonly #known = new Map<string, NamedFiles>();
  #watching: Owned[] | undefined;

  /** @param onChange another answer than before is known of a file that this workflow names */
  constructor(onChange: (workflow: vscode.Uri) => void) {
    this.#onChange = onChange;
  }

  has(workflow: vscode.Uri, name: string, kind: UploadKind): boolean {
    if (!isNameOfKind(kind, name)) return false;
    const key = workflow.toString();
    const known: NamedFiles = this.#known.get(key) ?? { workflow, files: new Map() };
    this.#known.set(key, known);
    if (known.files.has(name)) return known.files.get(name) ?? true;
    if (known.files.size >= mostFiles) return false;
    known.files.set(name, undefined);
    this.#watching ??= this.#watch();
    void this.#look(known, name);
    return true;
  }

  forget(workflow: vscode.Uri): void {
    this.#known.delete(workflow.toString());
  }

  dispose(): void {
    for (const each of this.#watching ?? []) each.dispose();
  }

  async #look(known: NamedFiles, name: string): Promise<void> {
    const { workflow, files } = known;
    const before = files.get(name) ?? true;
    const isThere = (await findMediaUri(workflow, name).catch(() => undefined)) !== undefined;
    files.set(name, isThere);
    if (isThere !== before && this.#known.get(workflow.toString()) === known) this.#onChange(workflow);
  }

  /** A file that comes or goes may be one that was asked for. */
  #watch(): Owned[] {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
    const lookAgain = (uri: vscode.Uri): void => {
      const changed = nameOf(uri);
      for (const known of this.#known.values()) {
        for (const name of known.files.keys()) {
          if (name.split(/[/\\]/).at(-1) === changed) void this.#look(known, name);
        }
      }
    };
    return [watcher, watcher.onDidCreate(lookAgain), watcher.onDidDelete(lookAgain)];
  }
}
