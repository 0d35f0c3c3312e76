import { describe, expect, it } from 'vitest';
import {
  cellAfterKey,
  cellBeside,
  layEvenly,
  layOutTiles,
  lineAt,
  gridLineAt,
  tileSize,
} from '../../../../src/webview/ui/gridLayout';

const days = ['2', '2', '2', '2', '1', '1'];
const size = { columns: 3, width: 100, height: 120 };
const layout = layOutTiles(days, size);

describe('the lines of the grid', () => {
  it('are headings of days and tiles below them', () => {
    expect(layout.lines.map((line) => line.heading ?? [line.from, line.to])).toEqual([
      '2',
      [0, 3],
      [3, 4],
      '1',
      [4, 6],
    ]);
  });

  it('follow each other without overlap', () => {
    for (const [index, line] of layout.lines.entries()) {
      const next = layout.lines[index + 1];
      expect(line.top + line.height).toBeLessThanOrEqual(next?.top ?? layout.height);
    }
  });

  it('are found by place and by tile', () => {
    for (const [index, { top, height }] of layout.lines.entries()) {
      expect(lineAt(layout, top + height - 1)).toBe(index);
    }
    expect(days.map((_, tile) => gridLineAt(layout, tile))).toEqual([1, 1, 1, 2, 4, 4]);
  });

  it('fill the width, and one tile always fits', () => {
    expect(tileSize(316, 100, 24)).toMatchObject({ columns: 3, width: 100 });
    expect(tileSize(400, 100, 24)).toMatchObject({ columns: 3, width: 128 });
    expect(tileSize(60, 100, 24)).toMatchObject({ columns: 1, width: 60 });
  });
});

describe('the arrow keys', () => {
  it('go to the same column, or to the end of a shorter line', () => {
    expect([0, 2, 3].map((tile) => cellBeside(layout, tile, 1))).toEqual([3, 3, 4]);
    expect([5, 3].map((tile) => cellBeside(layout, tile, -1))).toEqual([3, 0]);
  });

  it('stay at the first and last line', () => {
    expect(cellBeside(layout, 1, -1)).toBe(1);
    expect(cellBeside(layout, 5, 1)).toBe(5);
  });

  it('move by lines and pages, and never out of the grid', () => {
    const from = (cell: number, key: string): number | undefined => cellAfterKey(key, layout, cell, 250);
    expect([from(0, 'ArrowRight'), from(0, 'ArrowLeft'), from(5, 'ArrowRight')]).toEqual([1, 0, 5]);
    expect([from(2, 'Home'), from(2, 'End'), from(0, 'PageDown'), from(5, 'PageUp')]).toEqual([0, 5, 5, 0]);
    expect(from(-1, 'ArrowDown')).toBe(0);
    expect(from(0, 'x')).toBeUndefined();
  });
});

describe('equal lines', () => {
  it('follow each other, and the last may be shorter', () => {
    const even = layEvenly(7, { columns: 3, width: 50, left: 10, top: 5 }, 40);
    expect(even.lines.map(({ top, from, to }) => [top, from, to])).toEqual([
      [0, 0, 3],
      [40, 3, 6],
      [80, 6, 7],
    ]);
    expect(even.height).toBe(120);
    expect([lineAt(even, 79), gridLineAt(even, 6), cellBeside(even, 5, 1)]).toEqual([1, 2, 6]);
  });
});
