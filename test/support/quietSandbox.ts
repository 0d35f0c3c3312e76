import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settings } from '../../src/host/platform/contributions';
import { Answers, notify, useSandbox, type WindowParts } from '../host/window';

/** Selects the sandbox and dismisses whatever that asks. */
export async function sandboxUnasked(): Promise<WindowParts> {
  const answers = new Answers().begin();
  const parts = await useSandbox();
  answers.restore();
  return parts;
}

/** The same for a suite that runs workflows: no notification when one ends, no preview when one starts. */
export async function quietSandbox(): Promise<WindowParts> {
  const parts = await sandboxUnasked();
  await notify('never');
  await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, false, true);
  return parts;
}

export async function noLongerQuiet(): Promise<void> {
  await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, undefined, true);
  await notify(undefined);
}

export function workspacePath(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'the test run has no workspace');
  return folder.uri.fsPath;
}
