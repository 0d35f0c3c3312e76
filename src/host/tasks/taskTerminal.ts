import * as vscode from 'vscode';
import type { Shown } from '../../core/safety/shownText';
import { isCancellation, problemText } from '../platform/problems';
import { withoutSecrets } from '../platform/shownSecrets';

/** A task ends with the exit codes of `comfy-deck`. */
export const taskExit = { done: 0, failed: 1, cancelled: 130 } as const;

export interface TaskOutput {
  /** Writes a line: no outside text in it moves the cursor. */
  line(words: Shown): void;
  /** Aborted by Ctrl-C, and when the task is terminated. */
  readonly signal: AbortSignal;
  readonly interrupted: AbortSignal;
}

/** Resolves when the task is terminated, not interrupted: what it started keeps running. */
export function taskClosed({ signal, interrupted }: TaskOutput): Promise<'closed'> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => interrupted.aborted || resolve('closed'), { once: true });
  });
}

export class TaskTerminal implements vscode.Pseudoterminal {
  readonly #written = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.#written.event;
  readonly #ended = new vscode.EventEmitter<number>();
  readonly onDidClose = this.#ended.event;
  readonly #abort = new AbortController();
  readonly #interrupt = new AbortController();

  constructor(private readonly work: (output: TaskOutput) => Promise<number>) {}

  open(): void {
    const [signal, interrupted] = [this.#abort.signal, this.#interrupt.signal];
    this.work({ line: (words) => this.#line(words), signal, interrupted }).then(
      (code) => this.#ended.fire(code),
      (error: unknown) => {
        if (!isCancellation(error) && !signal.aborted) this.#line(problemText(error));
        this.#ended.fire(signal.aborted ? taskExit.cancelled : taskExit.failed);
      },
    );
  }

  handleInput(typed: string): void {
    if (!typed.includes('\u0003')) return;
    this.#interrupt.abort();
    this.#abort.abort();
  }

  close(): void {
    this.#abort.abort();
  }

  #line(words: Shown): void {
    this.#written.fire(`${withoutSecrets(words.line())}\r\n`);
  }
}
