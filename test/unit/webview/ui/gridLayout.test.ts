import { describe, expect, it } from 'vitest';
import { layOut, lineAt, lineOf, tileBeside, tileSize } from '../../../../src/webview/gallery/layout';

const days = ['2', '2', '2', '2', '1', '1'];
const size = { columns: 3, width: 100, height: 120 };
const layout = layOut(days, size);

describe('the lines of the grid', () => {
  it('are headings of days and tiles below them', () => {
    expect(layout.lines.map((line) => (line.kind === 'day' ? line.day : [line.from, line.to]))).toEqual([
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
    expect(days.map((_, tile) => lineOf(layout, tile))).toEqual([1, 1, 1, 2, 4, 4]);
  });

  it('fill the width, and one tile always fits', () => {
    expect(tileSize(316, 100)).toMatchObject({ columns: 3, width: 100 });
    expect(tileSize(400, 100)).toMatchObject({ columns: 3, width: 128 });
    expect(tileSize(60, 100)).toMatchObject({ columns: 1, width: 60 });
  });
});

describe('the arrow keys', () => {
  it('go to the same column, or to the end of a shorter line', () => {
    expect([0, 2, 3].map((tile) => tileBeside(layout, tile, 1))).toEqual([3, 3, 4]);
    expect([5, 3].map((tile) => tileBeside(layout, tile, -1))).toEqual([3, 0]);
  });

  it('stay at the first and last line', () => {
    expect(tileBeside(layout, 1, -1)).toBe(1);
    expect(tileBeside(layout, 5, 1)).toBe(5);
  });
});
