import * as vscode from 'vscode';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { documentScheme } from '../platform/contributions';
import { workflowIn } from '../platform/readWorkflow';
import { Owner } from '../platform/feature';

/** Documents that show a file but are not edited: they can be navigated but are not checked. */
const readOnlySchemes = new Set([documentScheme, 'git', 'vscode-scm', 'vscode-local-history', 'output']);

/** The open workflow files. For other JSON files, only the head is read. */
export class WorkflowDocuments extends Owner {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeSet = this.#changed.event;
  readonly #workflows = new Set<string>();

  constructor() {
    super();
    this.own(
      this.#changed,
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (this.#workflows.delete(document.uri.toString())) this.#changed.fire();
      }),
    );
  }

  of(document: vscode.TextDocument): WorkflowDocument | undefined {
    if (document.languageId !== 'json' && document.languageId !== 'jsonc') return undefined;
    const key = document.uri.toString();
    const workflow = workflowIn(document);
    this.#note(key, workflow.isWorkflow && !document.isClosed);
    return workflow.isWorkflow ? workflow : undefined;
  }

  filters(): vscode.DocumentFilter[] {
    return [...this.#workflows].map((key) => {
      const uri = vscode.Uri.parse(key);
      return { scheme: uri.scheme, pattern: uri.fsPath };
    });
  }

  #note(key: string, isWorkflow: boolean): void {
    if (isWorkflow === this.#workflows.has(key)) return;
    if (isWorkflow) this.#workflows.add(key);
    else this.#workflows.delete(key);
    // This must not delay a request that the editor waits for.
    setTimeout(() => this.#changed.fire(), 0);
  }
}

export function isWorkedOn({ uri }: vscode.TextDocument): boolean {
  return !readOnlySchemes.has(uri.scheme);
}
