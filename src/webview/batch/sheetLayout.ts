import { numberAt } from '../../core/safety/lists';
/** The axes of a batch that lie across and down the sheet; the others are its pages. Axes count from 0. */
export interface SheetAxes {
  readonly across: number | undefined;
  readonly down: number | undefined;
  readonly pages: readonly number[];
}

/** The cells of one page. */
export interface SheetShape {
  readonly cells: number;
  readonly columns: number;
  readonly lines: number;
  /** There is one axis only, which goes on in the next line. */
  readonly wraps: boolean;
}

/** The axes that a person has chosen to see. `down: undefined` is one of the choices: all in lines that wrap. */
export type AxisChoice = Pick<SheetAxes, 'across' | 'down'>;

/** The axes with several steps. @param counts steps of each axis */
export function changingAxes(counts: readonly number[]): readonly number[] {
  return [...counts.keys()].filter((axis) => numberAt(counts, axis) > 1);
}

/** The last two axes that have several steps are shown, unless others are chosen. */
export function layAxes(counts: readonly number[], chosen?: AxisChoice): SheetAxes {
  const changing = changingAxes(counts);
  const isKnown = (axis: number | undefined): boolean => axis === undefined || changing.includes(axis);
  const fits =
    chosen?.across !== undefined &&
    isKnown(chosen.across) &&
    isKnown(chosen.down) &&
    chosen.across !== chosen.down;
  const { across, down } = fits ? chosen : { across: changing.at(-1), down: changing.at(-2) };
  return { across, down, pages: changing.filter((axis) => axis !== across && axis !== down) };
}

/** The choice after one of the two was changed: the other makes room, by a swap. */
export function chooseAxis({ across, down }: SheetAxes, change: Partial<AxisChoice>): AxisChoice {
  if ('across' in change) return { across: change.across, down: change.across === down ? across : down };
  return { across: change.down === across && down !== undefined ? down : across, down: change.down };
}

/** @param fitting columns that fit side by side */
export function sheetShape(
  counts: readonly number[],
  { across, down }: SheetAxes,
  fitting: number,
): SheetShape {
  const along = (axis: number | undefined): number => (axis === undefined ? 1 : (counts[axis] ?? 1));
  const wraps = down === undefined;
  const cells = along(across) * along(down);
  const columns = wraps ? Math.max(1, Math.min(fitting, cells)) : along(across);
  return { cells, columns, lines: Math.ceil(cells / columns), wraps };
}

/** Sizes in pixels: of a cell, and of the names left of the lines and above the columns. */
export interface CellSizes {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
}

/** Sizes of the names of lines, columns, and cells; around the picture, see `.cell`. */
const [headWidth, headHeight, captionHeight, padding] = [136, 40, 22, 6];

/** A page whose pictures are squares with sides of exactly this size, in a place that is so wide. */
export function sizeCells(
  counts: readonly number[],
  axes: SheetAxes,
  available: number,
  picture: number,
): { readonly shape: SheetShape; readonly sizes: CellSizes } {
  const width = picture + padding;
  const shape = sheetShape(counts, axes, Math.max(1, Math.floor(available / width)));
  if (shape.wraps) return { shape, sizes: { width, height: width + captionHeight, left: 0, top: 0 } };
  // In a narrow group the values need the room.
  const left = Math.min(headWidth, Math.round(available / 4));
  return { shape, sizes: { width, height: width, left, top: headHeight } };
}

/** The step of each axis in a cell of a page, which count from 0. @param page the step of each axis of the pages */
export function stepsAt(
  counts: readonly number[],
  { across, down, pages }: SheetAxes,
  page: readonly number[],
  cell: number,
): number[] {
  const width = across === undefined ? 1 : (counts[across] ?? 1);
  return counts.map((_, axis) => {
    if (axis === across) return cell % width;
    if (axis === down) return Math.floor(cell / width);
    return numberAt(page, pages.indexOf(axis));
  });
}

/** The row of the batch with these steps: the last axis changes fastest. */
export function rowWith(counts: readonly number[], steps: readonly number[]): number {
  return counts.reduce((row, count, axis) => row * count + numberAt(steps, axis), 0);
}

/** The steps of all pages, in the order of the table. */
export function allPages(counts: readonly number[], { pages }: SheetAxes): number[][] {
  return pages.reduce<number[][]>(
    (known, axis) =>
      known.flatMap((page) => Array.from({ length: counts[axis] ?? 1 }, (_, step) => [...page, step])),
    [[]],
  );
}

/** Sizes in pixels. */
export interface SheetPicture {
  readonly shape: SheetShape;
  readonly whole: readonly [width: number, height: number];
  readonly left: number;
  readonly page: number;
  /** A side of the square of each cell. */
  readonly cell: number;
}

/** The most that browsers draw: sides and area. */
const [longest, largest] = [16_000, 100_000_000];
const [usualCell, smallestCell, side] = [256, 16, 150];
export const lineHeight = 24;

/** The sheet with all its pages as one picture; undefined if it is too large even with the smallest cells. */
export function layPicture(counts: readonly number[], axes: SheetAxes): SheetPicture | undefined {
  const square = Math.ceil(Math.sqrt(sheetShape(counts, axes, 1).cells));
  const shape = sheetShape(counts, axes, square);
  const pages = axes.pages.reduce((product, axis) => product * (counts[axis] ?? 1), 1);
  const left = shape.wraps ? 0 : side;
  for (let cell = usualCell; cell >= smallestCell; cell -= 8) {
    const page = lineHeight * 2 + shape.lines * (cell + (shape.wraps ? lineHeight : 0));
    const [width, height] = [left + shape.columns * cell, lineHeight + pages * page];
    if (Math.max(width, height) <= longest && width * height <= largest)
      return { shape, whole: [width, height], left, page, cell };
  }
  return undefined;
}
