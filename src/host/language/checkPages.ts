import * as vscode from 'vscode';
import type { CheckCode } from '../../core/check/codes';

/** The documentation page in the extension, opened at the section of a code. */
export class CheckPages {
  readonly #page: vscode.Uri;
  #lines: ReadonlyMap<string, number> = new Map();

  constructor(extensionUri: vscode.Uri) {
    this.#page = vscode.Uri.joinPath(extensionUri, 'docs', 'checks.md');
  }

  async load(): Promise<void> {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#page));
    const headings = text.split(/\r?\n/).map((line) => /^#+\s+`?([\w-]+)`?\s*$/.exec(line)?.[1]);
    this.#lines = new Map(headings.flatMap((heading, line) => (heading ? [[heading, line + 1]] : [])));
  }

  addressOf(code: CheckCode): vscode.Uri {
    const line = this.#lines.get(code);
    return line === undefined ? this.#page : this.#page.with({ fragment: `L${line}` });
  }
}
