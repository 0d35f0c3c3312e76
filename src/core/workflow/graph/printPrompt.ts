import { type ExactValue, isExactList, isExactObject } from '../../json/exactValue';
import {
  JsonArray,
  JsonBoolean,
  type JsonNode,
  JsonNull,
  JsonNumber,
  JsonObject,
  JsonProperty,
  JsonString,
} from '../../json/node';
import type { JsonDocument } from '../../json/tree';
import type { PackIdentity } from '../packIdentity';

export interface PromptEntry {
  readonly classType: string;
  readonly title: string;
  readonly pack: PackIdentity;
  readonly inputs: ReadonlyMap<string, ExactValue>;
}

/** A prompt as compact JSON with every digit, and its tree; undefined beyond `longest` characters. */
export function printPrompt(
  entries: ReadonlyMap<string, PromptEntry>,
  longest: number,
): JsonDocument | undefined {
  const printer = new Printer();
  const root = printer.object(inEditorOrder(entries), (entry) => {
    const isLast = printer.length > longest;
    return printer.object(isLast ? [] : nodeMembers(entry), (value) => printer.value(value));
  });
  return printer.length > longest ? undefined : { text: printer.text, root, problems: [] };
}

function nodeMembers({
  classType,
  title,
  pack,
  inputs,
}: PromptEntry): readonly (readonly [string, ExactValue])[] {
  return [
    ['inputs', inputs],
    ['class_type', classType],
    ['_meta', new Map([['title', title], ...Object.entries(pack)])],
  ];
}

class Printer {
  length = 0;
  readonly #parts: string[] = [];
  /** Names in quotes, with the colon after them: the same few recur. */
  readonly #names = new Map<string, string>();

  get text(): string {
    return this.#parts.join('');
  }

  value(value: ExactValue): JsonNode {
    const offset = this.length;
    if (typeof value === 'string') return new JsonString(offset, this.#put(JSON.stringify(value)), value);
    if (isExactList(value)) return this.#list(value);
    if (isExactObject(value)) return this.object(inEditorOrder(value), (member) => this.value(member));
    if (typeof value === 'boolean') {
      this.#put(String(value));
      return new JsonBoolean(offset, value);
    }
    // Like JSON.stringify: NaN becomes null.
    const text = typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
    this.#put(text);
    return text === 'null' ? new JsonNull(offset) : new JsonNumber(offset, text);
  }

  object<T>(members: Iterable<readonly [string, T]>, print: (member: T) => JsonNode): JsonObject {
    const object = new JsonObject(this.length);
    const properties: JsonProperty[] = [];
    this.#put('{');
    for (const [name, member] of members) {
      if (properties.length > 0) this.#put(',');
      const property = new JsonProperty(this.length, this.#put(this.#nameText(name)) - 1, name);
      property.value = print(member);
      properties.push(property);
    }
    this.#put('}');
    object.properties = properties;
    object.length = this.length - object.offset;
    return object;
  }

  #list(values: readonly ExactValue[]): JsonArray {
    const offset = this.length;
    const items: JsonNode[] = [];
    this.#put('[');
    for (const value of values) {
      if (items.length > 0) this.#put(',');
      items.push(this.value(value));
    }
    this.#put(']');
    const list = new JsonArray(offset, items);
    list.length = this.length - offset;
    return list;
  }

  #nameText(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const text = `${JSON.stringify(name)}:`;
    this.#names.set(name, text);
    return text;
  }

  #put(part: string): number {
    this.#parts.push(part);
    this.length += part.length;
    return part.length;
  }
}

/** In the browser, integer names come first, ascending; all others keep their order. */
function inEditorOrder<T>(members: ReadonlyMap<string, T>): Iterable<readonly [string, T]> {
  if (!holdsIndex(members)) return members;
  const numbers: [string, T][] = [];
  const others: [string, T][] = [];
  for (const member of members) (isIndex(member[0]) ? numbers : others).push(member);
  return [...numbers.sort(([a], [b]) => Number(a) - Number(b)), ...others];
}

function holdsIndex(members: ReadonlyMap<string, unknown>): boolean {
  for (const name of members.keys()) if (isIndex(name)) return true;
  return false;
}

function isIndex(name: string): boolean {
  // Most names are words.
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57 && /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1;
}

/** JSON on one line, with numbers as in the file; the last of duplicate names counts, NaN and Infinity become null. */
export function compactText(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return objectText(node);
    case 'array':
      return `[${node.items.map(compactText).join(',')}]`;
    case 'number':
      return node.text;
    case 'nonFinite':
      return 'null';
    case 'string':
    case 'boolean':
    case 'null':
      return JSON.stringify(node.value);
  }
}

function objectText(object: JsonObject): string {
  const members = new Map<string, string>();
  for (const { name, value } of object.properties) if (value) members.set(name, compactText(value));
  return `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}
