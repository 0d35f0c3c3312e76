import type { JsonRange } from '../json/node';
import { isTolerated } from '../json/problem';
import type { JsonDocument } from '../json/tree';
import { budgets } from '../safety/budgets';
import { detectFormat, type WorkflowFormat } from '../workflow/format';
import { type Graph, readGraph } from '../workflow/graph/graph';
import { readPrompt } from '../workflow/prompt';
import { checkGraph } from './checkGraph';
import { checkPrompt } from './checkPrompt';
import type { CheckContext } from './checkContext';
import type { RuleFinding } from './ruleFinding';
import type { Finding } from './finding';
import { bounded, type FindingContext, findingsOf, sameFile } from './findings';
import type { Verdict } from './verdict';

export interface CheckReport {
  readonly format: WorkflowFormat['kind'];
  /** In the order of the text, the gravest 500 unless it is for a run; where there are more, a last one says how many. */
  readonly findings: readonly Finding[];
  /** How many findings were left out. */
  readonly omitted: number;
  /** Absent where nothing could be predicted: no definitions, or no prompt. */
  readonly verdict?: Verdict;
  readonly checked: 'full' | 'structure';
}

/**
 * Checks a workflow file of any format. Files that hold no workflow have no findings. Never throws, but for what the
 * signal throws.
 */
export function checkWorkflow(document: JsonDocument, given: CheckContext = {}): CheckReport {
  const context: FindingContext = { ...given, isOneLine: !document.text.trim().includes('\n') };
  const detected = detectFormat(document);
  const { kind } = detected;
  // What a broken text would be: findings stay while a person types.
  const format = detected.kind === 'none' ? detected.almost : detected;
  const checked = context.catalog ? 'full' : 'structure';
  if (!format || format.kind === 'objectInfo') return { format: kind, findings: [], omitted: 0, checked };
  const syntax = syntaxFindings(document);
  const isJson = syntax.length === 0;
  const ruleFindings = [...syntax, ...wrapperFindings(format)];
  const isApi = format.kind === 'api' || (format.kind === 'wrapper' && format.inner === 'api');
  const found = (more: readonly RuleFinding[]): Finding[] =>
    findingsOf([...ruleFindings, ...more], sameFile, undefined, context);
  if (isApi) {
    const read = readPrompt(document, format.node);
    const large = tooLarge(read.nodes.length, format.node, context);
    if (large) return { format: kind, ...bounded(found([large]), 0, context), checked: 'structure' };
    const check = checkPrompt(read, context, isJson);
    const findings = [...found([]), ...findingsOf(check.ruleFindings, sameFile, check, context)];
    const shown = bounded(findings, check.omitted, context);
    return { format: kind, ...shown, ...(check.verdict && { verdict: check.verdict }), checked };
  }
  const graph = context.graph ?? readGraph(document, format.node);
  const large = tooLarge(nodesIn(graph), format.node, context);
  if (large) return { format: kind, ...bounded(found([large]), 0, context), checked: 'structure' };
  const { ruleFindings: own, omitted, prompt } = checkGraph(graph, context, isJson);
  const findings = [
    ...found(own),
    ...(prompt ? findingsOf(prompt.ruleFindings, prompt.map, prompt.check, context) : []),
  ];
  const shown = bounded(findings, omitted + (prompt?.check.omitted ?? 0), context);
  const verdict = prompt?.check.verdict;
  return { format: kind, ...shown, ...(verdict && { verdict }), checked };
}

/** A check that takes seconds at every keystroke is none: the editor would stand still. */
function tooLarge(nodes: number, { offset }: JsonRange, { isForRun }: CheckContext): RuleFinding | undefined {
  if (isForRun === true || nodes <= budgets.checkedNodes) return undefined;
  const message = `This file has more than ${budgets.checkedNodes.toLocaleString('en')} nodes, so it was not checked. Split it into smaller workflows.`;
  return { code: 'too-large-to-check', message, range: { offset, length: 1 } };
}

function nodesIn({ nodes, subgraphs, groups }: Graph): number {
  const inside = [...subgraphs.values(), ...groups.values()];
  return inside.reduce((count, each) => count + each.nodes.length, nodes.length);
}

function syntaxFindings({ problems }: JsonDocument): RuleFinding[] {
  return problems
    .filter((problem) => !isTolerated(problem))
    .map(({ message, offset, length }) => ({ code: 'json-syntax', message, range: { offset, length } }));
}

function wrapperFindings(format: WorkflowFormat): RuleFinding[] {
  if (format.kind !== 'wrapper') return [];
  const { path, node } = format;
  const where = path.map((key) => JSON.stringify(key)).join(' in ');
  return [
    {
      code: 'wrapped-workflow',
      range: { offset: node.offset, length: 1 },
      message: `The workflow is nested under ${where}, as in a request or a result. The rest of the file is not checked.`,
      fix: { kind: 'unwrap', path },
    },
  ];
}
