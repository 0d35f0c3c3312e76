import * as vscode from 'vscode';
import type { CommandId } from './contributions';
import type { Log } from './log';
import { tellProblem } from './problems';

/**
 * Registers a command whose failure becomes one notification with the next step. Arguments come from menus, keybindings
 * and other extensions, so handlers take them as unknown and validate them.
 */
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
