import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isWorkflowDocument } from '../platform/workflowSource';
import type { FirstLenses } from './firstLenses';

/**
 * VS Code waits at least 250 ms before it requests lenses, plus the time of earlier answers: waiting for everything
 * loaded at startup would delay every later file (ms).
 */
const patience = 300;

interface Lenses extends vscode.CodeLensProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;
}

/**
 * The code lenses registered at activation. VS Code waits after registration and again after each change event; the
 * rest is loaded in that time.
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
    // Files that are not workflows load nothing.
    if (!this.#lenses && !isWorkflowDocument(document)) return undefined;
    const answer = this.#answer(document, token);
    // Later there is nothing to wait for, and existing lenses would flicker.
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

  /** VS Code asks again for late lenses. */
  async #announce(late: Promise<vscode.CodeLens[] | undefined>): Promise<void> {
    const given = await late.catch(() => undefined);
    if (given) this.#changed.fire();
  }

  dispose(): void {
    this.#following?.dispose();
    this.#changed.dispose();
  }
}
