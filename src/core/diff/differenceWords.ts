import { mapDefined } from '../safety/lists';
import type { ExactValue } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import { sharedLength } from '../json/textEdit';
import { plural, t } from '../safety/localize';
import { plainText } from '../safety/plainText';
import { type Shown, shown } from '../safety/shownText';
import type { NodeMode } from '../workflow/graph/graphNode';
import { groupByKey } from '../workflow/graph/grouped';
import type { Meaning, MeantNode, Source } from './meaning';
import type { ComparedSides, WorkflowChange, WorkflowDifferences } from './workflowDifferences';

/** In characters. What the texts share is shown whole up to `mostShared`, and else its start only. */
const shownParts = { longest: 200, mostShared: 40, sharedStart: 20 };
const longestName = 80;

export type NodeDifference = ReturnType<typeof differencesByNode>[number];

/** The two workflows that were compared: links name nodes of both. */
export type ComparedWorkflows = ComparedSides<Meaning>;

/** Node by node, in the order of the changes. */
export function differencesByNode(changes: readonly WorkflowChange[]) {
  const byNode = groupByKey(changes, ({ node: { before, after } }) => after ?? before);
  return Array.from(byNode, ([named, own]) => {
    const [first] = own;
    const sign = first?.kind === 'added' ? '+' : first?.kind === 'removed' ? '-' : '~';
    const node = first?.node ?? { before: named, after: named };
    return { node, name: named ? meantNodeName(named) : '', sign, changes: own } as const;
  });
}

export function meantNodeName({ id, title, type }: MeantNode): string {
  const name = plainText(title ?? type, 'one line', longestName);
  return `${name === '' ? plainText(type, 'one line', longestName) : name} (${plainText(id)})`;
}

/** One line such as `cfg: 7 → 8`; undefined for an added or removed node, whose name says it. */
export function workflowChangeText(change: WorkflowChange, workflows: ComparedWorkflows): string | undefined {
  const line = (what: string, sides: readonly string[]): string => {
    const [name, before, after] = [what, ...sides].map((each) => each.replaceAll('→', String.raw`\u2192`));
    return `${name}: ${before} → ${after}`;
  };
  switch (change.kind) {
    case 'added':
    case 'removed':
      return undefined;
    case 'retyped':
      return line(t`type`, [change.before, change.after].map(name));
    case 'retitled':
      return line(t`title`, [change.before, change.after].map(quoted));
    case 'mode':
      return line(t`mode`, [change.before, change.after].map(modeWord));
    case 'value':
      return line(name(change.input), valueTexts(change, JSON.stringify));
    case 'link': {
      const { before, after } = workflows;
      return line(name(change.input), [linkText(change.before, before), linkText(change.after, after)]);
    }
  }
}

export function layoutShown({ layout }: WorkflowDifferences): Shown | undefined {
  if (layout === 0) return undefined;
  return plural(
    layout,
    shown`1 node moved or looks different.`,
    shown`${layout} nodes moved or look different.`,
  );
}

/** For a terminal: nodes with their changes below them. */
export function differencesText(differences: WorkflowDifferences, workflows: ComparedWorkflows): string {
  const lines = differencesByNode(differences.changes).flatMap(({ sign, name, changes }) => [
    `${sign} ${name}`,
    ...nodeChangeLines(changes, workflows).map((line) => `    ${line}`),
  ]);
  return [...lines, ...layoutLine(differences)].map((line) => `${line}\n`).join('');
}

/** Markdown for a pull request. */
export function differencesMarkdown(differences: WorkflowDifferences, workflows: ComparedWorkflows): string {
  const titles = { '+': t`Added`, '-': t`Removed`, '~': t`Changed` };
  const lines = differencesByNode(differences.changes).flatMap(({ sign, name, changes }) => [
    `- **${titles[sign]}** ${code(name)}`,
    ...nodeChangeLines(changes, workflows).map((line) => `  - ${code(line)}`),
  ]);
  const paragraphs = [...(lines.length > 0 ? [lines.join('\n')] : []), ...layoutLine(differences)];
  return paragraphs.length === 0 ? `${t`No differences.`}\n` : `${paragraphs.join('\n\n')}\n`;
}

export function nodeChangeLines(changes: readonly WorkflowChange[], workflows: ComparedWorkflows): string[] {
  return mapDefined(changes, (change) => workflowChangeText(change, workflows));
}

function layoutLine(differences: WorkflowDifferences): string[] {
  const shown = layoutShown(differences);
  return shown ? [shown.line()] : [];
}

/** A code span that its text cannot end. */
function code(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

function name(text: string): string {
  return plainText(text, 'one line', longestName);
}

function quoted(text: string | undefined): string {
  return text === undefined ? t`none` : JSON.stringify(name(text));
}

function modeWord(mode: NodeMode): string {
  return { always: t`active`, muted: t`muted`, bypassed: t`bypassed` }[mode];
}

function linkText(source: Source | undefined, meaning: Meaning): string {
  if (!source) return t`not connected`;
  const [id, slot] = source;
  const node = meaning.get(id);
  return t`${node ? meantNodeName(node) : plainText(id)}, output ${slot + 1}`;
}

/** Both values, each in one line: of texts, the part that differs. @param quoted how a text is written */
export function valueTexts(
  { before, after }: ComparedSides<ExactValue | undefined>,
  quoted: (text: string) => string,
): readonly [before: string, after: string] {
  const areTexts = typeof before === 'string' && typeof after === 'string';
  const parts = areTexts
    ? differingParts([before, after], shownParts, quoted)
    : [before, after].map((value) => valueText(value, quoted));
  const [old = '', now = ''] = parts.map((part) => plainText(part, 'one line', 2 * shownParts.longest));
  return [old, now];
}

function valueText(value: ExactValue | undefined, quoted: (text: string) => string): string {
  if (value === undefined) return t`none`;
  return typeof value === 'string' ? partText(value, quoted) : partText(writeExact(value));
}

/** The parts of texts that differ, without most of what all share before and behind them. */
export function differingParts(
  texts: readonly string[],
  sizes: typeof shownParts,
  quoted?: (text: string) => string,
): readonly string[] {
  const [first = '', ...others] = texts;
  const start = Math.min(first.length, ...others.map((each) => sharedLength(first, each)));
  const most = Math.min(...texts.map(({ length }) => length)) - start;
  let end = 0;
  while (end < most && others.every((each) => each.at(-1 - end) === first.at(-1 - end))) end++;
  return texts.map((text) => partText(text, quoted, sizes, [start, end]));
}

/** A text without most of what it shares with others: so many characters from its start, and before its end. */
function partText(
  text: string,
  quoted = (part: string): string => part,
  { longest, mostShared, sharedStart } = shownParts,
  [start, end] = [0, 0],
): string {
  const from = start > mostShared ? text.lastIndexOf(' ', start - sharedStart) + 1 : 0;
  const behind = text.indexOf(' ', text.length - end + sharedStart);
  const to = Math.min(end > mostShared && behind > 0 ? behind : text.length, from + longest);
  const [before, after] = [from > 0 ? '…' : '', to < text.length ? '…' : ''];
  return `${before}${quoted(text.slice(from, to))}${after}`;
}
