import type { JsonRange } from '../../json/node';
import type { Slot } from './completion';
import { rangeEnd, type JsonPlace } from '../places/jsonPlace';

/** The text that a suggestion replaces. `inserted` characters after the cursor are not in the file. */
export function slotAt(text: string, place: JsonPlace, inserted: number): Slot {
  const { node, offset } = place;
  const commas =
    place.at === 'newName' || place.at === 'newValue' ? commasAt(text, place, inserted) : noCommas;
  if (!node) return { range: wordAt(text, offset, inserted), ...commas };
  if (node.kind === 'object' || node.kind === 'array') return { range: { offset, length: 0 }, ...noCommas };
  const isOpen = node.kind === 'string' && !isClosed(text, node);
  // An unclosed string extends to the end of the line; what is after the cursor is not part of it.
  const end = isOpen ? offset : Math.max(offset, rangeEnd(node) - (rangeEnd(node) > offset ? inserted : 0));
  return { range: { offset: node.offset, length: end - node.offset }, ...noCommas };
}

/** Whether a range is on one line: editors replace nothing else in a completion. */
export function isOnOneLine(text: string, { offset, length }: JsonRange): boolean {
  return !/[\r\n]/.test(text.slice(offset, offset + length));
}

const noCommas = { before: '', after: '' };

function isClosed(text: string, { offset, length }: JsonRange): boolean {
  return length > 1 && text.charAt(offset + length - 1) === '"';
}

function wordAt(text: string, offset: number, inserted: number): JsonRange {
  const before = lengthBefore(text.slice(Math.max(0, offset - 200), offset));
  const behind = inserted > 0 ? 0 : (/^[\w.+-]*/.exec(text.slice(offset, offset + 200))?.[0].length ?? 0);
  return { offset: offset - before, length: before + behind };
}

function commasAt(
  text: string,
  { containers, offset, property }: JsonPlace,
  inserted: number,
): Pick<Slot, 'before' | 'after'> {
  const container = containers.at(-1);
  if (!container || property) return noCommas;
  const members: readonly JsonRange[] = container.kind === 'object' ? container.properties : container.items;
  const previous = members.findLast((each) => each.offset < offset);
  const next = members.find((each) => each.offset >= offset + inserted && each !== previous);
  const { range } = { range: wordAt(text, offset, inserted) };
  const needsBefore = previous && !text.slice(rangeEnd(previous), range.offset).includes(',');
  const needsAfter = next && !text.slice(rangeEnd(range), next.offset).includes(',');
  return { before: needsBefore ? ', ' : '', after: needsAfter ? ',' : '' };
}

function lengthBefore(text: string): number {
  let start = text.length;
  while (start > 0 && /[\w.+-]/.test(text.charAt(start - 1))) start--;
  if (text.charAt(start - 1) === '"') start--;
  return text.length - start;
}
