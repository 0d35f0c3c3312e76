import { t } from '../safety/localize';
import { exactTime, measuredTimeText } from '../safety/timeText';
import { plainText } from '../safety/plainText';
import { sharedLength } from './differenceWords';
import type { ExactValue } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import type { Matches } from './matchNodes';
import { type Meaning, meaningOfPrompt, type MeantNode } from './meaning';
import { workflowDifferences, type WorkflowChange } from './workflowDifferences';
import { promptFromText, type Prompt, type PromptInput } from '../workflow/prompt';

export interface ComparedRun {
  readonly promptText?: string | undefined;
  /** The digits of the seeds by `nodeId.input`. */
  readonly seeds: Readonly<Record<string, string>>;
}

export interface ComparedFacts extends ComparedRun {
  readonly label: string;
  readonly server: string;
  readonly serverVersion?: string | undefined;
  readonly madeBy?: string | undefined;
  readonly sentAt?: string | undefined;
  readonly submittedAt?: string | undefined;
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  readonly nodes?: Readonly<Record<string, { readonly cached?: true | undefined }>> | undefined;
}

export interface RunDifference {
  readonly group: 'values' | 'seeds' | 'models' | 'run';
  readonly name: string;
  /** In the order of the runs; empty where a run does not have it. */
  readonly values: readonly string[];
}

/** Longer prompts are not compared: reading them would take noticeably long. */
const longestPrompt = 2_000_000;
/** Rows beyond this say no more. */
const mostDifferences = 500;
const longestValue = 2_000;
/** Characters of a value that is shown as a whole; of a longer one, so many that all share beside what differs. */
const [wholeValue, sharedWords] = [300, 60];
/** Characters of a title, a type, an ID or the name of an input: hundreds of rows name the same node. */
const longestName = 200;
const shortValue = 25;

/** Only the differences between runs: seeds, values and models by node, then server, versions and times. */
export function runDifferences(
  runs: readonly ComparedFacts[],
  serverName: (origin: string) => string = (origin) => origin,
): readonly RunDifference[] {
  const found = [...inputDifferences(runs), ...runFacts(runs, serverName)];
  return found.filter(({ values }) => values.some((value) => value !== values[0])).slice(0, mostDifferences);
}

export function isComparable<T extends ComparedRun>(run: T): run is T & { readonly promptText: string } {
  return run.promptText !== undefined && run.promptText.length <= longestPrompt;
}

/** A few words for each input in prompt order, such as `steps 20 → 30`, then added and removed nodes, but no seeds. */
export function runChangeTexts(before: ComparedRun, now: ComparedRun): readonly string[] {
  if (before.promptText === now.promptText) return [];
  const [old, next] = [before, now].map((run) => {
    const prompt = promptOf(run);
    return prompt && meaningOfPrompt(prompt);
  });
  if (!old || !next) return [];
  const { changes, matches } = workflowDifferences(old, next);
  const retyped = new Set(changes.flatMap(({ kind, node }) => (kind === 'retyped' ? [node.after] : [])));
  const isSeed = ({ node: { after } }: WorkflowChange, input: string): boolean =>
    after !== undefined && Object.hasOwn(now.seeds, `${after.id}.${input}`);
  const changed = changes.flatMap((change): readonly string[] => {
    if (change.kind === 'retyped') return [`${nameOf(change.node.before)} → ${nameOf(change.node.after)}`];
    if (change.kind !== 'value' && change.kind !== 'link') return [];
    if (retyped.has(change.node.after) || isSeed(change, change.input)) return [];
    return [inputWords(change, next)];
  });
  const named = (kind: 'added' | 'removed'): readonly string[] =>
    changes.flatMap(({ kind: own, node }) => (own === kind ? [nameOf(node.after ?? node.before)] : []));
  return [
    ...changed,
    ...unlinkedValues(old, next, matches),
    ...named('added').map((name) => t`added ${name}`),
    ...named('removed').map((name) => t`removed ${name}`),
  ];
}

export function seedWords([first, ...more]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const seed = shortName(first);
  return [more.length > 0 ? t`seed ${seed} and ${more.length} more` : t`seed ${seed}`];
}

/** A value in a few words: of a long text, where it begins to differ from `since`. */
export function valueWords(value: string, since = ''): string {
  if (value.length <= shortValue && since.length <= shortValue) {
    const shown = plainText(value);
    // Without quotation marks, several words look as if they were ours.
    return shown === '' || shown.includes(' ') ? `“${shown}”` : shown;
  }
  const word = value.lastIndexOf(' ', sharedLength(value, since) - 1) + 1;
  const rest = value.slice(word).trim();
  if (rest === '') return t`shortened`;
  return `“${word > 0 ? '…' : ''}${plainText(rest, 'one line', shortValue)}”`;
}

function promptOf(run: ComparedRun): Prompt | undefined {
  return isComparable(run) ? promptFromText(run.promptText) : undefined;
}

function inputWords(
  change: Extract<WorkflowChange, { readonly kind: 'value' | 'link' }>,
  meaning: Meaning,
): string {
  const name = shortName(change.input);
  if (change.kind === 'link' && change.after) {
    const [id] = change.after;
    const source = meaning.get(id);
    return `${name} ${t`from ${source ? nameOf(source) : shortName(id)}`}`;
  }
  const { before, after } = change.node;
  const [from, to] = [before, after].map((node) => {
    const value = node?.values.get(change.input)?.value;
    return value === undefined ? undefined : exactText(value);
  });
  if (to === undefined) return t`removed ${name}`;
  const isShort = from !== undefined && from.length <= shortValue && to.length <= shortValue;
  return `${name} ${isShort ? `${valueWords(from)} → ${valueWords(to)}` : valueWords(to, from)}`;
}

function unlinkedValues(old: Meaning, next: Meaning, matches: Matches): readonly string[] {
  return [...matches].flatMap(([id, other]) => {
    const [links, values] = [old.get(id)?.links, next.get(other)?.values];
    return [...(links ?? [])].flatMap(([input, [source]]) => {
      const now = values?.get(input);
      return now && !matches.has(source) ? [`${shortName(input)} ${valueWords(exactText(now.value))}`] : [];
    });
  });
}

function exactText(value: ExactValue): string {
  return typeof value === 'string' ? value : writeExact(value);
}

function nameOf(node: MeantNode | undefined): string {
  if (!node) return '';
  return shortName(node.title ?? (node.type === '' ? t`node ${node.id}` : node.type));
}

/** Names come from outside. */
export function shortName(name: string): string {
  return plainText(name, 'one line', shortValue);
}

function rowName(name: string): string {
  return plainText(name, 'one line', longestName);
}

interface Found {
  readonly group: RunDifference['group'];
  readonly name: string;
  readonly values: string[];
}

const groups = ['seeds', 'values', 'models'] as const;

function inputDifferences(runs: readonly ComparedRun[]): readonly RunDifference[] {
  /** By node, then by input, because a key of both would repeat a long type for each input. */
  const found = new Map<string, Map<string, Found>>();
  for (const [index, run] of runs.entries()) {
    const prompt = promptOf(run);
    if (!prompt) continue;
    for (const node of prompt.nodes) {
      // Nodes of different types that share an ID have nothing in common.
      const nodeKey = `${node.id} ${node.classType ?? ''}`;
      const inputs = found.get(nodeKey) ?? new Map<string, Found>();
      found.set(nodeKey, inputs);
      const note = (input: string, name: () => string, group: Found['group'], value: string): void => {
        const known = inputs.get(input) ?? { group, name: name(), values: runs.map(() => '') };
        known.values[index] = value;
        inputs.set(input, known);
      };
      const [id, title] = [rowName(node.id), rowName(node.title ?? node.classType ?? t`node ${node.id}`)];
      if (node.inputs.length === 0) note('', () => title, 'values', t`yes`);
      for (const input of node.inputs) {
        const group = groupOf(run, node.id, input);
        const name = (): string => `${title} (${id}), ${rowName(input.name)}`;
        note(input.name, name, group, valueText(prompt, input));
      }
    }
  }
  const all = [...found.values()].flatMap((inputs) =>
    Array.from(inputs.values(), (each) => ({ ...each, values: partsThatDiffer(each.values) })),
  );
  return groups.flatMap((group) => all.filter((each) => each.group === group));
}

/** Long texts without most of what all share before and behind their difference. */
function partsThatDiffer(values: readonly string[]): readonly string[] {
  const [first = '', ...others] = values;
  if (values.every(({ length }) => length <= wholeValue) || others.every((each) => each === first))
    return values.map((value) => value.slice(0, longestValue));
  const start = Math.min(...others.map((each) => sharedLength(first, each)));
  const shortest = Math.min(...values.map(({ length }) => length)) - start;
  let end = 0;
  while (end < shortest && others.every((each) => each.at(-1 - end) === first.at(-1 - end))) end++;
  const from = start > sharedWords ? first.lastIndexOf(' ', start - sharedWords) + 1 : 0;
  return values.map((value) => {
    const behind = value.indexOf(' ', value.length - Math.max(0, end - sharedWords));
    const to = Math.min(end > sharedWords && behind > 0 ? behind : value.length, from + longestValue);
    return `${from > 0 ? '…' : ''}${value.slice(from, to)}${to < value.length ? '…' : ''}`;
  });
}

function groupOf({ seeds }: ComparedRun, nodeId: string, { name, valueNode }: PromptInput): Found['group'] {
  if (Object.hasOwn(seeds, `${nodeId}.${name}`)) return 'seeds';
  return valueNode.kind === 'string' && modelName.test(valueNode.value) ? 'models' : 'values';
}

const modelName = /\.(?:safetensors|ckpt|pth?|bin|gguf|sft|onnx)$/i;

/** Every digit as it was sent; equal texts are equal values. */
function valueText({ document }: Prompt, { link, valueNode }: PromptInput): string {
  if (link) return t`from node ${link.nodeId}, output ${link.slot + 1}`;
  if (valueNode.kind === 'string') return valueNode.value;
  return document.text.slice(valueNode.offset, valueNode.offset + valueNode.length);
}

function runFacts(
  runs: readonly ComparedFacts[],
  serverName: (origin: string) => string,
): readonly RunDifference[] {
  const fact = (name: string, value: (run: ComparedFacts) => string | undefined): RunDifference => ({
    group: 'run',
    name,
    values: runs.map((run) => value(run) ?? ''),
  });
  return [
    fact(t`Workflow`, ({ label }) => label),
    fact(t`Server`, ({ server }) => serverName(server)),
    fact(t`ComfyUI version`, ({ serverVersion }) => serverVersion),
    fact(t`Created by`, ({ madeBy }) => madeBy),
    fact(t`Submitted`, ({ sentAt, submittedAt }) => localTime(sentAt ?? submittedAt)),
    fact(t`Duration`, took),
    fact(
      t`Nodes cached`,
      ({ nodes }) => nodes && String(Object.values(nodes).filter(({ cached }) => cached).length),
    ),
  ];
}

function localTime(iso: string | undefined): string | undefined {
  const time = iso === undefined ? NaN : Date.parse(iso);
  return Number.isNaN(time) ? undefined : exactTime(time);
}

function took({ startedAt, submittedAt, endedAt }: ComparedFacts): string | undefined {
  const ms = Date.parse(endedAt ?? '') - Date.parse(startedAt ?? submittedAt ?? '');
  return Number.isNaN(ms) || ms < 0 ? undefined : measuredTimeText(ms);
}
