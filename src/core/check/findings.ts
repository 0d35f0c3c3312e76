import type { JsonRange } from '../json/node';
import { budgets } from '../safety/budgets';
import type { CheckContext } from './checkContext';
import { byLoudness, codeSeverity, type Severity } from './codes';
import type { RuleFinding, Place } from './rule';
import type { Finding, FixHint } from './finding';
import type { PromptCheck } from './promptCheck';
import { checkedNodeName } from './rule';
import { t } from '../safety/localize';

/** Maps a range of the prompt to the file, with the part of its fix that applies there. */
export interface FileMap {
  place(place: Place): JsonRange | undefined;
  fix(ruleFinding: RuleFinding): FixHint | undefined;
}

/** A prompt file is its own map. */
export const sameFile: FileMap = { place: ({ range }) => range, fix: ({ fix }) => fix };

/** Everything but the finding itself that affects its wording. */
export interface FindingContext extends CheckContext {
  /** The file has a single line: a position says little there, so messages name the node. */
  readonly isOneLine?: boolean;
}

/** Turns findings of rules into findings of the file, and decides their severity for all rules alike. */
export function findingsFromRules(
  ruleFindings: readonly RuleFinding[],
  map: FileMap,
  check: PromptCheck | undefined,
  context: FindingContext,
): Finding[] {
  const findings: Finding[] = [];
  const known = new Set<string>();
  for (const ruleFinding of ruleFindings) {
    const own = ownSeverity(ruleFinding, context);
    if (!own) continue;
    const range = map.place(ruleFinding);
    if (!range) continue;
    // A part of a graph that is used twice is checked twice but reported once.
    const key = `${ruleFinding.code} ${range.offset} ${range.length} ${ruleFinding.input ?? ''}`;
    if (known.has(key)) continue;
    known.add(key);
    findings.push(finding(ruleFinding, range, own, map, check, context));
  }
  return findings;
}

/** The severity of a finding by itself; undefined if it is not reported. */
export function ownSeverity(
  { code, severity, isSilent }: RuleFinding,
  { suppressed, severities }: FindingContext,
): Severity | undefined {
  const setting = severities?.[code];
  if (isSilent === true || suppressed?.has(code) || setting === 'off') return undefined;
  return severity ?? setting ?? codeSeverity(code);
}

function finding(
  ruleFinding: RuleFinding,
  { offset, length }: JsonRange,
  own: Severity,
  map: FileMap,
  check: PromptCheck | undefined,
  context: FindingContext,
): Finding {
  const { code, nodeId, nodeIds, input, tags } = ruleFinding;
  const { severity, isUnchecked, isDropped } = inPlace(ruleFinding, own, check);
  // A part of a graph that is used twice is one place of the file.
  const known = new Set([offset]);
  const related = (ruleFinding.related ?? []).flatMap((each) => {
    const range = map.place(each);
    if (!range || known.has(range.offset)) return [];
    known.add(range.offset);
    return [{ offset: range.offset, length: range.length, message: each.message }];
  });
  const fix = map.fix(ruleFinding);
  const named = context.isOneLine === true ? withName(ruleFinding, check) : ruleFinding.message;
  const message =
    isUnchecked === true
      ? t`${named} The server doesn't check this, because no output depends on the node.`
      : isDropped === true
        ? t`${named} The server skips the outputs that depend on it.`
        : named;
  return {
    code,
    severity,
    // At the start of a sentence.
    message: cut(message.replace(/(^|[.?!] )the server\b/g, '$1The server')),
    offset,
    length,
    nodeId,
    nodeIds: nodeIds && nodeIds.length > 1 ? nodeIds : undefined,
    input,
    tags,
    related: related.length > 0 ? related : undefined,
    fix,
  };
}

/** The message, with the name of the node in front of it unless it names that already. */
function withName({ nodeId, nodeIds, message }: RuleFinding, check: PromptCheck | undefined): string {
  const node = nodeId === undefined || nodeIds ? undefined : check?.nodes.get(nodeId);
  if (!node) return message;
  const name = checkedNodeName(node);
  return message.includes(name) ? message : `${name}: ${message}`;
}

/** Problems that the server never reaches are hints; those that only cost an output are warnings (workflows 4.1). */
function inPlace(
  ruleFinding: RuleFinding,
  own: Severity,
  check: PromptCheck | undefined,
): { severity: Severity; isUnchecked?: boolean; isDropped?: boolean } {
  const { counts = 'run', nodeId = '' } = ruleFinding;
  const node = check?.nodes.get(nodeId);
  if (!check || !node || counts === 'always') return { severity: own };
  const isMet = counts === 'checked' ? check.reach.isChecked(node) : check.reach.isRun(node);
  if (!isMet) {
    return { severity: 'hint', isUnchecked: own === 'error' || own === 'warning' };
  }
  const isDropped = counts === 'checked' && own === 'error' && check.verdict?.valid === true;
  return { severity: isDropped ? 'warning' : own, isDropped };
}

/** Names and values in a file may have any length; a very long message helps nobody. */
function cut(message: string): string {
  return message.length > budgets.shownText ? `${message.slice(0, budgets.shownText)}…` : message;
}

/** The most severe findings in text order, and a final one with the number of others. */
export function boundFindings(findings: Finding[], uncounted: number, context: FindingContext) {
  const inText = (a: Finding, b: Finding): number => a.offset - b.offset || a.length - b.length;
  if (context.isForRun === true) return { findings: findings.sort(inText), omitted: uncounted };
  const omitted = Math.max(0, findings.length - budgets.findings) + uncounted;
  if (omitted === 0) return { findings: findings.sort(inText), omitted };
  const gravest = findings.sort((a, b) => byLoudness(a.severity, b.severity) || inText(a, b));
  const shown = gravest.slice(0, budgets.findings).sort(inText);
  const message = t`More problems: ${omitted}. Fix these first.`;
  const more: RuleFinding = { code: 'more-findings', message, range: { offset: 0, length: 1 } };
  return { findings: [...shown, ...findingsFromRules([more], sameFile, undefined, context)], omitted };
}
