import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { RunProblem, RunRefusal } from '../../core/runs/runRefusal';
import type { WorkflowSource } from './workflowSource';

const source = 'Comfy Deck';

/**
 * What came of a run, shown at its place in the file: refusals of the check and of the server, and the node at which
 * a job failed. Gone when the file changes, closes or is run again: the places would no longer be true.
 */
export class RunDiagnostics implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('comfyDeck.run');
  readonly #subscriptions: vscode.Disposable[];

  constructor() {
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document.uri);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.clear(uri)),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.clear(uri))),
    ];
  }

  clear(uri: vscode.Uri): void {
    this.#collection.delete(uri);
  }

  /** A text that was not sent. */
  async showRefusal({ uri, text }: WorkflowSource, refusal: RunRefusal): Promise<void> {
    const { rangeAt } = await import('./nodePlace');
    const whole: RunProblem = {
      nodeId: '',
      offset: refusal.offset ?? 0,
      length: refusal.length ?? 1,
      message: `${refusal.message} ${refusal.nextAction}`,
      type: refusal.reason,
    };
    const places = refusal.places ?? [];
    this.#set(uri, places.length > 0 ? places : [whole], text, rangeAt, vscode.DiagnosticSeverity.Error);
  }

  /** What the server or the check says about nodes of the text. */
  async showProblems(
    { uri, text }: WorkflowSource,
    problems: readonly RunProblem[],
    severity: vscode.DiagnosticSeverity,
  ): Promise<void> {
    const { rangeAt } = await import('./nodePlace');
    this.#set(uri, problems, text, rangeAt, severity);
  }

  /** The node at which a job failed, in the file it came from, unless the file has changed there. */
  async showFailure(job: Job): Promise<void> {
    const { failure, origin } = job;
    if (failure?.nodeId === undefined || origin?.sourceUri === undefined) return;
    const uri = vscode.Uri.parse(origin.sourceUri);
    const { readSource } = await import('./workflowSource');
    const { nodeRange } = await import('./nodePlace');
    const { text } = await readSource(uri);
    const range = nodeRange(text, failure.nodeId, failure.nodeType);
    if (!range) return;
    const message = `${failure.exceptionType}: ${failure.message}`;
    this.#collection.set(uri, [diagnosticOf(range, message, 'execution', vscode.DiagnosticSeverity.Error)]);
  }

  dispose(): void {
    this.#collection.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #set(
    uri: vscode.Uri,
    problems: readonly RunProblem[],
    text: string,
    rangeAt: (text: string, offset: number, length: number) => vscode.Range,
    severity: vscode.DiagnosticSeverity,
  ): void {
    this.#collection.set(
      uri,
      problems.map(({ offset, length, message, type }) =>
        diagnosticOf(rangeAt(text, offset, length), message, type, severity),
      ),
    );
  }
}

function diagnosticOf(
  range: vscode.Range,
  message: string,
  code: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = source;
  diagnostic.code = code;
  return diagnostic;
}
