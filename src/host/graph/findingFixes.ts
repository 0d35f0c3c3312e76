import * as vscode from 'vscode';
import { plainText } from '../../core/safety/plainText';
import { shown } from '../../core/safety/shownText';
import type { GraphFinding, NodeProblems, GraphSeverity } from '../../webview/contract/graphPanel';
import { applyChange } from '../platform/editorRanges';
import { UserProblem } from '../platform/problems';

/** A diagnostic as the page shows it. */
export interface FoundFinding {
  readonly finding: GraphFinding;
  readonly range: vscode.Range;
}

/** In the order of VS Code's levels. Hints aren't findings. */
const severities: readonly GraphSeverity[] = ['error', 'warning', 'information'];

/** The findings of a document, worst first. @param nodesAt those that an offset belongs to */
export function documentFindings(
  document: vscode.TextDocument,
  nodesAt: (offset: number) => readonly string[],
): FoundFinding[] {
  const found = vscode.languages.getDiagnostics(document.uri);
  return found
    .toSorted((a, b) => a.severity - b.severity)
    .flatMap(({ severity: level, range, message: text }) => {
      const severity = severities[level];
      const nodes = severity ? nodesAt(document.offsetAt(range.start)) : [];
      return nodes.flatMap((node) => (severity ? { finding: { node, severity, text }, range } : []));
    });
}

type Answer = vscode.CodeAction | vscode.Command;

/** A popover has room for so many; all of them are in the text. */
const [mostProblems, mostFixes] = [20, 100] as const;

/** The quick fixes that VS Code's light bulb offers for the findings of a node. */
export class FindingFixes {
  #offered: Answer[] = [];
  #version = NaN;

  constructor(private readonly document: vscode.TextDocument) {}

  /** Findings with the same fixes come together. */
  async find(found: readonly FoundFinding[]): Promise<NodeProblems[]> {
    // Set before anything is awaited: the answer that the page waits for may be ready before an earlier one.
    const offered: Answer[] = (this.#offered = []);
    this.#version = this.document.version;
    const problems = new Map<string, NodeProblems>();
    for (const { finding, range } of found.slice(0, mostProblems)) {
      const answers = await this.#answersFor(range);
      const key = answers.length === 0 ? range : answers.map(meaningOf);
      const known = problems.get(JSON.stringify(key));
      const fixes =
        known?.fixes ??
        answers.map(({ title }, at) => ({ id: offered.length + at, title: plainText(title) }));
      if (!known) offered.push(...answers);
      problems.set(JSON.stringify(key), { findings: [...(known?.findings ?? []), finding], fixes });
    }
    return [...problems.values()];
  }

  async apply(id: number): Promise<void> {
    const answer = this.#offered[id];
    if (!answer) return;
    if (this.document.version !== this.#version) {
      throw new UserProblem(
        shown`The workflow has changed, so the edit wasn't applied.`,
        shown`Select the problem again in the graph.`,
      );
    }
    const edit = editOf(answer);
    if (edit) await applyChange(edit, this.document.uri);
    const command = commandOf(answer);
    if (command)
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
  }

  async #answersFor(range: vscode.Range): Promise<Answer[]> {
    const answers = await vscode.commands.executeCommand<Answer[] | undefined>(
      'vscode.executeCodeActionProvider',
      this.document.uri,
      range,
      vscode.CodeActionKind.QuickFix.value,
    );
    return (answers ?? []).filter((each) => each.command !== undefined || editOf(each)).slice(0, mostFixes);
  }
}

/** A command has none. */
function editOf(answer: Answer): vscode.WorkspaceEdit | undefined {
  return (answer as Partial<vscode.CodeAction>).edit;
}

function commandOf(answer: Answer): vscode.Command | undefined {
  return typeof answer.command === 'string' ? (answer as vscode.Command) : answer.command;
}

function meaningOf(answer: Answer): unknown {
  return [answer.title, editOf(answer)?.entries(), commandOf(answer)?.command];
}
