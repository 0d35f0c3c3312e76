import type { Catalog } from '../../catalog/catalog';
import type { ExpandedInput } from '../../catalog/dynamic';
import { writeExact } from '../../json/exactWriter';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import { type Completion, completionsIn, inSnippet, type Slot, type Suggestion } from './completion';
import { linkTargets, promptLinkText } from '../places/linkTargets';
import { inputMarkdown } from '../hover/markdown';
import { expandedInputs, inputTypeText, isSocket } from '../places/nodeInputs';
import type { PromptPlace } from '../places/workflowPlace';
import { layoutAt } from './snippetLayout';
import type { InputSpec } from '../../catalog/inputSpec';
import type { ExactValue } from '../../json/exactValue';
import { t } from '../../safety/localize';

/** Lists of options longer than this are offered after the value is there, not inside the snippet. */
const mostChoices = 20;

/** The inputs that a node lacks, each with an initial value; and all required ones at once. */
export function completeNewInput(
  place: Extract<PromptPlace, { readonly node: PromptNode }>,
  slot: Slot,
  catalog: Catalog,
): Completion[] {
  const { prompt, node, json } = place;
  const given = new Set(node.inputs.filter(({ nameNode }) => nameNode !== json.node).map(({ name }) => name));
  const missing = expandedInputs(node, catalog).filter(({ name }) => !given.has(name));
  // On a name that has a value, only the name is replaced.
  const hasValue = json.property?.value !== undefined;
  const object = json.containers.at(-1);
  const layout = object?.kind === 'object' ? layoutAt(prompt.document.text, object, slot) : undefined;
  const laidOut = (members: readonly string[]): string =>
    layout ? layout.before + members.join(layout.between) + layout.after : members.join(', ');
  const suggestions = missing.map((input) => {
    const made = suggestionOf(prompt, node, input, hasValue, catalog);
    return hasValue ? made : { ...made, newText: laidOut([made.newText]) };
  });
  const required = missing.filter(({ section }) => section === 'required');
  if (hasValue || required.length < 2) return completionsIn(slot, suggestions);
  const all = required.map((input, index) => {
    return `${inSnippet(JSON.stringify(input.name))}: ${valueSnippet(prompt, node, input, index + 1, catalog)}`;
  });
  const everything: Suggestion = {
    kind: 'input',
    label: t`All missing inputs`,
    newText: laidOut(all),
    detail: required.map(({ name }) => name).join(', '),
    rank: 9,
    isSnippet: true,
  };
  return completionsIn(slot, [...suggestions, everything]);
}

function suggestionOf(
  prompt: Prompt,
  node: PromptNode,
  input: ExpandedInput,
  hasValue: boolean,
  catalog: Catalog,
): Suggestion {
  const { name, section, spec } = input;
  const nameText = JSON.stringify(name);
  return {
    kind: 'input',
    label: name,
    newText: hasValue ? nameText : `${inSnippet(nameText)}: ${valueSnippet(prompt, node, input, 1, catalog)}`,
    detail: section === 'optional' ? t`${inputTypeText(spec)}, optional` : inputTypeText(spec),
    documentation: inputMarkdown(input),
    words: spec.displayName,
    rank: section === 'required' ? 0 : spec.advanced ? 2 : 1,
    isSnippet: !hasValue,
  };
}

/** The value to insert first: the best link for a socket, the default for everything else. */
function valueSnippet(
  prompt: Prompt,
  node: PromptNode,
  input: ExpandedInput,
  stop: number,
  catalog: Catalog,
): string {
  const { spec } = input;
  if (isSocket(spec)) {
    const [best] = linkTargets(prompt, node, input, catalog).filter(({ rank }) => rank < 3);
    return best ? `\${${stop}:${inSnippet(promptLinkText(best.node.id, best.slot))}}` : `["$${stop}", 0]`;
  }
  const text = defaultText(spec) ?? `$${stop}`;
  const choices = spec.kind === 'combo' ? spec.choices.map(writeExact) : [];
  if (choices.length > 1 && choices.length <= mostChoices) {
    const first = [text, ...choices.filter((each) => each !== text)];
    return `\${${stop}|${first.map(inChoice).join(',')}|}`;
  }
  if (text === '""') return `"$${stop}"`;
  return text.startsWith('$') ? text : `\${${stop}:${inSnippet(text)}}`;
}

function inChoice(text: string): string {
  return text.replace(/[\\$},|]/g, '\\$&');
}

/** The JSON text of a new input's value; undefined for sockets, which only accept links. */
export function defaultText(spec: InputSpec): string | undefined {
  const value = defaultValue(spec);
  return value === undefined ? undefined : writeExact(value);
}

function defaultValue(spec: InputSpec): ExactValue | undefined {
  if (spec.forceInput) return undefined;
  if (spec.kind === 'combo')
    return spec.choices.includes(spec.default ?? null)
      ? spec.default
      : (spec.choices[0] ?? spec.default ?? '');
  if (spec.kind === 'dynamicCombo') return spec.default ?? spec.branches[0]?.key;
  if (spec.default !== undefined && spec.default !== null) return spec.default;
  switch (spec.kind) {
    case 'int':
      return typeof spec.min === 'bigint' && spec.min > 0n ? spec.min : 0n;
    case 'float':
      return spec.min !== undefined && spec.min > 0 ? spec.min : 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return undefined;
  }
}
