import {
  inputNamed,
  promptFromText,
  type Prompt,
  type PromptInput,
  type PromptNode,
} from '../workflow/prompt';
import { t } from '../safety/localize';

/** Longer texts are not compared: their reading would be felt. */
const longestPrompt = 500_000;
/** Maximum number of characters shown of a value. */
const valueLength = 24;

/**
 * What a prompt changed since the previous one, a few words each, such as `steps 20 → 30`: inputs in prompt order, then
 * added
 * and removed nodes. Seeds are skipped.
 * @param seeds `nodeId.input` of the inputs with a seed
 */
export function promptDifferences(
  before: string,
  now: string,
  seeds: ReadonlySet<string> = new Set(),
): readonly string[] {
  if (before === now || before.length > longestPrompt || now.length > longestPrompt) return [];
  const [old, next] = [promptFromText(before), promptFromText(now)];
  const changed = next.nodes.flatMap((node) => {
    const known = old.node(node.id);
    return known ? changedInputs({ old, known, next, node }, seeds) : [];
  });
  const added = next.nodes.filter(({ id }) => !old.node(id)).map((node) => t`added ${nameOf(node)}`);
  const gone = old.nodes.filter(({ id }) => !next.node(id)).map((node) => t`removed ${nameOf(node)}`);
  return [...changed, ...added, ...gone];
}

interface Pair {
  readonly old: Prompt;
  readonly known: PromptNode;
  readonly next: Prompt;
  readonly node: PromptNode;
}

function changedInputs({ old, known, next, node }: Pair, seeds: ReadonlySet<string>): readonly string[] {
  if (known.classType !== node.classType) return [`${nameOf(known)} → ${nameOf(node)}`];
  const inputs = node.inputs.filter(({ name }) => !seeds.has(`${node.id}.${name}`));
  const changed = inputs.flatMap((input) => {
    const earlier = inputNamed(known, input.name);
    if (!earlier) return [`${input.name} ${bounded(valueWords(next, input))}`];
    if (textOf(old, earlier) === textOf(next, input)) return [];
    return [`${input.name} ${changeWords(old, earlier, next, input)}`];
  });
  const gone = known.inputs
    .filter(({ name }) => !inputNamed(node, name))
    .map(({ name }) => t`removed ${name}`);
  return [...changed, ...gone];
}

function changeWords(old: Prompt, earlier: PromptInput, next: Prompt, input: PromptInput): string {
  if (input.link) return valueWords(next, input);
  const [from, to] = [valueWords(old, earlier), valueWords(next, input)];
  const isShort = from.length <= valueLength && to.length <= valueLength;
  return isShort ? `${from} → ${to}` : textChange(from, to);
}

/** The changed words of a long text. */
function textChange(from: string, to: string): string {
  let start = 0;
  while (start < to.length && from[start] === to[start]) start++;
  const word = to.lastIndexOf(' ', start - 1) + 1;
  const rest = to.slice(word).trim();
  if (rest === '') return t`shortened`;
  return `“${word > 0 ? '…' : ''}${bounded(rest)}”`;
}

function bounded(words: string): string {
  return words.length > valueLength ? `${words.slice(0, valueLength)}…` : words;
}

function valueWords(prompt: Prompt, input: PromptInput): string {
  if (input.link) {
    const source = prompt.node(input.link.nodeId);
    return t`from ${source ? nameOf(source) : input.link.nodeId}`;
  }
  const { valueNode } = input;
  return valueNode.kind === 'string' ? valueNode.value : textOf(prompt, input);
}

/** Links are compared by target, whatever their whitespace. */
function textOf({ document }: Prompt, { link, valueNode }: PromptInput): string {
  if (link) return JSON.stringify([link.nodeId, link.slot]);
  return document.text.slice(valueNode.offset, valueNode.offset + valueNode.length);
}

function nameOf({ id, title, classType }: PromptNode): string {
  return bounded(title ?? classType ?? t`node ${id}`);
}
