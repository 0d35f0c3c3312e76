import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isWorkflowDocument } from '../runs/workflowSource';
import type { FirstLenses } from './firstLenses';

/**
 * The delay before VS Code asks for the lenses of a file is at least 250 ms, and the time that earlier answers took: one
 * that waits for all that is loaded at the start would hold up every file after it (ms).
 */
const patience = 300;

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
  #isReady = false;

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
    const answer = this.#answer(document, token);
    // Later on nothing is waited for, and lenses that are there would flicker.
    const given = await (this.#isReady
      ? answer
      : Promise.race([answer, setTimeout(patience, 'late' as const)]));
    if (given === 'late') {
      void this.#announce(answer);
      return undefined;
    }
    if (given) this.#first.given(document);
    return given;
  }

  async #answer(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[] | undefined> {
    const lenses = this.#lenses ?? (await this.#load()).lenses;
    const given = (await lenses.provideCodeLenses(document, token)) ?? undefined;
    this.#isReady ||= given !== undefined;
    return given;
  }

  /** VS Code asks again for what came too late. */
  async #announce(late: Promise<vscode.CodeLens[] | undefined>): Promise<void> {
    const given = await late.catch(() => undefined);
    if (given) this.#changed.fire();
  }

  dispose(): void {
    this.#following?.dispose();
    this.#changed.dispose();
  }
}
