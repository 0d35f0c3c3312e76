import { setImmediate, setTimeout as elapsed } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isWorkflowDocument } from '../platform/workflowSource';

/** In longer files (lines), checks, symbols and colors wait for the first lens: they would keep the window busy. */
const manyLines = 5_000;
/** A lens leaves the extension host only after the turn that returns it (ms). */
const onItsWay = 100;
/** Nobody may ask for lenses, so a file is worked on after this time (ms). */
const longestWait = 1_000;
/** VS Code learns how long lenses take, so waiting for the modules of startup would delay those of later files (ms). */
const longestAnswer = 300;
/** A window counts as idle this long after its first lens, or without any (ms). */
const [afterLens, latestIdle] = [500, 4_000];

const past = new WeakSet<vscode.TextDocument>();
const waiting = new WeakMap<vscode.TextDocument, (() => void)[]>();

/** Whether a long file still waits for its first lens. */
export function isLensAwaited(document: vscode.TextDocument): boolean {
  return document.lineCount >= manyLines && !past.has(document);
}

/** Resolves once a long file has its first lens, or seems to get none; at once for other files. */
export function lensFirst(document: vscode.TextDocument): Promise<void> {
  if (!isLensAwaited(document)) return Promise.resolve();
  if (!waiting.has(document)) setTimeout(() => endWait(document), longestWait);
  return new Promise((resolve) => waiting.set(document, [...(waiting.get(document) ?? []), resolve]));
}

export function lensGiven(document: vscode.TextDocument): void {
  if (isLensAwaited(document)) setTimeout(() => endWait(document), onItsWay);
}

function endWait(document: vscode.TextDocument): void {
  past.add(document);
  waiting.get(document)?.forEach((resolve) => resolve());
}

/** Whether an answer is still wanted after the first lens, and after the events that came while the user typed. */
export async function isStillWanted(
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
  before = lensFirst(document),
) {
  const { version } = document;
  await before;
  await setImmediate();
  return !token.isCancellationRequested && !document.isClosed && document.version === version;
}

/** The code lenses registered at activation: VS Code waits after registration, and the rest is loaded in that time. */
export class EarlyLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  #following: vscode.Disposable | undefined;
  #isReady = false;
  #becomeIdle = (): void => undefined;
  readonly #idle = new Promise<void>((resolve) => (this.#becomeIdle = resolve));

  constructor(private readonly load: () => Promise<{ readonly lenses: vscode.CodeLensProvider }>) {}

  follow({ onDidChangeCodeLenses }: vscode.CodeLensProvider): void {
    this.#following = onDidChangeCodeLenses?.(() => this.#changed.fire());
  }

  /** Resolves once the window's first lens was returned, or if there is none. */
  idle(): Promise<void> {
    setTimeout(this.#becomeIdle, latestIdle);
    return this.#idle;
  }

  async provideCodeLenses(document: vscode.TextDocument, token: vscode.CancellationToken) {
    // Files that are not workflows load nothing.
    if (!this.#following && !isWorkflowDocument(document)) return undefined;
    const answer = this.#answer(document, token);
    // Later there is nothing to wait for, and existing lenses would flicker.
    const given = await (this.#isReady
      ? answer
      : Promise.race([answer, elapsed(longestAnswer, 'late' as const)]));
    if (given === 'late') void answer.then((found) => found && this.#changed.fire()).catch(() => undefined);
    if (given === 'late' || !given) return undefined;
    lensGiven(document);
    setTimeout(this.#becomeIdle, afterLens);
    return given;
  }

  async #answer(document: vscode.TextDocument, token: vscode.CancellationToken) {
    const { lenses } = await this.load();
    const given = await lenses.provideCodeLenses(document, token);
    this.#isReady ||= Boolean(given);
    return given;
  }

  dispose(): void {
    this.#following?.dispose();
    this.#changed.dispose();
  }
}
