import * as vscode from 'vscode';
import { plural, t } from '../../core/safety/localize';
import { shown, type Shown } from '../../core/safety/shownText';
import { setContext } from '../platform/contextKeys';
import { commands, contextKeys } from '../platform/contributions';
import { askText, showInformation, showWarning } from '../platform/show';
import { setStatusWords } from '../platform/showItems';

/** How many runs may wait: enough for a handful of clicks, too few for a key that is stuck. */
export const waitingAtMost = 20;

interface WaitingRun {
  readonly file: string;
  readonly start: () => Promise<string | undefined>;
  readonly end: (jobId: string | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Runs with new seeds that were asked for while their file was being submitted: each starts when the one before it is
 * on its server. The first that is not submitted ends the rest, and so does the person, in the status bar.
 */
export class WaitingRuns implements vscode.Disposable {
  readonly #isFree: (file: string) => boolean;
  readonly #onDidSend: vscode.Event<void>;
  readonly #item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left, 0);
  #runs: WaitingRun[] = [];
  #starts = false;

  /** @param onDidSend fires when a file is free again */
  constructor(isFree: (file: string) => boolean, onDidSend: vscode.Event<void>) {
    this.#isFree = isFree;
    this.#onDidSend = onDidSend;
    this.#item.command = commands.stopWaitingRuns;
  }

  dispose(): void {
    this.stop();
    this.#item.dispose();
  }

  /** Gives the id of the job, or undefined if the run was not started, and the person knows why. */
  async add(
    file: string,
    label: string,
    start: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    if (this.#runs.length >= waitingAtMost) {
      void showInformation(
        shown`${label} wasn't run again, because ${waitingAtMost} runs are already waiting.`,
      );
      return undefined;
    }
    return new Promise((end, fail) => {
      this.#runs.push({ file, start, end, fail });
      this.#show();
      if (!this.#starts) void this.#startAll();
    });
  }

  /** @param why told if there was something to stop */
  stop(why?: Shown): void {
    const stopped = this.#runs;
    this.#runs = [];
    this.#show();
    for (const { end } of stopped) end(undefined);
    if (why && stopped.length > 0) void showWarning(why);
  }

  async #startAll(): Promise<void> {
    this.#starts = true;
    for (let next = this.#runs[0]; next; next = this.#runs[0]) {
      if (!this.#isFree(next.file)) {
        await new Promise<void>((resolve) => {
          const waits = this.#onDidSend(() => {
            waits.dispose();
            resolve();
          });
        });
        continue;
      }
      this.#runs.shift();
      this.#show();
      await this.#start(next);
    }
    this.#starts = false;
  }

  async #start({ start, end, fail }: WaitingRun): Promise<void> {
    let jobId: string | undefined;
    try {
      jobId = await start();
      end(jobId);
    } catch (error) {
      fail(error);
    }
    if (jobId !== undefined) return;
    this.stop(shown`The waiting runs weren't started, because the run before them wasn't submitted.`);
  }

  #show(): void {
    const count = this.#runs.length;
    setContext(contextKeys.runsWaiting, count > 0);
    if (count === 0) {
      this.#item.hide();
      return;
    }
    const words = plural(count, shown`Stop 1 Waiting Run`, shown`Stop ${count} Waiting Runs`);
    setStatusWords(this.#item, { text: shown`$(debug-stop) ${words}`, spoken: words });
    this.#item.show();
  }
}

/** Asks how many runs with new seeds to start; undefined when dismissed. */
export async function askTimes(): Promise<number | undefined> {
  const typed = await askText({
    title: shown`Run Several Times`,
    prompt: shown`Number of runs, each with new seeds`,
    value: '4',
    problem: (text) =>
      timesIn(text) === undefined ? t`Enter a whole number from 1 to ${waitingAtMost}.` : undefined,
  });
  return typed === undefined ? undefined : timesIn(typed);
}

function timesIn(text: string): number | undefined {
  const times = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return times >= 1 && times <= waitingAtMost ? times : undefined;
}
