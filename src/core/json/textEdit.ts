import type { JsonArray, JsonObject, JsonRange } from './node';

/** Replace `length` characters at `offset` by `newText`; offsets are those of the text before any edit. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly newText: string;
}

/** Two edits overlap, or one is outside the text: nothing was changed. */
export class TextEditError extends Error {
  override readonly name = 'TextEditError';
}

/** The text with all edits applied. Edits may be in any order; insertions at one place keep theirs. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = [...edits].sort((a, b) => a.offset - b.offset || a.length - b.length);
  let result = '';
  let done = 0;
  for (const { offset, length, newText } of ordered) {
    if (offset < done || length < 0 || offset + length > text.length) {
      throw new TextEditError(`The edit at offset ${offset} overlaps another one or leaves the text.`);
    }
    result += text.slice(done, offset) + newText;
    done = offset + length;
  }
  return result + text.slice(done);
}

/** The one edit that makes a text another: what is between their common beginning and end. It splits no character. */
export function textDifference(old: string, current: string): TextEdit | undefined {
  if (old === current) return undefined;
  const most = Math.min(old.length, current.length);
  let start = sharedLength(old, current);
  if (/[\uD800-\uDBFF]/.test(old.charAt(start - 1))) start--;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === current.at(-1 - end)) end++;
  if (/[\uDC00-\uDFFF]/.test(old.charAt(old.length - end))) end--;
  return {
    offset: start,
    length: old.length - start - end,
    newText: current.slice(start, current.length - end),
  };
}

/** Characters that two texts begin with alike. */
export function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}

export function replaceValue(node: JsonRange, newText: string): TextEdit {
  return { offset: node.offset, length: node.length, newText };
}

/** Adds a property at the end of an object, laid out like the properties that are there. */
export function insertProperty(text: string, object: JsonObject, name: string, valueText: string): TextEdit {
  const last = object.properties.at(-1);
  if (!last) {
    const inner = emptyLayout(text, object);
    const newText = `${inner.before}${JSON.stringify(name)}: ${valueText}${inner.after}`;
    // An object that the text leaves open has no second bracket.
    return { offset: object.offset + 1, length: Math.max(0, object.length - 2), newText };
  }
  const separator = last.value ? colonLike(text, last.key, last.value) : ': ';
  const space = spaceBefore(text, last.offset, separator === ':' ? '' : ' ');
  const newText = `,${space}${JSON.stringify(name)}${separator}${valueText}`;
  return { offset: last.offset + last.length, length: 0, newText };
}

export function setProperty(text: string, object: JsonObject, name: string, valueText: string): TextEdit {
  const value = object.get(name);
  return value ? replaceValue(value, valueText) : insertProperty(text, object, name, valueText);
}

export function appendItem(list: JsonArray, text: string): TextEdit {
  const last = list.items.at(-1);
  const offset = last ? last.offset + last.length : list.offset + 1;
  return { offset, length: 0, newText: last ? `, ${text}` : text };
}

/** Removes some items of a list, or members of an object, each with its comma; neighbors in one edit. */
export function removedItems<T extends JsonRange>(
  items: readonly T[],
  isMeant: (item: T) => boolean,
): TextEdit[] {
  const places = items.flatMap((item, index) => (isMeant(item) ? [index] : []));
  return removedAt(items, places);
}

/** Does the same for items at these places, in order. Takes as many steps as there are places. */
export function removedAt(items: readonly JsonRange[], places: readonly number[]): TextEdit[] {
  const starts = places.filter((index, at) => places[at - 1] !== index - 1);
  const ends = places.filter((index, at) => places[at + 1] !== index + 1);
  return starts.flatMap((start, run) => {
    const end = ends[run] ?? start;
    const [first, last, before, after] = [items[start], items[end], items[start - 1], items[end + 1]];
    if (!first || !last) return [];
    const from = before ? before.offset + before.length : first.offset;
    const to = !before && after ? after.offset : last.offset + last.length;
    return [{ offset: from, length: to - from, newText: '' }];
  });
}

export function removeProperty(object: JsonObject, name: string): TextEdit | undefined {
  const index = object.properties.findLastIndex((each) => each.name === name);
  return removedAt(object.properties, index < 0 ? [] : [index])[0];
}

/** The separator between a name and its value: a colon with the file's whitespace. */
function colonLike(text: string, key: JsonRange, value: JsonRange): string {
  const between = text.slice(key.offset + key.length, value.offset);
  return /^[ \t]*:[ \t]*$/.test(between) ? between : ': ';
}

/** The white space before a property: a line break with its indentation, or the blanks after a comma; `first` after a bracket. */
function spaceBefore(text: string, offset: number, first: string): string {
  let start = offset;
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start--;
  const space = text.slice(start, offset);
  if (text.charAt(start - 1) === '{' && !/[\r\n]/.test(space)) return first;
  return /[\r\n]/.test(space) ? space.slice(space.search(/\r?\n[^\n]*$/)) : space;
}

/** How to format the first member of an empty object: on its own line if the file has several lines. */
function emptyLayout(text: string, object: JsonObject): { before: string; after: string } {
  const lineStart = text.lastIndexOf('\n', object.offset) + 1;
  const isOnLines = text.includes('\n') && /^\s*(?:"|\{|$)/.test(text.slice(lineStart, object.offset));
  if (!isOnLines) return { before: '', after: '' };
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { before: eol + indent + indentUnit(text), after: eol + indent };
}

/** One step of indentation: that of the first indented line. */
function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

/** The text of a node or property as in the file: what is posted is cut, never regenerated. */
export function sourceTextIn(text: string, node: JsonRange): string {
  return text.slice(node.offset, node.offset + node.length);
}
