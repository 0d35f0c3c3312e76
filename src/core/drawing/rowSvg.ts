import { sharedLength } from '../json/textEdit';
import { fileColor, type Palette } from './canvasPalette';
import { type DrawnNode, type DrawnRow, rowHeight } from './drawnNode';
import { cutToWidth, textWidth } from './interWidths';
import { svgText, shortNumber, type SvgElement, textElement } from './markSvg';

export function rowElements(row: DrawnRow, { width }: DrawnNode, palette: Palette): SvgElement[] {
  const { y, kind, isLinked } = row;
  if (row.isHidden) return [];
  if (kind === 'textBox' || kind === 'markdown' || kind === 'box') {
    return isLinked ? [] : [textBoxElement(row, width, palette)];
  }
  const isSquare = kind === 'button' || kind === 'slider' || kind === 'notice';
  const box = { x: 15, y, width: Math.max(0, width - 30), height: rowHeight };
  const rx = isSquare ? undefined : rowHeight / 2;
  const edge = edgeOf(row, palette, isLinked ? undefined : palette.outline);
  const frame = svgText('rect', { ...box, rx, fill: palette.widget, ...edge });
  const inside = isSquare ? centered(row, width, palette) : labelled(row, width, palette);
  return [svgText('g', { 'data-row': row.name, opacity: isLinked ? 0.5 : undefined }, frame, inside)];
}

function edgeOf(
  { was }: DrawnRow,
  { changes }: Palette,
  stroke?: string,
): Readonly<Record<string, string | number | undefined>> {
  return was === undefined ? { stroke } : { stroke: changes.changed, 'stroke-width': 2 };
}

function centered(row: DrawnRow, width: number, palette: Palette): SvgElement[] {
  const { kind, y, label, share = 0 } = row;
  const isSlider = kind === 'slider';
  const words = cutToWidth(
    isSlider ? `${label}  ${bothValues(row, width - 40)}` : label,
    width - 40,
    12,
    '…',
  );
  const bar = svgText('rect', { x: 15, y, width: (width - 30) * share, height: rowHeight, fill: '#667788' });
  const text = textElement(width / 2, y + 14, palette.value, words, { 'text-anchor': 'middle' });
  return [...(isSlider ? [bar] : []), text];
}

/** The value, after the one that it had in the earlier version: then both get their share of the room. */
function bothValues({ text, was }: DrawnRow, room: number): string {
  if (was === undefined) return cutToWidth(text, room, 12, '…', 0.75);
  const half = (room - textWidth(becomes, 12)) / 2;
  if (textWidth(was + text, 12) <= 2 * half) return was + becomes + text;
  const start = Math.max(0, sharedLength(was, text) - mostShared);
  const [before, after] = [was, text].map((each) => (start === 0 ? each : `…${each.slice(start)}`));
  const part = (own = '', other = ''): string =>
    cutToWidth(own, Math.max(half, 2 * half - textWidth(other, 12)), 12, '…');
  return part(before, after) + becomes + part(after, before);
}

const becomes = ' → ';
/** Characters before the first that differs, where there is no room for all. */
const mostShared = 4;

const spans: Readonly<
  Partial<Record<DrawnRow['kind'], readonly [start: number, end: number, room: number]>>
> = {
  text: [30, 30, 60],
  toggle: [30, 40, 70],
  color: [30, 70, 100],
};

/** A value with a die beside it, which draws a new seed. */
export function hasDie({ kind, isSeed, isLinked }: DrawnRow): boolean {
  return isSeed === true && !isLinked && kind === 'number';
}

function labelled(row: DrawnRow, width: number, palette: Palette): SvgElement[] {
  const { y, kind, label, text, was, isLinked, isOn, ends } = row;
  const [start, end, taken] = spans[kind] ?? (hasDie(row) ? [35, 52, 87] : [35, 50, 85]);
  const room = Math.max(0, width - taken);
  const named = was === undefined ? 0 : Math.min(textWidth(label, 12) + 5, room / 3);
  const value = bothValues(row, room - named);
  const left = room - textWidth(value, 12) - (value === '' ? 0 : 5);
  const isOff = kind === 'toggle' && isOn !== true;
  const texts = [
    textElement(start, y + 14, palette.label, left > 0 ? cutToWidth(label, left, 12, '…', 0.75) : ''),
    textElement(width - end, y + 14, isOff ? palette.label : palette.value, value, { 'text-anchor': 'end' }),
  ];
  const middle = y + rowHeight / 2;
  if (kind === 'toggle') {
    const fill = isOff ? '#333333' : '#8899AA';
    return [...texts, svgText('circle', { cx: width - 30, cy: middle, r: 7.2, fill })];
  }
  if (kind === 'color') {
    const fill = fileColor(text, { lighten: 0 }) ?? palette.widget;
    return [...texts, svgText('rect', { x: width - 65, y: y + 3, width: 40, height: 14, rx: 7, fill })];
  }
  if (isLinked || kind === 'text') return texts;
  const arrow = (tip: number, base: number, isDead = false): SvgElement => {
    const d = `M${shortNumber(tip)} ${shortNumber(middle)}L${shortNumber(base)} ${shortNumber(y + 5)}V${shortNumber(y + 15)}z`;
    return svgText('path', { d, fill: isDead ? palette.deadArrow : palette.value });
  };
  return [...texts, arrow(21, 31, ends?.first), arrow(width - 21, width - 31, ends?.last)];
}

const lineHeight = 12;
/** A page has a scroll bar; a picture shows the start. */
const mostLines = 200;

function textBoxElement(row: DrawnRow, width: number, palette: Palette): SvgElement {
  const { name, kind, y, height, text, was } = row;
  const isMarkdown = kind === 'markdown';
  const box = { x: 10, y: y + 10, width: Math.max(0, width - 20), height: Math.max(0, height - 20) };
  const lines = wrapped(was === undefined ? text : `− ${was}\n+ ${text}`, box.width - 4, isMarkdown);
  const shown = lines.slice(0, Math.min(mostLines, Math.floor((box.height - 4) / lineHeight)));
  const fill = isMarkdown ? 'none' : palette.textBox;
  return svgText(
    'g',
    {
      'data-row': name,
      'font-size': 10,
      'font-family': isMarkdown ? undefined : 'monospace',
      fill: isMarkdown ? palette.value : palette.boxText,
    },
    svgText('rect', { ...box, fill, ...edgeOf(row, palette) }),
    shown.map((line, index) =>
      svgText('text', { x: 12, y: y + 21 + lineHeight * index, 'xml:space': 'preserve' }, line),
    ),
  );
}

/** The width of a character of the monospaced font at 10 px. */
const monospaced = 6.02;

function wrapped(text: string, room: number, isProportional: boolean): string[] {
  const widthOf = (line: string): number => (isProportional ? textWidth(line, 10) : line.length * monospaced);
  const lines: string[] = [];
  for (const paragraph of text.slice(0, 20_000).split(/\r\n|[\n\r]/)) {
    let line = '';
    let width = 0;
    for (const word of paragraph.split(/(?<= )/)) {
      const own = widthOf(word.trimEnd());
      if (line !== '' && width + own > room) {
        lines.push(line);
        [line, width] = ['', 0];
      }
      line += word;
      width += widthOf(word);
      let shown = width - widthOf(word) + own;
      while (shown > room && line.length > 1 && lines.length <= mostLines) {
        const fit = Math.max(1, Math.floor(line.length * (room / width)));
        lines.push(line.slice(0, fit));
        line = line.slice(fit);
        width = widthOf(line);
        shown = widthOf(line.trimEnd());
      }
    }
    lines.push(line);
    if (lines.length > mostLines) break;
  }
  return lines;
}
