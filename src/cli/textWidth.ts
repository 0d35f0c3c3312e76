import stringWidth from 'string-width';

/** What a reader sees as one character, such as an emoji of several code points or a letter with its accents. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function charactersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Scripts without spaces, and their punctuation: a line may break between any two of their characters. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/;

/** How many columns of a terminal a text takes up. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

export function paddedTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - widthOf(text), 0));
}

/** The start of a text that fits. */
export function cutTo(text: string, columns: number): string {
  let width = 0;
  let fitting = '';
  for (const character of charactersOf(text)) {
    width += widthOf(character);
    if (width > columns) return fitting;
    fitting += character;
  }
  return text;
}

/** Characters that must not start a line. */
const closing = /^[，。；：、！？）”]/;

/** Wraps a text into lines that fit. Breaks at spaces, and between characters of scripts without spaces. */
export function linesOf(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of piecesOf(text)) {
    if (line !== '' && widthOf(line) + widthOf(piece.trimEnd()) > columns) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, line];
}

/** Words with the space after them; single wide characters, with the punctuation after them. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let isOpen = false;
  for (const character of charactersOf(text)) {
    const isWide = wide.test(character);
    const isJoined = isWide ? closing.test(character) : isOpen;
    const before = isJoined ? pieces.pop() : undefined;
    pieces.push((before ?? '') + character);
    isOpen = !isWide && character !== ' ';
  }
  return pieces;
}
