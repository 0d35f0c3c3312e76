import type * as vscode from 'vscode';
import { plainText } from '../../core/safety/plainText';
import type { Log } from '../platform/log';
import { nameOf } from '../platform/workflowSource';

/** What follows the first lens, such as colors and links, is done before the window counts as idle (ms). */
const afterLens = 500;

/** Without a lens, for example if they are off, the window counts as idle after this time (ms). */
const patience = 4_000;

/** A file with more lines takes so long to read and check that its first lens would wait for it. */
const manyLines = 10_000;

/** A long file without a lens is worked on after this time (ms). */
const longPatience = 1_000;

/** How long opened files wait for their first lens: logged, and awaited by work that is not urgent. */
export class FirstLenses implements vscode.Disposable {
  readonly #log: Pick<Log, 'info'>;
  readonly #now: () => number;
  readonly #shown = new WeakMap<vscode.TextDocument, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #waiting: (() => void)[] = [];
  readonly #ofFile = new WeakMap<vscode.TextDocument, () => void>();
  readonly #lensOf = new WeakMap<vscode.TextDocument, Promise<void>>();
  #isIdle = false;

  constructor(log: Pick<Log, 'info'>, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** A document is visible in an editor; only the first time counts. */
  shown(document: vscode.TextDocument): void {
    if (!this.#shown.has(document)) this.#shown.set(document, this.#now());
  }

  /** Lenses of a document were returned; only the first time counts. */
  given(document: vscode.TextDocument): void {
    const shown = this.#shown.get(document);
    if (shown === undefined || Number.isNaN(shown)) return;
    this.#shown.set(document, NaN);
    this.#ofFile.get(document)?.();
    const took = Math.round(this.#now() - shown);
    this.#log.info(`Lens after ${took} ms (${plainText(nameOf(document.uri))})`);
    this.#after(afterLens, () => this.#becomeIdle());
  }

  /** Resolves once the window's first lens was returned, or if there is none. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    this.#after(patience, () => this.#becomeIdle());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves once a long file has its first lens, or seems to get none; at once for other files. */
  lensOf(document: vscode.TextDocument): Promise<void> {
    if (document.lineCount < manyLines || Number.isNaN(this.#shown.get(document))) return Promise.resolve();
    const known = this.#lensOf.get(document);
    if (known) return known;
    const waiting = new Promise<void>((resolve) => {
      this.#ofFile.set(document, resolve);
      this.#after(longPatience, resolve);
    });
    this.#lensOf.set(document, waiting);
    return waiting;
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #becomeIdle(): void {
    this.#isIdle = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #after(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
  }
}
