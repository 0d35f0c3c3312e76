import { t } from '../safety/localize';
import { exactTime, tookText } from '../safety/timeText';
import { plainText } from '../safety/plainText';
import { sharedLength } from './differenceWords';
import { promptFromText, type Prompt, type PromptInput, type PromptNode } from '../workflow/prompt';

/** What is compared of a run. A record of a run has all of it. */
export interface ComparedRun {
  /** As posted. */
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

/** Something that differs between runs. */
export interface RunDifference {
  readonly group: 'values' | 'seeds' | 'models' | 'run';
  readonly name: string;
  /** In the order of the runs; empty where a run does not have it. */
  readonly values: readonly string[];
}

/** Longer prompts are not compared: reading them would be felt. */
const longestPrompt = 2_000_000;
/** Rows beyond this say no more. */
const mostDifferences = 500;
const longestValue = 2_000;
/** Characters of a value that is shown as a whole; of a longer one, so many that all share beside what differs. */
const [wholeValue, sharedWords] = [300, 60];
/** Characters of a title, a type, an ID or the name of an input: hundreds of rows name the same node. */
const longestName = 200;
/** Characters shown of a value in words. */
const shortValue = 25;

/** Only what differs between runs: seeds, values and models by node, then server, versions and times. */
export function runDifferences(
  runs: readonly ComparedFacts[],
  serverName: (origin: string) => string = (origin) => origin,
): readonly RunDifference[] {
  const found = [...inputDifferences(runs), ...runFacts(runs, serverName)];
  return found.filter(({ values }) => values.some((value) => value !== values[0])).slice(0, mostDifferences);
}

/** Whether the values of a run can be compared. */
export function isComparable({ promptText }: ComparedRun): boolean {
  return promptText !== undefined && promptText.length <= longestPrompt;
}

/**
 * What a run changed since the previous one, a few words each, such as `steps 20 → 30`: inputs in prompt order, then
 * added and removed nodes. Seeds are skipped.
 */
export function changeWords(before: ComparedRun, now: ComparedRun): readonly string[] {
  if (before.promptText === now.promptText) return [];
  const [old, next] = [promptOf(before), promptOf(now)];
  if (!old || !next) return [];
  const changed = next.nodes.flatMap((node) => {
    const known = old.node(node.id);
    return known ? inputChanges(old, known, next, node, now.seeds) : [];
  });
  const added = next.nodes.filter(({ id }) => !old.node(id)).map((node) => t`added ${nameOf(node)}`);
  const gone = old.nodes.filter(({ id }) => !next.node(id)).map((node) => t`removed ${nameOf(node)}`);
  return [...changed, ...added, ...gone];
}

/** The seeds of a run. */
export function seedWords([first, ...more]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const seed = shortName(first);
  return [more.length > 0 ? t`seed ${seed} and ${more.length} more` : t`seed ${seed}`];
}

/** A value in a few words: of a long text, where it begins to differ from `since`. */
export function valueWords(value: string, since = ''): string {
  if (value.length <= shortValue && since.length <= shortValue) {
    const shown = plainText(value);
    // Without quotation marks, several words read as if they were ours.
    return shown === '' || shown.includes(' ') ? `“${shown}”` : shown;
  }
  const word = value.lastIndexOf(' ', sharedLength(value, since) - 1) + 1;
  const rest = value.slice(word).trim();
  if (rest === '') return t`shortened`;
  return `“${word > 0 ? '…' : ''}${plainText(rest, 'one line', shortValue)}”`;
}

function promptOf(run: ComparedRun): Prompt | undefined {
  return run.promptText !== undefined && isComparable(run) ? promptFromText(run.promptText) : undefined;
}

function inputChanges(
  old: Prompt,
  known: PromptNode,
  next: Prompt,
  node: PromptNode,
  seeds: ComparedRun['seeds'],
): readonly string[] {
  if (known.classType !== node.classType) return [`${nameOf(known)} → ${nameOf(node)}`];
  const earlier = new Map(known.inputs.map((input) => [input.name, input]));
  const changed = node.inputs.flatMap((input) => {
    const name = shortName(input.name);
    const was = earlier.get(input.name);
    earlier.delete(input.name);
    if (Object.hasOwn(seeds, `${node.id}.${input.name}`)) return [];
    const [from, to] = [was && valueText(old, was), valueText(next, input)];
    if (from === to) return [];
    const source = input.link && next.node(input.link.nodeId);
    const origin = source ? nameOf(source) : shortName(input.link?.nodeId ?? '');
    if (input.link) return [`${name} ${t`from ${origin}`}`];
    const isShort = from !== undefined && from.length <= shortValue && to.length <= shortValue;
    return [`${name} ${isShort ? `${valueWords(from)} → ${valueWords(to)}` : valueWords(to, from)}`];
  });
  return [...changed, ...Array.from(earlier.keys(), (name) => t`removed ${shortName(name)}`)];
}

function nameOf({ id, title, classType }: PromptNode): string {
  return shortName(title ?? classType ?? t`node ${id}`);
}

/** Names are a stranger's. */
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
  /** By node, then by input: a key of both would repeat a long type for each input. */
  const found = new Map<string, Map<string, Found>>();
  for (const [index, run] of runs.entries()) {
    const prompt = promptOf(run);
    for (const node of prompt?.nodes ?? []) {
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
        const value = prompt ? valueText(prompt, input) : '';
        note(input.name, () => `${title} (${id}), ${rowName(input.name)}`, group, value);
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
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time) ? undefined : exactTime(time);
}

function took({ startedAt, submittedAt, endedAt }: ComparedFacts): string | undefined {
  const ms = Date.parse(endedAt ?? '') - Date.parse(startedAt ?? submittedAt ?? '');
  return Number.isNaN(ms) || ms < 0 ? undefined : tookText(ms);
}
