import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { Severity } from '../../core/check/codes';
import type { Finding } from '../../core/check/finding';
import type { RunRefusal } from '../../core/runs/runRefusal';
import { shown } from '../../core/safety/shownText';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import type { PromptPlaces } from '../../core/workflow/promptPlaces';
import { readSource } from '../platform/workflowSource';
import { shownDiagnostic as mark } from '../platform/showItems';
import { Owner } from '../platform/feature';

/** The source shown in the Problems panel. */
export const checkSource = 'Comfy Deck';

/** Shows refusals and failures of a run at their places, until the file changes, closes or runs again. */
export class RunDiagnostics extends Owner {
  readonly #collection = vscode.languages.createDiagnosticCollection('comfyDeck.run');
  readonly #sent = new Map<string, { readonly text: string; readonly places: PromptPlaces }>();

  constructor() {
    super();
    this.own(
      this.#collection,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document.uri);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.clear(uri)),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.clear(uri))),
    );
  }

  clear(uri: vscode.Uri): void {
    this.#collection.delete(uri);
  }

  /** Remembers the text of a job, so that its nodes are found where they were. */
  remember(jobId: string, text: string, places: PromptPlaces): void {
    this.#sent.set(jobId, { text, places });
  }

  /** Shows where a job failed, and forgets its text. */
  async ended(job: Job): Promise<void> {
    try {
      if (job.state === 'failed') await this.#showFailure(job);
    } finally {
      this.#sent.delete(job.id);
    }
  }

  async showRefusal(uri: vscode.Uri, text: string, refusal: RunRefusal): Promise<void> {
    const { offset = 0, length = 1, message, nextAction } = refusal;
    const whole: RunMark = { message: `${message} ${nextAction}`, code: refusal.reason, offset, length };
    await this.show(uri, text, refusal.findings.length > 0 ? refusal.findings : [whole]);
  }

  /** If the file has another text by now, its nodes with the same IDs are marked. */
  async show(uri: vscode.Uri, text: string, marks: readonly RunMark[]): Promise<void> {
    if (marks.length === 0) return;
    const [{ nodeRange }, { rangeAt }] = await Promise.all([
      import('./nodeRange'),
      import('../platform/editorRanges'),
    ]);
    const current = await workflowAt(uri);
    if (!current) return;
    const isSame = current.text === text;
    const diagnostics = marks.flatMap((each) => {
      const { nodeId, code } = each;
      const range = isSame ? rangeAt(current.positions, each) : nodeId && nodeRange(current, nodeId);
      return range && !(isSame && isChecked(uri, code, range)) ? [diagnosticOf(range, each)] : [];
    });
    this.#collection.set(uri, diagnostics);
  }

  /** The node at which a job failed, in its file, unless the file changed there. */
  async #showFailure(job: Job): Promise<void> {
    const { failure, origin } = job;
    if (!failure || origin?.sourceUri === undefined) return;
    const uri = vscode.Uri.parse(origin.sourceUri);
    const current = await workflowAt(uri);
    if (!current) return;
    const { nodeRange } = await import('./nodeRange');
    const { failureFindings, lateFindings, unknownPlaces } = await import('../../core/runs/serverFindings');
    const sent = this.#sent.get(job.id);
    if (sent?.text === current.text) {
      await this.show(uri, current.text, failureFindings(failure, sent.places));
      return;
    }
    const late = lateFindings(failure);
    const findings = late.length > 0 ? late : failureFindings(failure, unknownPlaces);
    const nodeType = late.length > 0 ? undefined : failure.nodeType;
    const diagnostics = findings.flatMap((each) => {
      const range = each.nodeId === undefined ? undefined : nodeRange(current, each.nodeId, nodeType);
      return range ? [diagnosticOf(range, each)] : [];
    });
    if (diagnostics.length > 0) this.#collection.set(uri, diagnostics);
  }
}

/** The problems of a file as VS Code counts them: its errors and warnings, whoever reports them. */
export function countedProblems(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
}

type RunMark = Pick<Finding, 'message' | 'offset' | 'length' | 'nodeId'> & {
  readonly code: string;
  readonly severity?: Severity;
};

/**
 * The check already reports the same. It reports missing node types at all places, or in one line for the sandbox.
 */
function isChecked(uri: vscode.Uri, code: string, range: vscode.Range): boolean {
  return vscode.languages.getDiagnostics(uri).some((known) => {
    if (known.source !== checkSource || typeof known.code !== 'object' || known.code.value !== code)
      return false;
    return code === 'unknown-class' || known.range.isEqual(range);
  });
}

/** The workflow of a file as the user sees it now; undefined if it is gone. */
async function workflowAt(uri: vscode.Uri): Promise<WorkflowDocument | undefined> {
  const source = await readSource(uri).catch(() => undefined);
  return source?.workflow;
}

function diagnosticOf(range: vscode.Range, { message, code, severity }: RunMark): vscode.Diagnostic {
  const isWarning = severity === 'warning';
  const diagnostic = mark(
    range,
    shown`${message}`,
    isWarning ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Error,
  );
  diagnostic.source = checkSource;
  diagnostic.code = code;
  return diagnostic;
}
