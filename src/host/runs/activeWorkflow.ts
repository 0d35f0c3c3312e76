import * as vscode from 'vscode';
import { looksLikeGraph } from '../../core/workflow/format';
import { contextKeys } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { Feature } from '../platform/feature';
import { isWorkflowDocument } from '../platform/workflowSource';

/** How long typing must pause before the text is looked at again (ms). */
const rest = 300;

/** Sets the context key that shows the run buttons: is the active editor a workflow file? */
export class ActiveWorkflow implements Feature {
  readonly #onSeen: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param onSeen called whenever a workflow is active */
  constructor(onSeen: () => void) {
    this.#onSeen = onSeen;
  }

  register(context: vscode.ExtensionContext): void {
    context.subscriptions.push(
      vscode.window.onDidChangeActiveTextEditor(() => this.#look()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) this.#lookSoon();
      }),
      vscode.workspace.onDidOpenTextDocument((document) => {
        // The language of an open document was changed.
        if (document === vscode.window.activeTextEditor?.document) this.#look();
      }),
      { dispose: () => clearTimeout(this.#timer) },
    );
    this.#look();
  }

  #lookSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), rest);
  }

  #look(): void {
    clearTimeout(this.#timer);
    const document = vscode.window.activeTextEditor?.document;
    const isWorkflow = document !== undefined && isWorkflowDocument(document);
    setContext(contextKeys.activeIsWorkflow, isWorkflow);
    setContext(contextKeys.activeIsGraph, isWorkflow && looksLikeGraph(document.getText()));
    if (isWorkflow) this.#onSeen();
  }
}
