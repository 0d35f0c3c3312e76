import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function paddedTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - stringWidth(text), 0));
}

export function cutTo(text: string, columns: number): string {
  let width = 0;
  let fitting = '';
  for (const { segment: character } of segmenter.segment(text)) {
    width += stringWidth(character);
    if (width > columns) return fitting;
    fitting += character;
  }
  return text;
}

export function wrappedLines(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<= )/)) {
    if (line !== '' && stringWidth(line) + stringWidth(word.trimEnd()) > columns) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += word;
  }
  return [...lines, line];
}
