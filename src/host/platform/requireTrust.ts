import * as vscode from 'vscode';
import { shown } from '../../core/safety/shownText';
import { UserProblem } from './problems';

/** @throws UserProblem in Restricted Mode */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserProblem(
    shown`This works only in trusted workspaces.`,
    shown`Trust this workspace if you know where its files come from.`,
  );
}
