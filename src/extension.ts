import './host/platform/displayLanguage';
import * as vscode from 'vscode';
import { Window } from './host/window';

let window: Window | undefined;

/** Hooks everything up and returns: no file is read, no server asked, before somebody uses something. */
export function activate(context: vscode.ExtensionContext): Window | undefined {
  window = new Window(context);
  for (const feature of window.features()) feature.register(context);
  // Tests look at the parts; nobody else may.
  return context.extensionMode === vscode.ExtensionMode.Test ? window : undefined;
}

export async function deactivate(): Promise<void> {
  await window?.close();
}
