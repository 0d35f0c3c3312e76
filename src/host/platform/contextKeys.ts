import * as vscode from 'vscode';
import type { ContextKeyId } from './contributions';

const written = new Map<ContextKeyId, string | boolean>();

/** Sets a key for `when` clauses; setting the same value again costs nothing. */
export function setContext(key: ContextKeyId, value: string | boolean): void {
  if (written.get(key) === value) return;
  written.set(key, value);
  void vscode.commands.executeCommand('setContext', key, value);
}
