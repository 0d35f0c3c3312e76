import { sharedLength } from '../diff/differenceWords';
import { fileColor, type Palette } from './canvasPalette';
import { type DrawnNode, type DrawnRow, rowHeight } from './drawnNode';
import { cut, textWidth } from './interWidths';
import { element, short, type SvgElement } from './svgElement';

export function rowElements(row: DrawnRow, { width }: DrawnNode, palette: Palette): SvgElement[] {
  if (row.isHidden) return [];
  if (row.kind === 'textBox' || row.kind === 'markdown' || row.kind === 'box') {
    return row.isLinked ? [] : [textBoxElement(row, width, palette)];
  }
  const { y, kind, isLinked } = row;
  const isChanged = row.was !== undefined;
  const isSquare = kind === 'button' || kind === 'slider' || kind === 'notice';
  const frame = element('rect', {
    x: 15,
    y,
    width: Math.max(0, width - 30),
    height: rowHeight,
    rx: isSquare ? undefined : rowHeight / 2,
    fill: palette.widget,
    stroke: isChanged ? palette.changes.changed : isLinked ? undefined : palette.outline,
    'stroke-width': isChanged ? 2 : undefined,
  });
  const inside = isSquare ? centered(row, width, palette) : labelled(row, width, palette);
  return [element('g', { 'data-row': row.name, opacity: isLinked ? 0.5 : undefined }, frame, ...inside)];
}

function centered(row: DrawnRow, width: number, palette: Palette): SvgElement[] {
  const { kind, y, label, share } = row;
  const words =
    kind === 'button' ? label : kind === 'slider' ? `${label}  ${bothValues(row, width - 40)}` : label;
  const bar =
    kind === 'slider' && share !== undefined
      ? [element('rect', { x: 15, y, width: (width - 30) * share, height: rowHeight, fill: '#667788' })]
      : [];
  return [
    ...bar,
    element(
      'text',
      { x: width / 2, y: y + 14, 'text-anchor': 'middle', fill: palette.value },
      cut(words, width - 40, 12, '…'),
    ),
  ];
}

/** The value, after the one that it had in the earlier version: then both get their share of the room. */
function bothValues({ text, was }: DrawnRow, room: number): string {
  if (was === undefined) return cut(text, room, 12, '…', 0.75);
  const half = (room - textWidth(becomes, 12)) / 2;
  if (textWidth(was + text, 12) <= 2 * half) return was + becomes + text;
  const start = Math.max(0, sharedLength(was, text) - mostShared);
  const [before, after] = [was, text].map((each) => (start === 0 ? each : `…${each.slice(start)}`));
  const part = (own = '', other = ''): string =>
    cut(own, Math.max(half, 2 * half - textWidth(other, 12)), 12, '…');
  return part(before, after) + becomes + part(after, before);
}

const becomes = ' → ';
/** Characters before the first that differs, where there is no room for all. */
const mostShared = 4;

/** Where the label begins, where the value ends, and how much room both have, by kind. */
const spans: Readonly<
  Partial<Record<DrawnRow['kind'], readonly [start: number, end: number, room: number]>>
> = {
  text: [30, 30, 60],
  toggle: [30, 40, 70],
  color: [30, 70, 100],
};

function labelled(row: DrawnRow, width: number, palette: Palette): SvgElement[] {
  const { y, kind, label, text, was, isLinked, isOn, ends } = row;
  const [start, end, taken] = spans[kind] ?? [35, 50, 85];
  const room = Math.max(0, width - taken);
  const named = was === undefined ? 0 : Math.min(textWidth(label, 12) + 5, room / 3);
  const value = bothValues(row, room - named);
  const left = room - textWidth(value, 12) - (value === '' ? 0 : 5);
  const baseline = y + 14;
  const texts = [
    element(
      'text',
      { x: start, y: baseline, fill: palette.label },
      left > 0 ? cut(label, left, 12, '…', 0.75) : '',
    ),
    element(
      'text',
      {
        x: width - end,
        y: baseline,
        'text-anchor': 'end',
        fill: kind === 'toggle' && isOn !== true ? palette.label : palette.value,
      },
      value,
    ),
  ];
  const middle = y + rowHeight / 2;
  if (kind === 'toggle') {
    return [
      ...texts,
      element('circle', { cx: width - 30, cy: middle, r: 7.2, fill: isOn === true ? '#8899AA' : '#333333' }),
    ];
  }
  if (kind === 'color') {
    const fill = fileColor(text, { ...palette, lighten: 0 }) ?? palette.widget;
    return [...texts, element('rect', { x: width - 65, y: y + 3, width: 40, height: 14, rx: 7, fill })];
  }
  if (isLinked || kind === 'text') return texts;
  const arrow = (tip: number, base: number, isDead: boolean): SvgElement =>
    element('path', {
      d: `M${short(tip)} ${short(middle)}L${short(base)} ${short(y + 5)}V${short(y + 15)}z`,
      fill: isDead ? palette.deadArrow : palette.value,
    });
  return [...texts, arrow(21, 31, ends?.first === true), arrow(width - 21, width - 31, ends?.last === true)];
}

const lineHeight = 12;
/** A page has a scroll bar; a picture shows the start. */
const mostLines = 200;

function textBoxElement(
  { name, kind, y, height, text, was }: DrawnRow,
  width: number,
  palette: Palette,
): SvgElement {
  const [boxWidth, boxHeight] = [Math.max(0, width - 20), Math.max(0, height - 20)];
  const lines = wrapped(
    was === undefined ? text : `− ${was}\n+ ${text}`,
    boxWidth - 4,
    kind === 'markdown',
  ).slice(0, Math.min(mostLines, Math.floor((boxHeight - 4) / lineHeight)));
  const frame = element('rect', {
    x: 10,
    y: y + 10,
    width: boxWidth,
    height: boxHeight,
    fill: kind === 'markdown' ? 'none' : palette.textBox,
    stroke: was === undefined ? undefined : palette.changes.changed,
    'stroke-width': was === undefined ? undefined : 2,
  });
  const words = lines.map((line, index) =>
    element('text', { x: 12, y: y + 21 + lineHeight * index, 'xml:space': 'preserve' }, line),
  );
  const family = kind === 'markdown' ? undefined : 'monospace';
  const fill = kind === 'markdown' ? palette.value : palette.boxText;
  return element('g', { 'data-row': name, 'font-size': 10, 'font-family': family, fill }, frame, words);
}

/** The width of a character of the monospaced font at 10 px. */
const monospaced = 6.02;

/** Lines that fit, broken between words. */
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
