import { type JsonRange, rangeEnd } from '../../json/node';
import type { TextEdit } from '../../json/textEdit';
import { type JsonPlace } from '../places/jsonPlace';

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

export type CompletionKind = 'classType' | 'input' | 'value' | 'link' | 'slot' | 'model' | 'node' | 'member';

/** One suggestion. The edit replaces the text at the cursor and never spans lines. */
export interface Completion {
  readonly kind: CompletionKind;
  readonly label: string;
  readonly detail?: string | undefined;
  /** Markdown. For node types, it is available from `classMarkdown`. */
  readonly documentation?: string | undefined;
  readonly edit: TextEdit;
  readonly furtherEdits?: readonly TextEdit[] | undefined;
  /** In a snippet `$1`, `${2:…}` are places to fill in. */
  readonly isSnippet: boolean;
  readonly filterText: string;
  /** Suggestions are shown in the order of these. */
  readonly sortText: string;
  readonly isDeprecated?: boolean;
  readonly localFile?: string | undefined;
}

/** The place of suggestions, and how they are matched with the existing text. */
export interface Slot {
  readonly range: JsonRange;
  /** Added before and after each of them: the commas of the surrounding list. */
  readonly before: string;
  readonly after: string;
}

export interface Suggestion {
  readonly kind: CompletionKind;
  readonly label: string;
  readonly newText: string;
  readonly detail?: string | undefined;
  readonly documentation?: string | undefined;
  readonly words?: string | undefined;
  readonly rank: number;
  readonly isSnippet?: boolean;
  readonly isDeprecated?: boolean;
  readonly furtherEdits?: readonly TextEdit[] | undefined;
  readonly localFile?: string | undefined;
}

export function completionsIn(slot: Slot, suggestions: readonly Suggestion[]): Completion[] {
  return suggestions.map((each, index) => {
    const { kind, label, newText, detail, documentation, words, rank, furtherEdits, localFile } = each;
    return {
      kind,
      label,
      detail,
      documentation,
      edit: {
        offset: slot.range.offset,
        length: slot.range.length,
        newText: slot.before + newText + slot.after,
      },
      furtherEdits,
      isSnippet: each.isSnippet === true,
      filterText: words === undefined ? plainText(each) : `${plainText(each)} ${words}`,
      sortText: `${String(rank).padStart(3, '0')}${String(index).padStart(6, '0')}`,
      ...(each.isDeprecated === true ? { isDeprecated: true } : {}),
      ...(localFile === undefined ? {} : { localFile }),
    };
  });
}

export function inSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

function plainText({ newText, label, isSnippet }: Suggestion): string {
  return isSnippet === true ? JSON.stringify(label) : newText;
}
