import * as vscode from 'vscode';
import { orAborted } from '../../core/client/timing';
import { type Shown, shown } from '../../core/safety/shownText';
import { isCancellation, UserProblem } from '../platform/problems';
import { type Button, showInformation, withProgress } from '../platform/show';

/** What a question says is read within this time or not at all, ms. */
const patience = 30_000;
/** Who waited longer than this may have turned to something else, and may be typing, ms. */
const soon = 1_500;
/** What was read longer ago than this is read again, ms. */
const fresh = 60_000;

/** What a question needs to know, read after somebody asked for it. */
export interface ReadForQuestion<T> {
  readonly value: T;
  /** The user still waits for it and has done nothing else since: a question may come up by itself. */
  readonly isAwaited: boolean;
  readonly readAt: number;
}

/** Reads what a question says, with a progress that can be cancelled; undefined when it was. */
export async function readForQuestion<T>(
  title: Shown,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<ReadForQuestion<T> | undefined> {
  const began = Date.now();
  const attention = new Attention();
  const left = new AbortController();
  const limit = AbortSignal.timeout(patience);
  try {
    const value = await withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_, token) => {
        token.onCancellationRequested(() => left.abort());
        const signal = AbortSignal.any([left.signal, limit]);
        return orAborted(read(signal), signal);
      },
    );
    if (left.signal.aborted) return undefined;
    const readAt = Date.now();
    return { value, isAwaited: attention.isHere && readAt - began < soon, readAt };
  } catch (error) {
    if (left.signal.aborted && isCancellation(error)) return undefined;
    if (limit.aborted && error === limit.reason) throw tooLate();
    throw error;
  } finally {
    attention.dispose();
  }
}

/**
 * Offers a question that comes late. A notification takes no key that was meant for something else: the question comes
 * up after a click. `again`: what was read is too old by then.
 */
export async function offerQuestion(
  words: Shown,
  button: Button,
  { readAt }: Pick<ReadForQuestion<unknown>, 'readAt'>,
): Promise<'ask' | 'again' | undefined> {
  const answer = await showInformation(words, button);
  if (!answer) return undefined;
  return Date.now() - readAt > fresh ? 'again' : 'ask';
}

function tooLate(): UserProblem {
  return new UserProblem(
    shown`Couldn't get the details within ${patience / 1000} seconds. Nothing was changed.`,
    shown`Check the connection to the server and to the node registry, then try again.`,
  );
}

/** Whether the user has turned to something else since. */
class Attention implements vscode.Disposable {
  #isHere = true;
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor() {
    const gone = (): void => {
      this.#isHere = false;
    };
    this.#subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(gone),
      vscode.window.onDidChangeTextEditorSelection(gone),
      vscode.window.onDidChangeActiveTerminal(gone),
      vscode.window.onDidChangeActiveNotebookEditor(gone),
      vscode.window.tabGroups.onDidChangeTabs(gone),
      vscode.workspace.onDidChangeTextDocument(gone),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (!focused) gone();
      }),
    ];
  }

  get isHere(): boolean {
    return this.#isHere;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
