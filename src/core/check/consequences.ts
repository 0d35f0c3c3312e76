import type { JsonRange } from '../json/node';
import { byLoudness, type CheckCode, valueCodes } from './codes';
import type { Finding } from './finding';
import { type FindingContext, ownSeverity } from './findings';
import type { RuleFinding } from './rule';

/** The findings that a misplaced value or link of a graph causes in its prompt. */
const effects = new Set<CheckCode>([...valueCodes, 'missing-input', 'value-not-text', 'off-step']);

/** A prompt finding that a graph finding explains isn't reported as well, but passes on its severity. */
export function withoutEffects(
  ofGraph: readonly RuleFinding[],
  ofPrompt: readonly Finding[],
  context: FindingContext,
): { readonly ofGraph: readonly RuleFinding[]; readonly ofPrompt: readonly Finding[] } {
  if (!ofGraph.some(({ explains }) => explains !== undefined)) return { ofGraph, ofPrompt };
  const open = ofPrompt.filter(({ code }) => effects.has(code)).sort((a, b) => a.offset - b.offset);
  const gone = new Set<Finding>();
  const causes = ofGraph.map((cause): RuleFinding => {
    const { explains = [] } = cause;
    const found = ownSeverity(cause, context) ? explains.flatMap((range) => within(open, range)) : [];
    const [first] = found;
    if (!first) return cause;
    for (const each of found) gone.add(each);
    const own = ownSeverity(cause, context) ?? first.severity;
    const [severity] = [own, ...found.map((each) => each.severity)].sort(byLoudness);
    return { ...cause, severity, nodeId: first.nodeId, input: first.input };
  });
  return { ofGraph: causes, ofPrompt: ofPrompt.filter((each) => !gone.has(each)) };
}

function within(findings: readonly Finding[], { offset, length }: JsonRange): readonly Finding[] {
  let [low, high] = [0, findings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((findings[middle]?.offset ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  const inside: Finding[] = [];
  for (let each = findings[low]; each && each.offset < offset + length; each = findings[++low])
    inside.push(each);
  return inside;
}

/**
 * Does the same within the findings of a prompt: a cycle through a link of the wrong type is fixed with that link, an
 * output with a fault of its own is reported itself, and a misspelled input is the missing one. A finding that isn't
 * reported explains nothing.
 */
export function silenceEffects(list: RuleFinding[], context: FindingContext): void {
  // Without definitions, a link to a missing node may stop the server, so it is reported separately.
  if (context.catalog) mergeMistypedId(list, context);
  if (!list.some(mayBeEffect)) return;
  const mistyped = new Set<string>();
  const faulty = new Set<string | undefined>();
  const missing = new Map<string, number>();
  for (const [index, each] of list.entries()) {
    const { code, nodeId, input, counts } = each;
    if (!ownSeverity(each, context)) continue;
    if (code === 'link-type') mistyped.add(keyOf(nodeId, input));
    if (code === 'missing-input') missing.set(keyOf(nodeId, input), index);
    if (counts === 'checked') faulty.add(nodeId);
  }
  const isEffect = ({ code, nodeId, fix }: RuleFinding): boolean => {
    if (code === 'cycle' && fix?.kind === 'cutLink')
      return fix.links.some((link) => mistyped.has(keyOf(link.nodeId, link.input)));
    return code === 'output-dropped' && faulty.has(nodeId);
  };
  for (const [index, each] of list.entries()) {
    const { nodeId, range, message, fix, severity } = each;
    // Unless the node may accept the name as it is.
    const isWrong = fix?.kind === 'renameInput' && severity === undefined;
    const meant = isWrong ? missing.get(keyOf(nodeId, fix.names[0])) : undefined;
    const lacking = meant === undefined ? undefined : list[meant];
    if (meant !== undefined && lacking) list[meant] = { ...lacking, range, message, fix };
    if (lacking || isEffect(each)) list[index] = { ...each, isSilent: true };
  }
}

const mostRelated = 20;

/** An ID that is used twice while another one is missing was mistyped: the links to both are right. */
function mergeMistypedId(list: RuleFinding[], context: FindingContext): void {
  const at = list.findIndex(({ code }) => code === 'duplicate-node');
  const twice = list[at];
  if (twice?.fix?.kind !== 'removeDuplicate' || !ownSeverity(twice, context)) return;
  if (list.some(({ code }, index) => code === 'duplicate-node' && index !== at)) return;
  const dead = list.filter((each) => each.code === 'link-to-missing-node' && ownSeverity(each, context));
  const [first, ...others] = dead;
  const id = first?.linksTo;
  if (id === undefined || others.some(({ linksTo }) => linksTo !== id)) return;
  for (const [index, each] of list.entries()) {
    const { code, linksTo } = each;
    const isToMissing = code === 'link-to-missing-node' && linksTo === id;
    const isToOther = (code === 'link-type' || code === 'link-slot') && linksTo === twice.nodeId;
    if (isToMissing || isToOther) list[index] = { ...each, isSilent: true };
  }
  list[at] = {
    ...twice,
    severity: first?.severity ?? 'error',
    related: dead.slice(0, mostRelated).map(({ message, ...place }) => ({ ...place, message })),
    fix: { ...twice.fix, meantId: id },
  };
}

function mayBeEffect({ code, fix }: RuleFinding): boolean {
  return code === 'cycle' || code === 'output-dropped' || fix?.kind === 'renameInput';
}

function keyOf(nodeId: string | undefined, input: string | undefined): string {
  return JSON.stringify([nodeId, input]);
}
