import { countAt } from '../safety/lists';
import { advances, kerning } from './interWidths.json';

/** The widths that a browser uses for characters that the font lacks: full width for East Asian ones and emoji. */
const [wide, other] = [10_000, 6_000] as const;

let widths: Map<string, number> | undefined;

/**
 * The widths of the font of the ComfyUI page, Inter, as a browser measures them at 14 px: of characters, and what two
 * of them beside each other add, in ten-thousandths of the font size. They count at 12 px, too.
 */
function table(): ReadonlyMap<string, number> {
  if (widths) return widths;
  widths = new Map();
  for (const [width, characters] of Object.entries(advances))
    for (const each of characters) widths.set(each, Number(width));
  for (const [width, pairs] of Object.entries(kerning))
    for (const each of pairs.match(/../g) ?? []) widths.set(each, Number(width));
  return widths;
}

/** The width of a text in the page's font, in graph units. @param size of the font: 12 or 14 */
export function textWidth(text: string, size: number): number {
  return measured(text, Infinity, size).width;
}

function measured(text: string, room: number, size: number): { fitting: string; width: number } {
  const known = table();
  let [sum, length, before] = [0, 0, ''];
  for (const character of text) {
    const own = known.get(character) ?? (character > '\u2e7f' ? wide : other);
    const next = sum + own + (before === '' ? 0 : countAt(known, before + character));
    if ((next * size) / 10_000 > room) break;
    sum = next;
    length += character.length;
    before = character;
  }
  return { fitting: text.slice(0, length), width: (sum * size) / 10_000 };
}

/** The longest start of a text that fits. @param counted as so much of its width the ending takes room */
export function cutToWidth(text: string, room: number, size: number, ending: string, counted = 1): string {
  if (measured(text, room, size).fitting === text) return text;
  return measured(text, room - counted * textWidth(ending, size), size).fitting + ending;
}
