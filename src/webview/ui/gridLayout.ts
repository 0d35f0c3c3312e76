/** One line of a grid: cells `from` to before `to`, or the heading of the cells below. */
export interface GridLine {
  readonly top: number;
  readonly height: number;
  readonly from: number;
  readonly to: number;
  /** A line with this text has no cells. */
  readonly heading?: string;
}

/** The places of a grid's cells, in pixels from the top left corner of its content. */
export interface GridLayout {
  readonly lines: readonly GridLine[];
  readonly columns: number;
  readonly width: number;
  readonly step: number;
  readonly left: number;
  readonly top: number;
  readonly height: number;
}

/** The size of the tiles and how many are in a line. */
export type TileSize = Pick<GridLayout, 'columns' | 'width' | 'height'>;

const gap = 8;
const headingHeight = 34;

/** As many tiles of about this width as fit, filling the line. @param caption height below the picture */
export function tileSize(available: number, wanted: number, caption: number): TileSize {
  const columns = Math.max(1, Math.floor((available + gap) / (wanted + gap)));
  const width = Math.max(1, Math.floor((available - gap * (columns - 1)) / columns));
  return { columns, width, height: Math.min(width, wanted) + caption };
}

/** Puts tiles in lines; each section starts a new one below its heading. @param headings of each tile, in order */
export function layOutTiles(headings: readonly string[], { columns, width, height }: TileSize): GridLayout {
  const lines: GridLine[] = [];
  let top = 0;
  for (let from = 0; from < headings.length;) {
    const heading = headings[from] ?? '';
    lines.push({ top, height: headingHeight, from, to: from, heading });
    top += headingHeight;
    let end = from;
    while (end < headings.length && headings[end] === heading) end++;
    for (; from < end; from += columns) {
      lines.push({ top, height, from, to: Math.min(end, from + columns) });
      top += height + gap;
    }
    from = end;
  }
  return { lines, columns, width, step: width + gap, left: 0, top: 0, height: top };
}

/** Equal lines of cells without space between them. @param count of all cells */
export function layEvenly(
  count: number,
  size: Pick<GridLayout, 'columns' | 'width' | 'left' | 'top'>,
  height: number,
): GridLayout {
  const lines = Array.from({ length: Math.ceil(count / size.columns) }, (_, line) => {
    const from = line * size.columns;
    return { top: line * height, height, from, to: Math.min(count, from + size.columns) };
  });
  return { ...size, lines, step: size.width, height: lines.length * height };
}

/** The index of the first line that ends below this place. */
export function lineAt({ lines }: Pick<GridLayout, 'lines'>, y: number): number {
  return firstLine(lines, ({ top, height }) => top + height > y);
}

/** The index of the line with a cell. */
export function gridLineAt({ lines }: Pick<GridLayout, 'lines'>, cell: number): number {
  return firstLine(lines, ({ to }) => to > cell);
}

/** Searches by halving, because all later lines match, too. */
function firstLine(lines: readonly GridLine[], isSo: (line: GridLine) => boolean): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const line = lines[middle];
    if (line && !isSo(line)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The cell one line above or below, in the same column or at the end of that line. */
export function cellBeside(layout: GridLayout, cell: number, step: 1 | -1): number {
  const at = gridLineAt(layout, cell);
  const line = layout.lines[at];
  if (!line) return cell;
  for (let index = at + step; index >= 0 && index < layout.lines.length; index += step) {
    const next = layout.lines[index];
    if (next && next.to > next.from) return Math.min(next.to - 1, next.from + cell - line.from);
  }
  return cell;
}

/** The cell that a key leads to; undefined for a key that moves nowhere. @param shown height in sight */
export function cellAfterKey(
  key: string,
  layout: GridLayout,
  cell: number,
  shown: number,
): number | undefined {
  const last = (layout.lines.at(-1)?.to ?? 0) - 1;
  const page = Math.max(1, Math.floor(shown / (layout.lines.at(-1)?.height ?? 1))) * layout.columns;
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: cell + 1,
    ArrowLeft: cell - 1,
    ArrowDown: cell < 0 ? 0 : cellBeside(layout, cell, 1),
    ArrowUp: cell < 0 ? 0 : cellBeside(layout, cell, -1),
    PageDown: cell + page,
    PageUp: cell - page,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(last, target));
}
