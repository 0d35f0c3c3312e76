import { setImmediate } from 'node:timers/promises';
import type * as vscode from 'vscode';

/**
 * Whether an answer about a document is still wanted after pending events: while the user types, the next version and
 * the cancellation of this request have already arrived.
 */
export async function isStillWanted(
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
): Promise<boolean> {
  const { version } = document;
  await setImmediate();
  return !token.isCancellationRequested && !document.isClosed && document.version === version;
}
