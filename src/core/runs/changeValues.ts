import type { Catalog } from '../catalog/catalog';
import { expandInputs } from '../catalog/dynamic';
import { makeValueField, type ValueField, wrongValues } from '../check/valueField';
import type { JsonNode } from '../json/node';
import { applyEdits, replaceValue, sourceTextIn, type TextEdit } from '../json/textEdit';
import { parseJson } from '../json/tree';
import { sentencesText, t } from '../safety/localize';
import { promptInputNamed, promptFromText, type PromptNode, exactInputValue } from '../workflow/prompt';

export interface ValueChange {
  readonly node: string;
  readonly input: string;
  /** The text itself where the prompt has a text; JSON for every other value. */
  readonly text: string;
}

export type ChangedValues =
  | { readonly kind: 'changed'; readonly promptText: string }
  | { readonly kind: 'problem'; readonly message: string; readonly nextAction: string };

/** Each value keeps its kind, and its digits as typed. Links can't be changed; every other character stays. */
export function changeValues(promptText: string, changes: readonly ValueChange[]): ChangedValues {
  const prompt = promptFromText(promptText);
  const edits = new Map<number, TextEdit>();
  for (const { node: id, input: name, text } of changes) {
    const node = prompt.node(id);
    const input = node && promptInputNamed(node, name);
    if (!input || input.link) {
      return problem(t`The workflow has no input ${`${id}.${name}`}.`, t`Open the run record again.`);
    }
    const title = `${node.title ?? node.classType ?? t`Node`} (${id}), ${name}`;
    const newText = valueText(input.valueNode, text);
    if (newText === undefined) return problem(...wrongValue(input.valueNode, title, text));
    edits.set(input.valueNode.offset, replaceValue(input.valueNode, newText));
  }
  return { kind: 'changed', promptText: applyEdits(promptText, [...edits.values()]) };
}

export interface InputField {
  readonly node: string;
  readonly input: string;
  readonly field: ValueField;
}

/** Links have none. */
export function inputFields(promptText: string, catalog: Catalog): readonly InputField[] {
  return promptFromText(promptText).nodes.flatMap((node) => {
    const definition = node.classType === undefined ? undefined : catalog.get(node.classType);
    if (!definition) return [];
    const given = new Map(node.inputs.map((each) => [each.name, exactInputValue(each)]));
    return expandInputs(definition, given).inputs.flatMap(({ name, spec }) => {
      const input = promptInputNamed(node, name);
      if (!input || input.link) return [];
      return [{ node: node.id, input: name, field: makeValueField(spec, input.valueNode) }];
    });
  });
}

export interface WrongChange {
  readonly node: string;
  readonly input: string;
  readonly message: string;
}

/** The changes that a prompt can't have: values of another kind, or not allowed by the definitions. */
export function wrongChanges(
  promptText: string,
  changes: readonly ValueChange[],
  catalog: Catalog | undefined,
): readonly WrongChange[] {
  const prompt = promptFromText(promptText);
  return changes.flatMap(({ node: id, input: name, text }): WrongChange[] => {
    const node = prompt.node(id);
    const input = node && promptInputNamed(node, name);
    if (!input || input.link) return [];
    const written = valueText(input.valueNode, text);
    if (written === undefined) {
      const [message, nextAction] = wrongValue(input.valueNode, name, text);
      return [{ node: id, input: name, message: sentencesText(message, nextAction) }];
    }
    if (!catalog) return [];
    const own = changes.filter((each) => each.node === id);
    const { classType = '' } = node;
    const judged = { classType, values: valuesWith(promptText, node, own) };
    return wrongValues(judged, name, [written], catalog).map(({ message }) => ({
      node: id,
      input: name,
      message,
    }));
  });
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

function problem(message: string, nextAction: string): ChangedValues {
  return { kind: 'problem', message, nextAction };
}
