import * as vscode from 'vscode';
import type { CommandId } from './contributions';
import type { Log } from './log';
import { tellProblem } from './problems';

/** A failure becomes a notification. Menus, keybindings and other extensions may pass any arguments. */
export function registerCommand(
  log: Log,
  id: CommandId,
  handler: (...args: readonly unknown[]) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
    try {
      return await handler(...args);
    } catch (error) {
      tellProblem(error, log);
      return undefined;
    }
  });
}
