import * as vscode from 'vscode';
import { commands } from './host/platform/contributions';
import { registerCommand } from './host/platform/commandRegistry';
import { Log } from './host/platform/log';

export function activate(context: vscode.ExtensionContext): void {
  const log = new Log();
  context.subscriptions.push(log);
  for (const id of Object.values(commands)) {
    context.subscriptions.push(registerCommand(log, id, () => vscode.window.showInformationMessage(id)));
  }
}
