import { setImmediate } from 'node:timers/promises';
import type * as vscode from 'vscode';

/**
 * Whether an answer about a document is still wanted after everything that waits in line was heard: while somebody
 * types, the next version and the cancellation of what was asked for this one are there already.
 */
export async function isStillWanted(
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
): Promise<boolean> {
  const { version } = document;
  await setImmediate();
  return !token.isCancellationRequested && !document.isClosed && document.version === version;
}
