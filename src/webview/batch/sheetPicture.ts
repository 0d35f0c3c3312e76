import { largestPicture } from '../contract/constants';
import type { SheetCell } from '../contract/batchSheet';
import { stateWord, type SheetContent } from './sheetContent';
import { allPages, layPicture, lineHeight as line } from './sheetLayout';

/**
 * The sheet with all its pages as one picture, with the values beside the cells; undefined if it is too large to be
 * drawn or sent.
 */
export async function sheetPicture(content: SheetContent): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { counts, axes, batch } = content;
  const layout = layPicture(counts, axes);
  if (!layout) return undefined;
  const { shape, whole, left, cell: size } = layout;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = whole;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = '13px sans-serif';
  context.textBaseline = 'middle';
  const write = (text: string, x: number, y: number, width: number): void => {
    context.fillStyle = '#222';
    context.fillText(cut(context, text, width - 8), x + 4, y + line / 2);
  };
  write(batch.label, 0, 0, canvas.width);
  for (const [index, page] of allPages(counts, axes).entries()) {
    const top = line + index * layout.page;
    write(content.values(axes.pages, page), 0, top, canvas.width);
    for (let cell = 0; cell < shape.cells; cell++) {
      const column = cell % shape.columns;
      const row = Math.floor(cell / shape.columns);
      const x = left + column * size;
      const y = top + line * 2 + row * (size + (shape.wraps ? line : 0));
      if (shape.wraps) write(content.label(axes.across, cell), x, y + size, size);
      else if (row === 0) write(content.label(axes.across, column), x, top + line, size);
      if (!shape.wraps && column === 0)
        write(content.label(axes.down, row), 0, y + size / 2 - line / 2, left);
      const known = content.at(page, cell);
      if (!(await drawn(context, known, x + 2, y + 2, size - 4)))
        write(known?.output?.name ?? (known ? stateWord(known.state) : ''), x, y + size / 2 - line / 2, size);
    }
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (!blob || blob.size > largestPicture) return undefined;
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
