import { budgets } from './budgets';

/** Emoji that consist of several characters: without the ones that join them the picture falls apart. */
const emoji =
  /[#*0-9]\uFE0F\u20E3?|\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?){0,99}/u;
/** Invisible characters with effects, such as overrides of direction; millions at a time are too much for an expression. */
const unseen = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]{1,999}/u;
const emojiOrUnseen = new RegExp(`(?<emoji>${emoji.source})|${unseen.source}`, 'gu');

const breaks = /[\p{Cc}\p{Zl}\p{Zp}][\p{Cc}\p{Zl}\p{Zp}\s]*/gu;
const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/gu;
const controls = /[^\P{Cc}\n]+/gu;

/** Characters that are always shown unchanged: nearly all text consists of them. */
const harmless = /^[ -~]*$/;

/** Outside text that can't move a cursor, change the direction of its surroundings or hide. Longer text ends with "…". */
export function plainText(
  text: string,
  lines: 'one line' | 'kept' = 'one line',
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

function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const splits = text.length > length && last >= 0xd800 && last < 0xdc00;
  return text.slice(0, splits ? length - 1 : length).trimEnd();
}

/** Text of any length for a terminal or log, with line breaks and tabs but without escape sequences and hidden characters. */
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
