import assert from 'node:assert/strict';
import { after, afterEach, before } from 'mocha';
import * as vscode from 'vscode';
import { smallPrompt } from '../support/promptFile';
import { noLongerQuiet, quietSandbox } from '../support/quietSandbox';
import { answersInTests, eventually, writeFile, type WindowParts } from './window';

export type Nodes = Record<string, { class_type: string; inputs: Record<string, unknown> }>;

/** The small workflow with a change. */
export function workflowWith(change: (nodes: Nodes) => void): Nodes {
  const nodes = smallPrompt() as Nodes;
  change(nodes);
  return nodes;
}

export function node(nodes: Nodes, id: string): Nodes[string] {
  const found = nodes[id];
  assert.ok(found);
  return found;
}

export async function show(name: string, content: unknown): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(await writeFile(name, content));
  return vscode.window.showTextDocument(document);
}

export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

export function found(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Comfy Deck');
}

export function seen(uri: vscode.Uri, code: string): Promise<vscode.Diagnostic> {
  return eventually(`the finding ${code}`, () => found(uri).find((each) => codeOf(each) === code));
}

/** The position of a text in a document; `into` counts from its start. */
export function at(document: vscode.TextDocument, text: string, into = 0): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `${text} is not in the file`);
  return document.positionAt(offset + into);
}

export function ask<T>(command: string, ...args: readonly unknown[]): Thenable<T> {
  return vscode.commands.executeCommand<T>(command, ...args);
}

/** The hooks of a suite about workflow files in the editor, on the sandbox. @param warmUp name of a file */
export function workflowInEditor(warmUp: string) {
  let parts: WindowParts;
  const answers = answersInTests();
  before(async () => {
    parts = await quietSandbox();
    // The definitions have arrived once an unknown node type is reported.
    const { document } = await show(
      warmUp,
      workflowWith((nodes) => {
        node(nodes, '4').class_type = 'NodeThatIsNowhere';
      }),
    );
    await seen(document.uri, 'unknown-class');
  });
  after(async () => {
    await noLongerQuiet();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  return {
    get parts() {
      return parts;
    },
    answers,
  };
}
