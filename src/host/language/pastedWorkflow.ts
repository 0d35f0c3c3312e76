import * as vscode from 'vscode';
import { shown } from '../../core/safety/shownText';
import { looksLikeWorkflow } from '../../core/workflow/format';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { showInformation } from '../platform/show';
import { Timers } from '../platform/timers';

/** VS Code's own language detection goes first (ms). */
const rest = 1_000;

const switchToJson = { label: shown`Switch to JSON` };

/** A workflow pasted into a new file is plain text, so nothing checks or runs it until it is JSON. */
export class PastedWorkflow implements Feature {
  readonly #timers = new Timers<vscode.TextDocument>();
  readonly #offered = new WeakSet<vscode.TextDocument>();

  constructor(private readonly log: Log) {}

  register(context: vscode.ExtensionContext): void {
    context.subscriptions.push(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#lookSoon(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#timers.stop(document)),
      this.#timers,
    );
  }

  #lookSoon(document: vscode.TextDocument): void {
    if (!isPlain(document) || this.#offered.has(document)) return;
    this.#timers.start(document, rest, () => {
      this.#look(document).catch((error: unknown) => this.log.error('Offering the JSON mode', error));
    });
  }

  async #look(document: vscode.TextDocument): Promise<void> {
    const text = document.getText();
    if (!isPlain(document) || !looksLikeWorkflow(text)) return;
    const { workflowIn } = await import('../platform/readWorkflow');
    if (!workflowIn(document).isWorkflow || this.#offered.has(document)) return;
    this.#offered.add(document);
    const chosen = await showInformation(
      shown`This looks like a ComfyUI workflow. Switch to JSON to check and run it.`,
      switchToJson,
    );
    if (chosen && isPlain(document)) await vscode.languages.setTextDocumentLanguage(document, 'json');
  }
}

function isPlain({ isUntitled, isClosed, languageId }: vscode.TextDocument): boolean {
  return isUntitled && !isClosed && languageId === 'plaintext';
}
