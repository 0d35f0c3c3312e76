import type { JsonRange } from '../json/node';
import { causesIn, derails, type JsonProblem } from '../json/problem';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { budgets } from '../safety/budgets';
import type { WorkflowFormat } from '../workflow/format';
import type { Graph } from '../workflow/graph/graph';
import { checkGraph } from './checkGraph';
import { checkPrompt } from './checkPrompt';
import type { CheckContext } from './checkContext';
import { type CheckCode, valueCodes } from './codes';
import type { RuleFinding } from './rule';
import { withoutEffects } from './consequences';
import type { Finding } from './finding';
import { boundFindings, type FindingContext, findingsFromRules, sameFile } from './findings';
import { nonFiniteFinding } from './rules/literals';
import type { Verdict } from './verdict';
import { numberText, t } from '../safety/localize';

export interface CheckReport {
  readonly format: WorkflowFormat['kind'];
  /** In text order, the 500 most severe unless it is for a run; if there are more, a final one says how many. */
  readonly findings: readonly Finding[];
  readonly omitted: number;
  /** Absent when nothing could be predicted: no definitions, or no prompt. */
  readonly verdict?: Verdict | undefined;
  readonly checked: 'full' | 'structure';
}

/**
 * Checks a workflow file of any format. Files without a workflow have no findings. Throws only what the signal throws.
 */
export function checkWorkflow(document: WorkflowDocument, given: CheckContext = {}): CheckReport {
  // Invalid text is read as what it probably is, so that findings stay while the user types.
  const { shape, prompt, graph } = document;
  const checked = given.catalog ? 'full' : 'structure';
  if (!shape) return { format: 'none', findings: [], omitted: 0, checked };
  const format = document.format.kind;
  const context: FindingContext = { ...given, isOneLine: !document.text.trim().includes('\n') };
  const problems = causesIn(document.text, document.json.problems);
  const isJson = problems.length === 0;
  const ruleFindings = [...syntaxFindings(problems), ...wrapperFindings(shape)];
  const found = (more: readonly RuleFinding[]): Finding[] =>
    findingsFromRules([...ruleFindings, ...more], sameFile, undefined, context);
  const last = problems.at(-1);
  const own = last && derails(document.text, last) ? ownFindings(last) : (all: Finding[]) => all;
  const nodes = prompt?.nodes.length ?? (graph ? nodesIn(graph) : 0);
  const large = tooLarge(nodes, shape.node, context);
  if (large) return { format, ...boundFindings(found([large]), 0, context), checked: 'structure' };
  if (prompt) {
    const check = checkPrompt(prompt, context, isJson);
    const findings = own([
      ...found(outsideOf(document, check.ruleFindings)),
      ...findingsFromRules(check.ruleFindings, sameFile, check, context),
    ]);
    const shown = boundFindings(findings, check.omitted, context);
    return { format, ...shown, verdict: check.verdict, checked };
  }
  if (!graph) return { format, findings: [], omitted: 0, checked };
  const { ruleFindings: ofGraph, omitted, prompt: compiled } = checkGraph(graph, context, isJson);
  const ofPrompt = compiled
    ? findingsFromRules(compiled.ruleFindings, compiled.map, compiled.check, context)
    : [];
  const causes = withoutEffects(ofGraph, ofPrompt, context);
  const findings = own([...found([...outsideOf(document, []), ...causes.ofGraph]), ...causes.ofPrompt]);
  const shown = boundFindings(findings, omitted + (compiled?.check.omitted ?? 0), context);
  const verdict = compiled?.check.verdict;
  return { format, ...shown, verdict, checked };
}

const ofValues = new Set<CheckCode>([
  ...valueCodes,
  'wrapped-workflow',
  'unknown-class',
  'replaced-class',
  'file-not-on-server',
  'file-outside-workspace',
  'value-not-text',
  'off-step',
  'model-not-on-server',
]);

/**
 * If a text can't be read as meant from some place on, keeps only what doesn't follow from that: a node that lost its
 * bracket contains the next ones, and links to those lead nowhere. A value right before that place may continue there.
 */
function ownFindings({ offset }: JsonProblem): (all: Finding[]) => Finding[] {
  return (all) =>
    all.filter(
      (each) =>
        each.code === 'json-syntax' || (ofValues.has(each.code) && each.offset + each.length < offset),
    );
}

/** A check that takes seconds at every keystroke would freeze the editor. */
function tooLarge(nodes: number, { offset }: JsonRange, { isForRun }: CheckContext): RuleFinding | undefined {
  if (isForRun === true || nodes <= budgets.checkedNodes) return undefined;
  const message = t`This file has more than ${numberText(budgets.checkedNodes)} nodes, so it wasn't checked. Split it into smaller workflows.`;
  return { code: 'too-large-to-check', message, range: { offset, length: 1 } };
}

function nodesIn({ nodes, subgraphs, groups }: Graph): number {
  const inside = [...subgraphs.values(), ...groups.values()];
  return inside.reduce((count, each) => count + each.nodes.length, nodes.length);
}

/** Bare NaN and Infinity that no rule has reported: those outside the inputs of a prompt, and all of a graph. */
function outsideOf({ json, text }: WorkflowDocument, reported: readonly RuleFinding[]): RuleFinding[] {
  const bare = json.problems.filter(({ kind }) => kind === 'nonFinite');
  if (bare.length === 0) return [];
  const known = new Set(
    reported.flatMap(({ code, range }) => (code === 'non-finite-number' ? range.offset : [])),
  );
  return bare
    .filter(({ offset }) => !known.has(offset))
    .slice(0, budgets.findings)
    .map(({ offset, length }) => nonFiniteFinding({ offset, length }, text.slice(offset, offset + length)));
}

function syntaxFindings(problems: readonly JsonProblem[]): RuleFinding[] {
  return problems.map(({ message, offset, length }) => {
    return { code: 'json-syntax', message, range: { offset, length } };
  });
}

function wrapperFindings(format: WorkflowFormat): RuleFinding[] {
  if (format.kind !== 'wrapper') return [];
  const { path, node } = format;
  const where = JSON.stringify(path.join('.'));
  return [
    {
      code: 'wrapped-workflow',
      range: { offset: node.offset, length: 1 },
      message: t`The workflow is nested under ${where}, as in a request or a result. The rest of the file isn't checked.`,
      fix: { kind: 'unwrap' },
    },
  ];
}
