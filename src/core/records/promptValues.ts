import { findExceededLimit } from '../json/boundedJson';
import type { JsonNode, JsonObject } from '../json/node';
import { sourceTextIn } from '../json/textEdit';
import { parseJson } from '../json/tree';
import { t } from '../safety/localize';
import { plainText } from '../safety/plainText';

export interface NodeValue {
  readonly name: string;
  /** Texts as they are; numbers with every digit of the prompt; what a link comes from. */
  readonly text: string;
  readonly isLink: boolean;
  /**
   * Missing for a link, and for what can't be shown exactly as it is. `exact`: the whole value, if `text` is not exactly
   * that: JSON, or the text itself.
   */
  readonly edit?:
    | { readonly kind: 'text' | 'number' | 'boolean' | 'json'; readonly exact?: string | undefined }
    | undefined;
}

/** `tooLarge`: reading it would take too much memory; `unreadable`: it is not a prompt. */
export type PromptReading = ReturnType<typeof nodeValues>;

const most = {
  bytes: 16 * 1024 * 1024,
  values: 500_000,
  nodes: 2_000,
  inputs: 200,
  /** One value, and all of them, in characters. */
  value: 20_000,
  total: 2_000_000,
} as const;

/** The values of a prompt's nodes. Bounded, since prompts may come from outside; never throws. */
export function nodeValues(promptText: string) {
  const entries = nodeEntries(promptText);
  if (typeof entries === 'string') return { kind: entries } as const;
  const shown = entries.slice(0, most.nodes);
  const reader = new ValueReader(promptText, new Map(shown.map(({ id, name }) => [id, name])));
  const nodes = shown.map(({ id, node }) => reader.node(id, node));
  return { kind: 'read', nodes, moreNodes: entries.length - nodes.length } as const;
}

/** The names of a prompt's nodes, by ID and in its order: title or node type. Empty for what can't be read. */
export function promptNodeNames(promptText: string): Readonly<Record<string, string>> {
  const entries = nodeEntries(promptText);
  if (typeof entries === 'string') return {};
  return Object.fromEntries(entries.slice(0, most.nodes).map(({ id, name }) => [id, name]));
}

function nodeEntries(promptText: string) {
  if (findExceededLimit(promptText, most) !== undefined) return 'tooLarge';
  const { root } = parseJson(promptText);
  if (root?.kind !== 'object') return 'unreadable';
  const entries = root.properties.flatMap(({ name: id, value: node }) =>
    node?.kind === 'object' ? [{ id, node, name: nodeTitle(node) ?? nodeType(node) }] : [],
  );
  return entries.length === 0 && root.properties.length > 0 ? 'unreadable' : entries;
}

class ValueReader {
  #left: number = most.total;

  constructor(
    private readonly text: string,
    private readonly titles: ReadonlyMap<string, string>,
  ) {}

  node(id: string, node: JsonObject) {
    const inputs = node.get('inputs');
    const properties = inputs?.kind === 'object' ? inputs.properties : [];
    const values: NodeValue[] = [];
    for (const { name, value } of properties.slice(0, most.inputs)) {
      if (this.#left <= 0) break;
      if (value) values.push(this.#value(name, value, isPlain(id)));
    }
    return {
      id: plainText(id),
      type: nodeType(node),
      title: nodeTitle(node),
      values,
      moreValues: properties.length - values.length,
    };
  }

  #value(name: string, value: JsonNode, isEditable: boolean): NodeValue {
    const link = this.#link(value);
    const room = Math.min(most.value, this.#left);
    const source = value.kind === 'string' ? value.value : this.#source(value);
    const text = link ?? plainText(source, 'kept', room);
    this.#left -= text.length + name.length;
    const edit = isEditable && link === undefined && isPlain(name) ? editOf(value, source, text) : undefined;
    return { name: plainText(name), text, isLink: link !== undefined, ...(edit && { edit }) };
  }

  #source(value: JsonNode): string {
    return sourceTextIn(this.text, { offset: value.offset, length: Math.min(value.length, most.value + 1) });
  }

  #link(value: JsonNode): string | undefined {
    if (value.kind !== 'array' || value.items.length !== 2) return undefined;
    const [from, slot] = value.items;
    if (from?.kind !== 'string' || slot?.kind !== 'number') return undefined;
    const title = this.titles.get(from.value) ?? from.value;
    return t`${plainText(title)} (node ${plainText(from.value)}), slot ${plainText(this.#source(slot))}`;
  }
}

/** A value that looks different from what it is, such as a text with invisible characters, can't be edited. */
function editOf(value: JsonNode, source: string, shown: string): NodeValue['edit'] {
  const isPlainKind = value.kind === 'number' || value.kind === 'boolean';
  const kind = value.kind === 'string' ? 'text' : isPlainKind ? value.kind : 'json';
  if (shown === source) return { kind };
  const usual = source.replaceAll('\r\n', '\n').replaceAll('\t', ' ').trim();
  return shown === usual ? { kind, exact: source } : undefined;
}

function isPlain(name: string): boolean {
  return plainText(name) === name;
}

function nodeType(node: JsonObject): string {
  const type = node.get('class_type');
  return type?.kind === 'string' ? plainText(type.value) : '';
}

function nodeTitle(node: JsonObject): string | undefined {
  const meta = node.get('_meta');
  const title = meta?.kind === 'object' ? meta.get('title') : undefined;
  return title?.kind === 'string' && title.value.trim() !== '' ? plainText(title.value) : undefined;
}
