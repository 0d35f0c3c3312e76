import * as vscode from 'vscode';
import { plural } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { markdownWithCommands, setStatusWords } from '../platform/showItems';

/** Presses that wait at most, per file. */
export const mostWaiting = 20;

/**
 * Presses of *Run With New Seeds* that wait while an earlier one of the same file is sent. The status bar shows how many
 * wait, and stops them.
 */
export class RunQueue implements vscode.Disposable {
  /** File -> how each of its presses goes on: true when it is its turn, false when it is dropped. */
  readonly #waiting = new Map<string, ((goes: boolean) => void)[]>();
  #item: vscode.StatusBarItem | undefined;

  waiting(file: string): number {
    return this.#waiting.get(file)?.length ?? 0;
  }

  /** Resolves when it is the turn of this press; false if it was dropped. */
  join(file: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.set(file, [...(this.#waiting.get(file) ?? []), resolve]);
      this.#show();
    });
  }

  /** Lets the next press of a file go on, if one waits. */
  next(file: string): boolean {
    const go = this.#waiting.get(file)?.shift();
    this.#show();
    go?.(true);
    return go !== undefined;
  }

  /** Drops what waits, of one file or all; returns how many. */
  drop(files: Iterable<string> = this.#waiting.keys()): number {
    const dropped = [...files].flatMap((file) => this.#waiting.get(file)?.splice(0) ?? []);
    this.#show();
    for (const go of dropped) go(false);
    return dropped.length;
  }

  dispose(): void {
    this.drop();
    this.#item?.dispose();
  }

  #show(): void {
    const number = [...this.#waiting.values()].reduce((sum, each) => sum + each.length, 0);
    if (number === 0) {
      this.#item?.hide();
      return;
    }
    this.#item ??= vscode.window.createStatusBarItem('runQueue', vscode.StatusBarAlignment.Left, 9);
    this.#item.name = shown`Comfy Deck: Queued Runs`.line();
    this.#item.command = commands.stopQueuedRuns;
    const words = plural(number, shown`Stop 1 Queued Run`, shown`Stop ${number} Queued Runs`);
    setStatusWords(this.#item, {
      text: shown`$(debug-stop) ${words}`,
      spoken: words,
      tooltip: markdownWithCommands(
        shown`They are sent one after the other, each with new seeds. Runs that were sent keep running.`,
      ),
    });
    this.#item.show();
  }
}
