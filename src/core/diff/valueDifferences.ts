import { t } from '../safety/localize';
import { exactTime, measuredTimeText } from '../safety/timeText';
import { plainText } from '../safety/plainText';
import { differingParts } from './differenceWords';
import { sharedLength } from '../json/textEdit';
import { writeExact } from '../json/exactWriter';
import { type Meaning, meaningOfPrompt, type MeantNode } from './meaning';
import { workflowDifferences, type WorkflowChange, type WorkflowDifferences } from './workflowDifferences';
import { promptFromText } from '../workflow/prompt';
import { groupByKey } from '../workflow/graph/grouped';

interface ComparedRun {
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
const shownParts = { longest: 2_000, mostShared: 300, sharedStart: 60 } as const;
/** Characters of a title, a type, an ID or the name of an input: hundreds of rows name the same node. */
const longestName = 200;
const shortValue = 25;

/** Only the differences between runs: seeds, values and models by node, then server, versions and times. */
export function runDifferences(
  runs: readonly ComparedFacts[],
  serverName: (origin: string) => string = (origin) => origin,
): readonly RunDifference[] {
  const found = [...promptDifferences(runs), ...runFacts(runs, serverName)];
  return found.filter(({ values }) => values.some((value) => value !== values[0])).slice(0, mostDifferences);
}

export function isComparable<T extends ComparedRun>(run: T): run is T & { readonly promptText: string } {
  return run.promptText !== undefined && run.promptText.length <= longestPrompt;
}

/** A few words for each input in prompt order, such as `steps 20 → 30`, then added and removed nodes, but no seeds. */
export function runChangeTexts(before: ComparedRun, now: ComparedRun): readonly string[] {
  if (before.promptText === now.promptText) return [];
  const [old, next] = [before, now].map(runMeaning);
  if (!old || !next) return [];
  const { changes } = runChanges(old, next);
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

function runMeaning(run: ComparedRun): Meaning | undefined {
  return isComparable(run) ? meaningOfPrompt(promptFromText(run.promptText)) : undefined;
}

/** What differs in meaning, and the values in place of links to nodes that are gone. */
function runChanges(old: Meaning, next: Meaning): Pick<WorkflowDifferences, 'changes' | 'matches'> {
  const { changes, matches } = workflowDifferences(old, next);
  const unlinked = [...matches].flatMap(([id, other]) => {
    const node = { before: old.get(id), after: next.get(other) };
    return [...(node.before?.links ?? [])].flatMap(([input, source]): readonly WorkflowChange[] =>
      node.after?.values.has(input) && !matches.has(source[0])
        ? [{ kind: 'link', node, input, before: source, after: undefined }]
        : [],
    );
  });
  return { changes: [...changes, ...unlinked], matches };
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
  const [from, to] = [before, after].map((node) => valueText(node, change.input));
  if (to === undefined) return t`removed ${name}`;
  const isShort = from !== undefined && from.length <= shortValue && to.length <= shortValue;
  return `${name} ${isShort ? `${valueWords(from)} → ${valueWords(to)}` : valueWords(to, from)}`;
}

/** Every digit as it was sent. */
function valueText(node: MeantNode | undefined, input: string): string | undefined {
  const value = node?.values.get(input)?.value;
  return value === undefined || typeof value === 'string' ? value : writeExact(value);
}

function nameOf(node: MeantNode | undefined, longest = shortValue): string {
  const name = node?.title ?? (node?.type === '' ? t`node ${node.id}` : node?.type);
  return shortName(name ?? '', longest);
}

/** Names come from outside. */
export function shortName(name: string, longest = shortValue): string {
  return plainText(name, 'one line', longest);
}

/** What differs in meaning between the first run and each other one, in one table. */
function promptDifferences(runs: readonly ComparedRun[]): readonly RunDifference[] {
  const meanings = runs.map(runMeaning);
  const first = meanings.find((each) => each !== undefined) ?? new Map<string, never>();
  const compared = meanings.map((meaning = first) => runChanges(first, meaning));
  const changed = compared.flatMap(({ changes }, run) => changes.map((change) => ({ run, change })));
  const byNode = groupByKey(
    changed,
    ({ change: { node } }) => node.before ?? `${node.after?.id} ${node.after?.type}`,
  );
  const rows = Array.from(byNode, ([node, own]) => {
    const sides = meanings.map((meaning, at) =>
      typeof node === 'string'
        ? own.find(({ run }) => run === at)?.change.node.after
        : meaning?.get(compared[at]?.matches.get(node.id) ?? ''),
    );
    const shown = sides.find((each) => each !== undefined);
    const inputs = new Set(own.flatMap(({ change }) => changedInputs(change)));
    return shown ? Array.from(inputs, (input) => differenceRow(runs, sides, shown, input)) : [];
  }).flat();
  return (['seeds', 'values', 'models'] as const).flatMap((group) =>
    rows.filter((each) => each.group === group),
  );
}

/** The inputs that a change is about; an empty name stands for the node itself. */
function changedInputs(change: WorkflowChange): readonly string[] {
  if ('input' in change) return [change.input];
  const { before, after } = change.node;
  const alone = before && after ? undefined : (before ?? after);
  return alone ? ['', ...alone.values.keys(), ...alone.links.keys()] : [''];
}

function differenceRow(
  runs: readonly ComparedRun[],
  sides: readonly (MeantNode | undefined)[],
  node: MeantNode,
  input: string,
): RunDifference {
  const texts = sides.map((each) => inputText(each, input));
  const isSeed = runs.some(({ seeds }, at) => Object.hasOwn(seeds, `${sides[at]?.id}.${input}`));
  const name = `${nameOf(node, longestName)} (${shortName(node.id, longestName)})`;
  return {
    group: isSeed ? 'seeds' : texts.some((text) => modelName.test(text)) ? 'models' : 'values',
    name: input === '' ? name : `${name}, ${shortName(input, longestName)}`,
    values: differingParts(texts, shownParts),
  };
}

const modelName = /\.(?:safetensors|ckpt|pth?|bin|gguf|sft|onnx)$/i;

function inputText(node: MeantNode | undefined, input: string): string {
  if (node && input === '') return node.type;
  const link = node?.links.get(input);
  if (link) return t`from node ${link[0]}, output ${link[1] + 1}`;
  return valueText(node, input) ?? '';
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
