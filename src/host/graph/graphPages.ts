import * as vscode from 'vscode';
import * as z from 'zod';
import { t } from '../../core/safety/localize';
import { webviewPanels } from '../platform/contributions';
import { sourcesOf } from '../platform/workflowSource';
import { GraphPage, type GraphPageParts } from './graphPage';

const stored = z.object({ file: z.string() });

/** The open graphs: one for each file. */
export class GraphPages {
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(private readonly parts: GraphPageParts) {}

  /** Opens the graph of the file of a menu, or of the active editor. */
  show(args: readonly unknown[]): void {
    const [file] = sourcesOf(args);
    if (!file) return;
    const open = this.#open.get(file.toString());
    if (open) {
      open.reveal();
      return;
    }
    const { Active, Beside } = vscode.ViewColumn;
    const isText = vscode.window.activeTextEditor?.document.uri.toString() === file.toString();
    const viewColumn = isText ? Beside : Active;
    const panel = vscode.window.createWebviewPanel(
      webviewPanels.graph,
      t`Graph`,
      { viewColumn, preserveFocus: false },
      { enableScripts: true, localResourceRoots: [] },
    );
    this.#fill(panel, file);
  }

  /** @param state what the page has stored to be opened again */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const { data } = stored.safeParse(state);
    if (data === undefined || this.#open.has(data.file)) panel.dispose();
    else this.#fill(panel, vscode.Uri.parse(data.file));
  }

  #fill(panel: vscode.WebviewPanel, file: vscode.Uri): void {
    this.#open.set(file.toString(), panel);
    panel.onDidDispose(() => this.#open.delete(file.toString()));
    new GraphPage(panel, file, this.parts);
  }
}
