/** The size of the tiles and how many are in a line. */
export interface TileSize {
  readonly columns: number;
  readonly width: number;
  readonly height: number;
}

export const gap = 8;
const headingHeight = 34;
/** Below the picture. */
const captionHeight = 24;

/** One line of the grid: the heading of a day, or tiles `from` to before `to`. */
export type GridLine =
  | { readonly kind: 'day'; readonly top: number; readonly height: number; readonly day: string }
  | {
      readonly kind: 'tiles';
      readonly top: number;
      readonly height: number;
      readonly from: number;
      readonly to: number;
    };

export interface GridLayout {
  readonly lines: readonly GridLine[];
  readonly height: number;
}

/** As many tiles of about this width as fit, filling the line. */
export function tileSize(available: number, wanted: number): TileSize {
  const columns = Math.max(1, Math.floor((available + gap) / (wanted + gap)));
  const width = Math.max(1, Math.floor((available - gap * (columns - 1)) / columns));
  return { columns, width, height: Math.min(width, wanted) + captionHeight };
}

/** Puts tiles in lines; each day starts a new one below its heading. @param days the day of each tile, in order */
export function layOut(days: readonly string[], { columns, height }: TileSize): GridLayout {
  const lines: GridLine[] = [];
  let top = 0;
  for (let from = 0; from < days.length;) {
    const day = days[from] ?? '';
    lines.push({ kind: 'day', top, height: headingHeight, day });
    top += headingHeight;
    let end = from;
    while (end < days.length && days[end] === day) end++;
    for (; from < end; from += columns) {
      lines.push({ kind: 'tiles', top, height, from, to: Math.min(end, from + columns) });
      top += height + gap;
    }
    from = end;
  }
  return { lines, height: top };
}

/** The index of the first line that ends below this place. */
export function lineAt({ lines }: GridLayout, y: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const line = lines[middle];
    if (line && line.top + line.height <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the line with a tile. */
export function lineOf({ lines }: GridLayout, tile: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const line = lines[middle];
    // A heading belongs to the tiles below it.
    const next = line?.kind === 'day' ? lines[middle + 1] : line;
    if (next?.kind === 'tiles' && (next.to <= tile || (line?.kind === 'day' && next.from <= tile)))
      low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The tile one line above or below, in the same column or at the end of that line. */
export function tileBeside(layout: GridLayout, tile: number, step: 1 | -1): number {
  const at = lineOf(layout, tile);
  const line = layout.lines[at];
  if (line?.kind !== 'tiles') return tile;
  for (let index = at + step; index >= 0 && index < layout.lines.length; index += step) {
    const next = layout.lines[index];
    if (next?.kind === 'tiles') return Math.min(next.to - 1, next.from + tile - line.from);
  }
  return tile;
}
