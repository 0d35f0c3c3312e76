import type * as vscode from 'vscode';

/**
 * The first lens of a long file comes before all other answers about it: a check takes as long as VS Code waits for a
 * lens, and thousands of symbols, colors and folding ranges that are sent before it keep the window busy.
 */

/** Reading and checking longer files delays their lens (lines). */
const manyLines = 5_000;

/** Until the lens has left the extension host (ms): it does not while the same turn goes on. */
const onItsWay = 100;

/** A file that nobody asks lenses for is worked on after this time (ms). */
const patience = 1_000;

interface Turn {
  readonly over: Promise<void>;
  readonly end: () => void;
}

const turns = new WeakMap<vscode.TextDocument, Turn>();
const past = new WeakSet<vscode.TextDocument>();

/** Whether a long file still waits for its first lens. */
export function isLensAwaited(document: vscode.TextDocument): boolean {
  return document.lineCount >= manyLines && !past.has(document);
}

/** Resolves once a long file has its first lens, or seems to get none; at once for other files. */
export function lensFirst(document: vscode.TextDocument): Promise<void> {
  return isLensAwaited(document) ? turnOf(document).over : Promise.resolve();
}

/** A lens of the document was returned. */
export function lensGiven(document: vscode.TextDocument): void {
  if (isLensAwaited(document)) setTimeout(turnOf(document).end, onItsWay);
}

function turnOf(document: vscode.TextDocument): Turn {
  const known = turns.get(document);
  if (known) return known;
  let resolve = (): void => undefined;
  const over = new Promise<void>((done) => (resolve = done));
  const end = (): void => {
    past.add(document);
    resolve();
  };
  setTimeout(end, patience);
  const turn = { over, end };
  turns.set(document, turn);
  return turn;
}
