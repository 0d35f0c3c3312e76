import { setImmediate } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { lensFirst } from './lensFirst';

/**
 * Whether an answer about a document is still wanted after pending events, and after its first lens: while the user
 * types, the next version and the cancellation of this request have already arrived.
 */
export async function isStillWanted(
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
): Promise<boolean> {
  const { version } = document;
  await lensFirst(document);
  return isWantedAtOnce(document, token, version);
}

/** The same for a lens, which waits for nothing else. */
export async function isWantedAtOnce(
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
  version = document.version,
): Promise<boolean> {
  await setImmediate();
  return !token.isCancellationRequested && !document.isClosed && document.version === version;
}
