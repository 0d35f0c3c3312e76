import type * as vscode from 'vscode';
import { plainText } from '../../core/safety/plainText';
import type { Log } from '../platform/log';
import { nameOf } from '../platform/workflowSource';
import { lensGiven } from './lensFirst';

/** What follows the first lens, such as colors and links, is done before the window counts as idle (ms). */
const afterLens = 500;

/** Without a lens, for example if they are off, the window counts as idle after this time (ms). */
const patience = 4_000;

/** How long opened files wait for their first lens: logged, and awaited by work that is not urgent. */
export class FirstLenses implements vscode.Disposable {
  readonly #log: Pick<Log, 'info'>;
  readonly #now: () => number;
  readonly #shown = new WeakMap<vscode.TextDocument, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #waiting: (() => void)[] = [];
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
    lensGiven(document);
    const shown = this.#shown.get(document);
    if (shown === undefined || Number.isNaN(shown)) return;
    this.#shown.set(document, NaN);
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
