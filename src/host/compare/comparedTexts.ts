import * as vscode from 'vscode';
import { documentScheme } from '../platform/contributions';
import { Owner } from '../platform/feature';

const authority = 'compared';

/** The compared texts as read-only documents that live as long as they are open: versions of files, normal forms. */
export class ComparedTexts extends Owner implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #count = 0;

  constructor() {
    super();
    this.own(
      vscode.workspace.registerTextDocumentContentProvider(documentScheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
    );
  }

  /** A document that has this text until it is closed. @param before its address when it was shown before */
  show(before: vscode.Uri | undefined, name: string, text: string): vscode.Uri {
    const query = String(++this.#count);
    const uri = before ?? vscode.Uri.from({ scheme: documentScheme, authority, path: `/${name}`, query });
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }
}
