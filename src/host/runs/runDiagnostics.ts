import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { PromptPlaces } from '../../core/runs/promptPlaces';
import type { RunProblem, RunRefusal } from '../../core/runs/runRefusal';
import { shown } from '../../core/safety/shownText';
import { readSource, type WorkflowSource } from './workflowSource';
import { diagnostic as mark } from '../platform/showItems';

/** Who says it, in the list of problems. */
export const checkSource = 'Comfy Deck';

/**
 * What came of a run, shown at its place in the file: refusals of the check and of the server, and the node at which
 * a job failed. Gone when the file changes, closes or is run again: the places would no longer be true.
 */
export class RunDiagnostics implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('comfyDeck.run');
  readonly #subscriptions: vscode.Disposable[];
  /** The texts of this window's jobs that live, with the places of their nodes. */
  readonly #sent = new Map<string, SentText>();

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

  /** A text is under way as this job: should it fail, its nodes are found where they stood. */
  remember(jobId: string, { text }: TextOfFile, { places }: { readonly places: PromptPlaces }): void {
    this.#sent.set(jobId, { text, places });
  }

  forget(jobId: string): void {
    this.#sent.delete(jobId);
  }

  /** A text that was not sent. */
  async showRefusal({ uri, text }: TextOfFile, refusal: RunRefusal): Promise<void> {
    const whole: RunProblem = {
      nodeId: '',
      offset: refusal.offset ?? 0,
      length: refusal.length ?? 1,
      message: `${refusal.message} ${refusal.nextAction}`,
      type: refusal.reason,
    };
    const problems = refusal.places.length > 0 ? refusal.places : [whole];
    await this.showProblems({ uri, text }, problems, vscode.DiagnosticSeverity.Error);
  }

  /**
   * What the server or the check says about nodes of the text that was run. When the file holds another text, as
   * after running an old job again, its nodes of the same ids are marked.
   */
  async showProblems(
    { uri, text }: TextOfFile,
    problems: readonly RunProblem[],
    severity: vscode.DiagnosticSeverity,
  ): Promise<void> {
    if (problems.length === 0) return;
    const { nodeRange, rangeAt } = await import('./nodePlace');
    const current = await textOf(uri);
    if (current === undefined) return;
    const diagnostics = problems.flatMap(({ nodeId, offset, length, message, type }) => {
      // Of missing node types the check has told all, on the sandbox in one line.
      if (type === 'missing_node_type' && current === text && isChecked(uri, 'unknown-class')) return [];
      const range = current === text ? rangeAt(text, offset, length) : nodeRange(current, nodeId);
      return range && !isMarked(uri, range) ? [diagnosticOf(range, message, type, severity)] : [];
    });
    this.#collection.set(uri, diagnostics);
  }

  /** The node at which a job failed, in the file it came from, unless the file has changed there. */
  async showFailure(job: Job): Promise<void> {
    const { failure, origin } = job;
    if (!failure || origin?.sourceUri === undefined) return;
    const uri = vscode.Uri.parse(origin.sourceUri);
    const text = await textOf(uri);
    if (text === undefined) return;
    const { nodeRange, rangeAt } = await import('./nodePlace');
    const sent = this.#sent.get(job.id);
    if (sent?.text === text) {
      const { placeFailure } = await import('../../core/runs/placeFailure');
      const diagnostics = placeFailure(sent, failure).map(({ offset, length, message, type }) =>
        diagnosticOf(rangeAt(text, offset, length), message, type, vscode.DiagnosticSeverity.Error),
      );
      this.#collection.set(uri, diagnostics);
      return;
    }
    const { lateComplaints } = await import('../../core/runs/placeFailure');
    const late = lateComplaints(failure);
    if (late.length > 0) {
      const marks = late.flatMap(({ nodeId, message, type }) => {
        const range = nodeRange(text, nodeId);
        return range ? [diagnosticOf(range, message, type, vscode.DiagnosticSeverity.Error)] : [];
      });
      this.#collection.set(uri, marks);
      return;
    }
    if (failure.nodeId === undefined) return;
    const range = nodeRange(text, failure.nodeId, failure.nodeType);
    if (!range) return;
    const message = `${failure.exceptionType}: ${failure.message}`;
    this.#collection.set(uri, [diagnosticOf(range, message, 'execution', vscode.DiagnosticSeverity.Error)]);
  }

  dispose(): void {
    this.#collection.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** What was run, and where its nodes stand in it. */
interface SentText {
  readonly text: string;
  readonly places: PromptPlaces;
}

/** The check has marked an error there already: one line in the list of problems is enough. */
function isMarked(uri: vscode.Uri, range: vscode.Range): boolean {
  return checkErrors(uri).some((known) => known.range.isEqual(range));
}

function isChecked(uri: vscode.Uri, code: string): boolean {
  return checkErrors(uri).some((known) => typeof known.code === 'object' && known.code.value === code);
}

function checkErrors(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source, code, severity }) => {
    const isCheck = source === checkSource && typeof code === 'object';
    return isCheck && severity === vscode.DiagnosticSeverity.Error;
  });
}

/** A file and the text of it that was run. */
type TextOfFile = Pick<WorkflowSource, 'uri' | 'text'>;

/** The text of a file as the user sees it now; undefined when it is gone. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (await readSource(uri)).text;
  } catch {
    return undefined;
  }
}

function diagnosticOf(
  range: vscode.Range,
  message: string,
  code: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const diagnostic = mark(range, shown`${message}`, severity);
  diagnostic.source = checkSource;
  diagnostic.code = code;
  return diagnostic;
}
