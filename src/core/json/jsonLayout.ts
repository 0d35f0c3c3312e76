import { type JsonArray, type JsonNode, type JsonObject, rangeEnd } from './node';
import { sourceTextIn } from './textEdit';

/** A value that is written into a file: the text of a scalar, or the parts of a list or an object. */
export type NewJson = string | readonly NewJson[] | ReadonlyMap<string, NewJson>;

/** How a file lays out its JSON, so that what is written into it looks like what is beside it. */
export class JsonLayout {
  /** One step of indentation; undefined if the file is on one line. */
  private readonly unit: string | undefined;
  private readonly eol: string;
  /** Lists of numbers and texts are on one line, though objects are not. */
  private readonly hasFlatLists: boolean;
  private readonly colon: string;
  /** After the name of a member that isn't on a line of its own. */
  private readonly colonInLine: string;
  /** Between two values on one line. */
  private readonly comma: string;

  constructor(private readonly text: string) {
    this.eol = text.includes('\r\n') ? '\r\n' : '\n';
    this.unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? (/\{\r?\n"/.test(text) ? '' : undefined);
    this.hasFlatLists = /\[ ?-?\d/.test(text);
    this.colon = /"nodes"(\s*:\s*)/.exec(text)?.[1] ?? ': ';
    this.colonInLine = /[{,] ?"[^"\\\n]*"( ?: ?)/.exec(text)?.[1] ?? this.colon;
    this.comma = /\[ ?-?[\d.]+(,[ \t]*)-?\d/.exec(text)?.[1] ?? (this.colonInLine === ':' ? ',' : ', ');
  }

  /** The text of a new member's value. */
  memberText(object: JsonObject, value: NewJson): string {
    const [first, last] = [object.properties[0], object.properties.at(-1)];
    if (!first || !last) {
      const isOnLines = this.unit !== undefined && /^[ \t]*(?:"|\{|$)/.test(this.lineBefore(object.offset));
      return this.write(value, isOnLines ? this.indentAt(object.offset) + this.unit : undefined);
    }
    const isOnLines = this.hasBreak(object.offset, first.offset);
    return this.write(value, isOnLines ? this.indentAt(last.offset) : undefined);
  }

  /** The text of a new item of a list, like its last one. */
  itemText(list: JsonArray, value: NewJson): string {
    const last = list.items.at(-1);
    if (!last) {
      const { unit } = this;
      return this.write(value, unit === undefined ? undefined : this.indentAt(list.offset) + unit);
    }
    const isLike = typeof value !== 'string' && (last.kind === 'object' || last.kind === 'array');
    const isOnLines = isLike
      ? this.hasBreak(last.offset, rangeEnd(last)) || isEmptyContainer(last)
      : this.isOnLines(list);
    return this.write(value, isOnLines ? this.indentAt(last.offset) : undefined);
  }

  /** The text of a value in the place of another one. */
  valueText(old: JsonNode, value: NewJson): string {
    const isOnLines = isEmptyContainer(old)
      ? this.unit !== undefined && this.hasBreak(0, old.offset)
      : this.hasBreak(old.offset, rangeEnd(old));
    return this.write(value, isOnLines ? this.indentAt(old.offset) : undefined);
  }

  /** New items of a list that keeps some of its own, with a comma before each. */
  appendedText(list: JsonArray, texts: readonly string[]): string {
    const [before, last] = [list.items.at(-2), list.items.at(-1)];
    if (!last) return '';
    const start = before ? rangeEnd(before) : list.offset + 1;
    const between = this.text.slice(start, last.offset);
    const space = before ? between : `,${between}`;
    const isPlain = space.trim() === ',' && (before !== undefined || between !== '');
    const separator = isPlain ? space : this.comma;
    return texts.map((each) => separator + each).join('');
  }

  /** All items of a list that keeps none of its own, with what is around them inside the brackets. */
  filledText(list: JsonArray, texts: readonly string[]): string {
    const isOnLines = list.items[0]
      ? this.isOnLines(list)
      : this.unit !== undefined && !(this.hasFlatLists && texts.every((each) => !/^[[{]/.test(each)));
    if (!isOnLines) return texts.join(this.comma);
    const indent = this.indentAt(list.offset);
    const line = this.eol + this.indentInside(indent);
    return `${line}${texts.join(`,${line}`)}${this.eol}${indent}`;
  }

  /** @param indent of the line where it starts; undefined to write it on one line */
  private write(value: NewJson, indent: string | undefined): string {
    if (typeof value === 'string') return value;
    const inner = indent === undefined ? undefined : this.indentInside(indent);
    const colon = indent === undefined ? this.colonInLine : this.colon;
    const isList = isNewList(value);
    const [open, close] = isList ? ['[', ']'] : ['{', '}'];
    const parts = isList
      ? value.map((each) => this.write(each, inner))
      : [...value].map(([name, each]) => JSON.stringify(name) + colon + this.write(each, inner));
    if (parts.length === 0) return `${open}${close}`;
    const isFlat = isList && this.hasFlatLists && value.every((each) => typeof each === 'string');
    if (inner === undefined || isFlat) return open + parts.join(this.comma) + close;
    const line = this.eol + inner;
    return `${open}${line}${parts.join(`,${line}`)}${this.eol}${indent}${close}`;
  }

  private isOnLines(list: JsonArray): boolean {
    const [first] = list.items;
    return first !== undefined && this.hasBreak(list.offset, first.offset);
  }

  private hasBreak(start: number, end: number): boolean {
    const at = this.text.indexOf('\n', start);
    return at >= 0 && at < end;
  }

  private lineBefore(offset: number): string {
    return this.text.slice(this.text.lastIndexOf('\n', offset - 1) + 1, offset);
  }

  private indentAt(offset: number): string {
    const line = this.lineBefore(offset);
    return line.slice(0, line.search(/[^ \t]|$/));
  }

  private indentInside(indent: string): string {
    return indent + (this.unit ?? '');
  }
}

/** (`Array.isArray` does not narrow read-only arrays.) */
export function isNewList(value: NewJson): value is readonly NewJson[] {
  return Array.isArray(value);
}

function isEmptyContainer(node: JsonNode): boolean {
  if (node.kind === 'array') return node.items.length === 0;
  return node.kind === 'object' && node.properties.length === 0;
}

/**
 * A value of one text for another one.
 * @param known the value that it replaces, in a text whose numbers may have digits that this one has lost
 * @param isLeftOut names of members that are not written
 */
export function newJson(
  text: string,
  node: JsonNode,
  isLeftOut: (name: string) => boolean = () => false,
  known?: { readonly text: string; readonly node: JsonNode | undefined },
): NewJson {
  const old = known?.node;
  const knownAs = (part: JsonNode | undefined): typeof known => known && { text: known.text, node: part };
  switch (node.kind) {
    case 'object': {
      const members = node.properties.flatMap(({ name, value }) => {
        if (!value || isLeftOut(name)) return [];
        const part = old?.kind === 'object' ? old.get(name) : undefined;
        return [[name, newJson(text, value, isLeftOut, knownAs(part))] as const];
      });
      return new Map(members);
    }
    case 'array': {
      const items = old?.kind === 'array' ? old.items : [];
      const byId = new Map(items.map((each) => [idText(each), each]));
      return node.items.map((each, index) => {
        const id = idText(each);
        const part = id === undefined ? items[index] : byId.get(id);
        return newJson(text, each, isLeftOut, knownAs(part));
      });
    }
    case 'number':
      if (known && old?.kind === 'number' && old.value === node.value) return sourceTextIn(known.text, old);
      return node.text;
    default:
      return sourceTextIn(text, node);
  }
}

function idText(node: JsonNode): string | undefined {
  const id = node.kind === 'object' ? node.get('id') : undefined;
  return id?.kind === 'number' || id?.kind === 'string' ? String(id.value) : undefined;
}
