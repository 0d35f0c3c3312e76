import type { Catalog } from '../catalog/catalog';
import { makeValueField, wrongValues } from '../check/valueField';
import type { JsonNode } from '../json/node';
import { applyEdits, replaceValue, sourceTextIn, type TextEdit } from '../json/textEdit';
import { parseJson } from '../json/tree';
import { sentencesText, t } from '../safety/localize';
import { inputSpecs, promptInputNamed, promptFromText, type PromptNode } from '../workflow/prompt';

export interface ValueChange {
  readonly node: string;
  readonly input: string;
  /** The text itself where the prompt has a text; JSON for every other value. */
  readonly text: string;
}

/** Each value keeps its kind, and its digits as typed. Links can't be changed; every other character stays. */
export function changeValues(promptText: string, changes: readonly ValueChange[]) {
  const prompt = promptFromText(promptText);
  const edits = new Map<number, TextEdit>();
  for (const { node: id, input: name, text } of changes) {
    const node = prompt.node(id);
    const now = node && literalOf(node, name);
    if (!now) {
      return problem(t`The workflow has no input ${`${id}.${name}`}.`, t`Open the run record again.`);
    }
    const title = `${node.title ?? node.classType ?? t`Node`} (${id}), ${name}`;
    const newText = valueText(now, text);
    if (newText === undefined) return problem(...wrongValue(now, title, text));
    edits.set(now.offset, replaceValue(now, newText));
  }
  return { kind: 'changed', promptText: applyEdits(promptText, [...edits.values()]) } as const;
}

export type InputField = ReturnType<typeof inputFields>[number];

/** Links have none. */
export function inputFields(promptText: string, catalog: Catalog) {
  return promptFromText(promptText).nodes.flatMap((node) =>
    [...inputSpecs(node, catalog)].flatMap(([input, spec]) => {
      const now = literalOf(node, input);
      return now ? [{ node: node.id, input, field: makeValueField(spec, now) }] : [];
    }),
  );
}

export interface WrongChange extends Omit<ValueChange, 'text'> {
  readonly message: string;
}

/** The changes that a prompt can't have: values of another kind, or not allowed by the definitions. */
export function wrongChanges(
  promptText: string,
  changes: readonly ValueChange[],
  catalog: Catalog | undefined,
): readonly WrongChange[] {
  const prompt = promptFromText(promptText);
  return changes.flatMap(({ node: id, input, text }): WrongChange[] => {
    const node = prompt.node(id);
    const now = node && literalOf(node, input);
    if (!now) return [];
    const written = valueText(now, text);
    if (written === undefined)
      return [{ node: id, input, message: sentencesText(...wrongValue(now, input, text)) }];
    if (!catalog) return [];
    const own = changes.filter((each) => each.node === id);
    const { classType = '' } = node;
    const judged = { classType, values: valuesWith(promptText, node, own) };
    const wrong = wrongValues(judged, input, [written], catalog);
    return wrong.map(({ message }) => ({ node: id, input, message }));
  });
}

function literalOf(node: PromptNode, input: string): JsonNode | undefined {
  const found = promptInputNamed(node, input);
  return found?.link ? undefined : found?.valueNode;
}

function valuesWith(
  promptText: string,
  { inputs }: PromptNode,
  changes: readonly ValueChange[],
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { name, link, valueNode } of inputs) {
    const changed = changes.find((each) => each.input === name);
    const written = changed && valueText(valueNode, changed.text);
    if (!link) values.set(name, written ?? sourceTextIn(promptText, valueNode));
  }
  return values;
}

/** The JSON of a typed value; undefined if it is not of the kind that is there. */
function valueText(now: JsonNode, typed: string): string | undefined {
  const text = typed.trim();
  switch (now.kind) {
    case 'string':
      return JSON.stringify(typed);
    case 'number':
      return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? text : undefined;
    case 'boolean':
      return text === 'true' || text === 'false' ? text : undefined;
    default: {
      const { root, problems } = parseJson(text);
      // A list of a node and a slot would be a link.
      return root && problems.length === 0 && !isLink(root) ? text : undefined;
    }
  }
}

function isLink(node: JsonNode): boolean {
  if (node.kind !== 'array' || node.items.length !== 2) return false;
  return node.items[0]?.kind === 'string' && node.items[1]?.kind === 'number';
}

function wrongValue(now: JsonNode, title: string, typed: string): [string, string] {
  switch (now.kind) {
    case 'number':
      return [t`${title}: ${typed.trim()} is not a number.`, t`Enter a number such as 20 or 7.5.`];
    case 'boolean':
      return [t`${title}: the value must be true or false.`, t`Enter true or false.`];
    default:
      return [t`${title}: the value must be valid JSON, and not a link.`, t`Fix the value, then run again.`];
  }
}

function problem(message: string, nextAction: string) {
  return { kind: 'problem', message, nextAction } as const;
}
