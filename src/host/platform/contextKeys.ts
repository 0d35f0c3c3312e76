import * as vscode from 'vscode';
import type { ContextKeyId } from './contributions';

const written = new Map<ContextKeyId, string | boolean>();

/** Sets a key for `when` clauses; writes of the same value again cost nothing. */
export function setContext(key: ContextKeyId, value: string | boolean): void {
  if (written.get(key) === value) return;
  written.set(key, value);
  void vscode.commands.executeCommand('setContext', key, value);
}
