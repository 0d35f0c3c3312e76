import type { SheetCell } from '../contract/batchSheet';
import { stateWord, type SheetContent } from './sheetContent';
import { allPages, shapeOf } from './sheetLayout';

/** What browsers draw at most: sides and area in pixels. */
const [longest, largest] = [16_000, 100_000_000];
const [cellSize, line, side] = [256, 24, 150];

/** The sheet with all its pages as one picture, with the values beside the cells. */
export async function sheetPicture(content: SheetContent): Promise<Uint8Array<ArrayBuffer>> {
  const { counts, axes, batch } = content;
  const pages = allPages(counts, axes);
  const square = Math.ceil(Math.sqrt(shapeOf(counts, axes, 1).cells));
  const shape = shapeOf(counts, axes, square);
  const left = shape.wraps ? 0 : side;
  const bodyOf = (size: number): number => line * 2 + shape.lines * (size + (shape.wraps ? line : 0));
  const sizeOf = (size: number): [number, number] => [
    left + shape.columns * size,
    line + pages.length * bodyOf(size),
  ];
  let size = cellSize;
  const isTooLarge = ([width, height]: [number, number]): boolean =>
    Math.max(width, height) > longest || width * height > largest;
  while (size > 16 && isTooLarge(sizeOf(size))) size -= 8;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = sizeOf(size);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = '13px sans-serif';
  context.textBaseline = 'middle';
  const write = (text: string, x: number, y: number, width: number): void => {
    context.fillStyle = '#222';
    context.fillText(cut(context, text, width - 8), x + 4, y + line / 2);
  };
  write(batch.label, 0, 0, canvas.width);
  for (const [index, page] of pages.entries()) {
    const top = line + index * bodyOf(size);
    write(content.values(axes.pages, page), 0, top, canvas.width);
    for (let cell = 0; cell < shape.cells; cell++) {
      const column = cell % shape.columns;
      const row = Math.floor(cell / shape.columns);
      const x = left + column * size;
      const y = top + line * 2 + row * (size + (shape.wraps ? line : 0));
      if (shape.wraps) write(content.label(axes.across, cell), x, y + size, size);
      else if (row === 0) write(content.label(axes.across, column), x, top + line, size);
      if (!shape.wraps && column === 0)
        write(content.label(axes.down, row), 0, y + size / 2 - line / 2, side);
      const known = content.at(page, cell);
      if (!(await drawn(context, known, x + 2, y + 2, size - 4)))
        write(known?.output?.name ?? (known ? stateWord(known.state) : ''), x, y + size / 2 - line / 2, size);
    }
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (!blob) throw new Error('No picture');
  return new Uint8Array(await blob.arrayBuffer());
}

/** Fits the picture of a cell into a square; one after the other, so that few are in memory. */
async function drawn(
  context: CanvasRenderingContext2D,
  cell: SheetCell | undefined,
  x: number,
  y: number,
  size: number,
): Promise<boolean> {
  if (cell?.output?.kind !== 'image') return false;
  try {
    const picture = await createImageBitmap(await (await fetch(cell.output.source)).blob());
    const scale = size / Math.max(picture.width, picture.height);
    const [width, height] = [picture.width * scale, picture.height * scale];
    context.drawImage(picture, x + (size - width) / 2, y + (size - height) / 2, width, height);
    picture.close();
    return true;
  } catch {
    return false;
  }
}

function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  let shown = text.slice(0, 200);
  while (shown !== '' && context.measureText(shown).width > width) shown = `${shown.slice(0, -2)}…`;
  return shown === '…' ? '' : shown;
}
