import { checkWorkflow, type CheckReport } from '../check/checkWorkflow';
import type { CheckContext } from '../check/checkContext';
import type { CheckCode } from '../check/codes';
import type { RuleFinding } from '../check/rule';
import type { Finding } from '../check/finding';
import { stopsServer } from '../check/stopsServer';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { endSentence } from '../safety/endSentence';
import { budgets } from '../safety/budgets';
import { createRunRefusal, type RunRefusal } from './runRefusal';
import type { WorkflowPrompt } from './workflowPrompt';
import { sentencesText, t } from '../safety/localize';
import { typeRange } from '../workflow/promptPlaces';

/** The refusal says why the workflow is not sent; `invalid` may be overruled. Of the findings, errors come first. */
type RunVerdict = { readonly refusal?: RunRefusal } & Pick<RunRefusal, 'findings'>;

interface RunContext extends Pick<CheckContext, 'catalog' | 'replacements' | 'serverVersion' | 'targets'> {
  readonly force?: boolean | undefined;
  readonly allowLoss?: boolean | undefined;
}

/** Problems for which every server rejects a prompt, whatever its nodes are (workflows 4). */
const fatal = new Set<CheckCode>([
  'not-a-node',
  'class-type-missing',
  'class-type-not-text',
  'inputs-missing',
  'inputs-not-an-object',
]);

/** A run solves these itself: it adds the title that a replacement needs, and uploads files. */
const seenTo = new Set<CheckCode>(['replacement-needs-meta', 'file-not-on-server']);

/**
 * Judges a prompt before it is sent, with the same check as the editor and `validate`: an error stops the run. What
 * would stop the server (protocol 7.2) does so even if forced; without the definitions of all nodes, it is unknown
 * which inputs the server validates, so then every link to a missing node does.
 */
export function judgeRun(read: WorkflowPrompt, { force, allowLoss, ...context }: RunContext): RunVerdict {
  const report = checkWorkflow(read.document, { ...context, isForRun: true });
  const { omitted } = report;
  const found = report.findings.filter(({ code }) => !seenTo.has(code));
  const errors = found.filter(({ severity }) => severity === 'error');
  const broken = errors.find(({ code }) => fatal.has(code));
  if (broken) {
    const nextAction = t`Fix the node, or export the workflow in the API format again.`;
    const fate = t`The workflow would cause a server error`;
    return refusedFor('badNode', fate, broken, { errors, omitted }, nextAction);
  }
  const { catalog } = context;
  const isBlind = !catalog || (force === true && errors.some(({ code }) => code === 'unknown-class'));
  const possiblyDeadly = isBlind ? found.filter(({ code }) => code === 'link-to-missing-node') : [];
  const deadly = stopsServer(read.prompt, context) ?? possiblyDeadly[0];
  if (deadly) {
    const fate =
      catalog && deadly !== possiblyDeadly[0]
        ? t`The workflow would stop the server for everyone`
        : t`Without the server's node definitions, this might stop the server`;
    const reported = found.filter(
      ({ code, severity }) => code === deadly.code && (isBlind || severity === 'error'),
    );
    const first = reported.find((each) => each.nodeId === deadly.nodeId) ?? findingOf(deadly, read);
    const stopping = reported.includes(first) ? reported : [first, ...reported];
    const nextAction =
      deadly.code === 'server-crash'
        ? t`Fix the workflow, then run again.`
        : t`Remove the input, or link it to a node of this workflow.`;
    return refusedFor('stopsServer', fate, first, { errors: stopping, omitted: 0 }, nextAction);
  }
  const all = [...errors, ...found.filter((finding) => isLoss(finding, report))];
  const findings = all.slice(0, budgets.findings);
  const [first] = errors;
  const lossy = allowLoss === true ? undefined : lossyRefusal(read, findings);
  if (lossy && (!first || force === true)) return { refusal: lossy, findings };
  if (!catalog || !first) return { findings };
  const fate =
    report.verdict?.valid === false ? t`The server would reject the workflow` : t`The workflow would fail`;
  const nextAction =
    first.code === 'option-unknown'
      ? t`Choose a value that's available on this server, or install what's missing, then run again.`
      : t`Fix the reported problems, then run again.`;
  return { ...refusedFor('invalid', fate, first, { errors, omitted }, nextAction), findings };
}

function lossyRefusal({ graph }: WorkflowPrompt, findings: readonly Finding[]): RunRefusal | undefined {
  if (!graph) return undefined;
  const [first, ...others] = graph.losses;
  if (!first) return undefined;
  const fate = t`Part of the workflow wouldn't be sent`;
  const lead = t`${fate}: ${endSentence(first.message)}`;
  const message = sentencesText(lead, otherProblems(others.length));
  const nextAction = t`Fix the marked problems, or export the workflow in API format from the ComfyUI editor.`;
  const { offset, length } = typeRange(first.node);
  return {
    ...createRunRefusal('lossy', message, nextAction, { offset, length }, findings),
    ...{ lead, summary: endSentence(fate) },
  };
}

export function workflowErrors(document: WorkflowDocument, context: RunContext): readonly Finding[] {
  return checkWorkflow(document, context).findings.filter(({ severity }) => severity === 'error');
}

/** Parts that the server skips although it accepts the prompt, or that a graph loses in conversion. */
function isLoss({ severity, code, nodeId = '' }: Finding, { verdict }: CheckReport): boolean {
  if (severity !== 'warning') return false;
  return code === 'graph-conversion' || code === 'output-dropped' || verdict?.nodeErrors.has(nodeId) === true;
}

function findingOf(
  { code, message, nodeId = '', input }: Pick<RuleFinding, 'code' | 'message' | 'nodeId' | 'input'>,
  { places }: WorkflowPrompt,
): Finding {
  const { offset, length } = places.of(nodeId, input) ?? places.start;
  return { code, severity: 'error', message, nodeId, input, offset, length };
}

function refusedFor(
  reason: 'badNode' | 'stopsServer' | 'invalid',
  fate: string,
  first: Finding,
  { errors, omitted }: { readonly errors: readonly Finding[]; readonly omitted: number },
  nextAction: string,
): RunVerdict {
  const lead = t`${fate}: ${endSentence(first.message)}`;
  const message = sentencesText(lead, otherProblems(errors.length - 1, omitted > 0));
  const findings = errors.slice(0, budgets.findings);
  const summary = sentencesText(endSentence(fate), otherProblems(errors.length - findings.length));
  return {
    refusal: { ...createRunRefusal(reason, message, nextAction, first, findings), lead, summary },
    findings,
  };
}

/** Empty for none. */
export function otherProblems(more: number, isLeast = false): string {
  if (more === 0) return '';
  return isLeast ? t`More problems: at least ${more}.` : t`More problems: ${more}.`;
}
