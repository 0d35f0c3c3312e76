import type { JsonObject } from '../../json/node';
import type { Slot } from './completion';

export interface SnippetLayout {
  readonly before: string;
  readonly between: string;
  readonly after: string;
  /** The line start inside such a member, and before its last line. */
  readonly inner: string;
  readonly outer: string;
}

/** A member is on its own line if the position is, and in an empty object of a multi-line file. */
export function layoutAt(text: string, object: JsonObject, { range }: Slot): SnippetLayout {
  const line = text.slice(text.lastIndexOf('\n', range.offset - 1) + 1, range.offset);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  if (!text.includes('\n')) return { before: '', between: ', ', after: '', inner: ' ', outer: ' ' };
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const on = (own: string): Pick<SnippetLayout, 'inner' | 'outer'> => ({
    inner: `\n${own}${unit}`,
    outer: `\n${own}`,
  });
  if (line === indent) return { before: '', between: `,\n${indent}`, after: '', ...on(indent) };
  const isFirst = object.properties.every(({ offset }) => offset >= range.offset);
  const bracket = text.slice(object.offset + 1, range.offset);
  if (!isFirst || bracket.trim() !== '' || bracket.includes('\n')) {
    return { before: '', between: ', ', after: '', ...on(indent) };
  }
  const own = indent + unit;
  const closes = /^[ \t]*\}/.test(text.slice(range.offset + range.length));
  return { before: `\n${own}`, between: `,\n${own}`, after: closes ? `\n${indent}` : '', ...on(own) };
}
