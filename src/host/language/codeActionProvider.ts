import * as vscode from 'vscode';
import { type Action, type ActionContext, workflowActions } from '../../core/language/edits/actions';
import { type Fix, fixAll, fixesForFinding, fixRange } from '../../core/language/edits/fixes';
import { type ImageInput, imageInputs } from '../../core/language/navigation/imageInputs';
import type { TextEdit } from '../../core/json/textEdit';
import { randomSeed } from '../../core/runs/randomSeed';
import { type CheckCode, codeTitle } from '../../core/check/codes';
import type { Finding } from '../../core/check/finding';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { plainText } from '../../core/safety/plainText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { type CommandId, commands } from '../platform/contributions';
import { checkSource } from '../runs/runDiagnostics';
import { type Checks, isMissingModelFinding } from './checks';
import { isLensAwaited } from './lensFirst';
import { workspaceEdit, rangeIn } from '../platform/editorRanges';
import { isWorkedOn, type WorkflowDocuments } from './workflowDocuments';
import { t } from '../../core/safety/localize';

const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('comfyDeck');
const rewrite = vscode.CodeActionKind.RefactorRewrite;

export const codeActionKinds: vscode.CodeActionProviderMetadata = {
  providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, fixAllKind, rewrite],
};

export class CodeActionProvider implements vscode.CodeActionProvider {
  constructor(
    private readonly documents: WorkflowDocuments,
    private readonly definitions: NodeDefinitions,
    private readonly checks: Checks,
  ) {}

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    context: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): vscode.CodeAction[] | undefined {
    const asked = context.triggerKind === vscode.CodeActionTriggerKind.Invoke;
    // The light bulb looks again when there are diagnostics.
    if (!asked && isLensAwaited(document)) return undefined;
    const workflow = isWorkedOn(document) ? this.documents.of(document) : undefined;
    if (!workflow || token.isCancellationRequested) return undefined;
    const wants = (kind: vscode.CodeActionKind): boolean => !context.only || context.only.intersects(kind);
    return [
      ...(wants(vscode.CodeActionKind.QuickFix)
        ? this.#quickFixes(document, workflow, range, context.diagnostics)
        : []),
      ...(context.only?.intersects(fixAllKind) || asked ? this.#fixAll(document, workflow) : []),
      ...(asked && wants(rewrite) ? this.#changes(document, workflow, range) : []),
    ];
  }

  #quickFixes(
    document: vscode.TextDocument,
    workflow: WorkflowDocument,
    range: vscode.Range,
    diagnostics: readonly vscode.Diagnostic[],
  ): vscode.CodeAction[] {
    const here = this.checks
      .findings(document)
      .filter((each) => rangeIn(document, fixRange(workflow, each)).intersection(range) !== undefined);
    const made = here.flatMap((finding) => {
      const diagnostic = diagnostics.find((each) => isOf(document, each, finding));
      const own = fixesForFinding(workflow, finding, this.definitions.rules)
        .filter(({ edits }) => keepsComments(document, workflow, edits))
        .map((fix) => fixAction(document, fix));
      // The registry feature offers the pack.
      return [...own, ...otherAnswers(document, finding)].map((action) => {
        if (diagnostic) action.diagnostics = [diagnostic];
        return action;
      });
    });
    const models = here.some(isMissingModelFinding)
      ? [commandAction(t`Find Missing Models…`, commands.missingModels, [document.uri])]
      : [];
    const codes = [...new Set(here.map(({ code }) => code))];
    return [...made, ...models, ...codes.map(suppression)];
  }

  #fixAll(document: vscode.TextDocument, workflow: WorkflowDocument): vscode.CodeAction[] {
    const { checks, definitions } = this;
    const edits = fixAll(workflow, checks.findings(document), definitions.rules);
    if (edits.length === 0 || !keepsComments(document, workflow, edits)) return [];
    const action = new vscode.CodeAction(t`Fix All Auto-Fixable Comfy Deck Problems`, fixAllKind);
    action.edit = workspaceEdit(document, edits);
    return [action];
  }

  #changes(
    document: vscode.TextDocument,
    workflow: WorkflowDocument,
    range: vscode.Range,
  ): vscode.CodeAction[] {
    const context: ActionContext = { catalog: this.definitions.rules.catalog, randomSeed };
    const offset = document.offsetAt(range.start);
    return [
      ...workflowActions(workflow, offset, context)
        .filter(({ edits }) => keepsComments(document, workflow, edits))
        .map((each) => changeAction(document, each)),
      ...maskUploads(document, imageInputs(workflow, context.catalog), offset),
    ];
  }
}

/** Comments are blanks in the text that was parsed: an edit there would erase them, or what makes them comments. */
function keepsComments(
  document: vscode.TextDocument,
  { text }: WorkflowDocument,
  edits: readonly TextEdit[],
): boolean {
  const whole = document.getText();
  return edits.every(({ offset, length }) => whole.startsWith(text.slice(offset, offset + length), offset));
}

function maskUploads(
  document: vscode.TextDocument,
  inputs: readonly ImageInput[],
  at: number,
): vscode.CodeAction[] {
  const input = inputs.find(({ offset, length }) => at >= offset - 1 && at <= offset + length + 1);
  if (!input) return [];
  return [commandAction(t`Upload Mask…`, commands.uploadMask, [document.uri, input.offset], rewrite)];
}

function isOf(document: vscode.TextDocument, diagnostic: vscode.Diagnostic, finding: Finding): boolean {
  const { code, source, range } = diagnostic;
  const value = typeof code === 'object' ? code.value : code;
  return source === checkSource && value === finding.code && range.isEqual(rangeIn(document, finding));
}

function fixAction(document: vscode.TextDocument, fix: Fix): vscode.CodeAction {
  const { title, edits, preferred } = fix;
  const action = new vscode.CodeAction(plainText(title), vscode.CodeActionKind.QuickFix);
  action.edit = workspaceEdit(document, edits);
  action.isPreferred = preferred;
  return action;
}

function otherAnswers(document: vscode.TextDocument, finding: Finding): vscode.CodeAction[] {
  if (finding.code === 'unknown-class') return missingClass(finding);
  const title = otherTitle(finding);
  if (title === undefined) return [];
  return [commandAction(title, commands.chooseFile, [document.uri, finding.offset])];
}

function otherTitle({ fix }: Finding): string | undefined {
  const isChoice = fix?.kind === 'chooseFile' || (fix?.kind === 'replaceText' && fix.choices);
  return isChoice ? t`Select Another…` : undefined;
}

/** One node type may be on the server by now; if many are missing, another server helps. */
function missingClass({ fix }: Finding): vscode.CodeAction[] {
  if (fix?.kind !== 'findPack') return [commandAction(t`Select Another Server`, commands.selectServer)];
  const title = t`Check for ${fix.classType} on the Server Again`;
  return [commandAction(title, commands.refreshDefinitions, [fix.classType])];
}

function suppression(code: CheckCode): vscode.CodeAction {
  return commandAction(t`Ignore “${codeTitle(code)}” in This Workspace`, commands.suppressCheck, [code]);
}

function changeAction(document: vscode.TextDocument, { name, title, edits }: Action): vscode.CodeAction {
  if (name === 'convertToApi') return commandAction(title, commands.convertToApi, [document.uri], rewrite);
  const action = new vscode.CodeAction(plainText(title), rewrite);
  action.edit = workspaceEdit(document, edits);
  return action;
}

function commandAction(
  words: string,
  command: CommandId,
  args: unknown[] = [],
  kind = vscode.CodeActionKind.QuickFix,
): vscode.CodeAction {
  const title = plainText(words);
  const action = new vscode.CodeAction(title, kind);
  action.command = { title, command, arguments: args };
  return action;
}
