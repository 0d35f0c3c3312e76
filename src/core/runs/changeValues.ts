import type { JsonNode } from '../json/node';
import { applyEdits, replaceValue, type TextEdit } from '../json/textEdit';
import { parseJson } from '../json/tree';
import { t } from '../safety/localize';
import { inputNamed, promptFromText } from '../workflow/prompt';

/** A new value for an input of a prompt. */
export interface ValueChange {
  readonly node: string;
  readonly input: string;
  /** The text itself where the prompt has a text; JSON for every other value. */
  readonly text: string;
}

export type ChangedValues =
  | { readonly kind: 'changed'; readonly promptText: string }
  /** A sentence, and what to do. */
  | { readonly kind: 'problem'; readonly message: string; readonly nextAction: string };

/**
 * A prompt with other values. Each keeps its kind: a number stays a number, with the digits as they are typed. Links
 * can't be changed, and every other character stays.
 */
export function changeValues(promptText: string, changes: readonly ValueChange[]): ChangedValues {
  const prompt = promptFromText(promptText);
  const edits = new Map<number, TextEdit>();
  for (const { node: id, input: name, text } of changes) {
    const node = prompt.node(id);
    const input = node && inputNamed(node, name);
    if (!input || input.link) {
      return problem(t`The workflow has no input ${name} on node ${id}.`, t`Open the run record again.`);
    }
    const title = `${node.title ?? node.classType ?? t`Node`} (${id}), ${name}`;
    const newText = valueText(input.valueNode, text);
    if (newText === undefined) return problem(...wrongValue(input.valueNode, title, text));
    edits.set(input.valueNode.offset, replaceValue(input.valueNode, newText));
  }
  return { kind: 'changed', promptText: applyEdits(promptText, [...edits.values()]) };
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
      return [t`${title}: ${typed.trim()} is not a number.`, t`Write it as 20 or 7.5.`];
    case 'boolean':
      return [t`${title}: the value must be true or false.`, t`Choose one of them.`];
    default:
      return [t`${title}: the value must be valid JSON, and not a link.`, t`Fix the value, then run again.`];
  }
}

function problem(message: string, nextAction: string): ChangedValues {
  return { kind: 'problem', message, nextAction };
}
