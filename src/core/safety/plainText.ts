import { budgets } from './budgets';

/** What a place has room for: one line, or line breaks as they are. */
export type LineBreaks = 'one line' | 'kept';

/** Emoji that consist of several characters: without the ones that join them the picture falls apart. */
const emoji =
  /[#*0-9]\uFE0F\u20E3?|\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?){0,99}/u;
/**
 * Invisible characters with effects: bidirectional overrides, joiners, tags, fillers, variation selectors, lone
 * surrogates. Controls and separators are not among them: they are replaced by a space. So many at a time: millions in a
 * row are too much for an expression.
 */
const unseen = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]{1,999}/u;
const emojiOrUnseen = new RegExp(`(?<emoji>${emoji.source})|${unseen.source}`, 'gu');

/** Line breaks and every other control character, with the white space around them. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}][\p{Cc}\p{Zl}\p{Zp}\s]*/gu;
const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/gu;
const controls = /[^\P{Cc}\n]+/gu;

/** Characters that are always shown unchanged: nearly all text consists of them. */
const harmless = /^[ -~]*$/;

/**
 * Outside text as it may be shown: nothing in it moves a cursor, changes the direction of its surroundings, or hides.
 * Longer text is cut and ends with "…".
 */
export function plainText(
  text: string,
  lines: LineBreaks = 'one line',
  most: number = budgets.shownText,
): string {
  if (text.length <= most && harmless.test(text)) return text.trim();
  // First, so that the rest is cheap; there may be many invisible characters.
  const start = text.length > 8 * most ? text.slice(0, 8 * most) : text;
  const seen = start.replace(emojiOrUnseen, (found, kept?: string) => (kept === undefined ? '' : found));
  const broken =
    lines === 'one line'
      ? seen.replace(breaks, (_found, at: number) => (seen[at - 1] === ' ' ? '' : ' '))
      : seen.replace(lineBreak, '\n').replace(controls, ' ');
  const trimmed = broken.trim();
  return trimmed.length > most || start.length < text.length ? `${cutAt(trimmed, most - 1)}…` : trimmed;
}

/** The first characters of a text, never half of one. */
function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const splits = text.length > length && last >= 0xd800 && last < 0xdc00;
  return text.slice(0, splits ? length - 1 : length).trimEnd();
}

/**
 * Text for a terminal or a log, however long, with its line breaks and tabs: no escape sequence, nothing that turns
 * the direction of text, nothing that hides.
 */
export function printable(text: string): string {
  return text
    .replace(emojiOrUnseen, (found, kept?: string) => (kept === undefined ? '' : found))
    .replace(/\r\n/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}]/gu, ' ');
}

/** JSON whose strings contain escapes for what must not reach a terminal or a build server: it means the same. */
export function printableJson(json: string): string {
  return json.replace(unprintable, escapes).replaceAll('##[', '#\\u0023[');
}

const unprintable =
  /[^\P{Cc}\n\r\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

function escapes(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
