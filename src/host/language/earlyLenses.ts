import * as vscode from 'vscode';
import { isWorkflowDocument } from '../runs/workflowSource';
import type { FirstLenses } from './firstLenses';

interface Lenses extends vscode.CodeLensProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;
}

/**
 * The lenses as VS Code is told of them when the extension is activated. After it has heard of a provider it waits
 * before it asks, and again each time it hears something of it: this passes while the rest is loaded.
 */
export class EarlyLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #load: () => Promise<{ readonly lenses: Lenses }>;
  readonly #first: FirstLenses;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  #lenses: Lenses | undefined;
  #following: vscode.Disposable | undefined;

  constructor(load: () => Promise<{ readonly lenses: Lenses }>, first: FirstLenses) {
    this.#load = load;
    this.#first = first;
  }

  follow(lenses: Lenses): void {
    this.#lenses = lenses;
    this.#following = lenses.onDidChangeCodeLenses(() => this.#changed.fire());
  }

  async provideCodeLenses(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[] | undefined> {
    // Files that are no workflows load nothing.
    if (!this.#lenses && !isWorkflowDocument(document)) return undefined;
    const { lenses } = this.#lenses ? { lenses: this.#lenses } : await this.#load();
    const given = await lenses.provideCodeLenses(document, token);
    if (given) this.#first.given(document);
    return given ?? undefined;
  }

  dispose(): void {
    this.#following?.dispose();
    this.#changed.dispose();
  }
}
