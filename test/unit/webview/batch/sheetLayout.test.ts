import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBatchRows, axisSteps, type BatchAxis } from '../../../../src/core/batch/batchTable';
import {
  allPages,
  chooseAxis,
  layAxes,
  layPicture,
  rowWith,
  sheetShape,
  sizeCells,
  stepsAt,
} from '../../../../src/webview/batch/sheetLayout';

const counts = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 });

describe('the layout of a contact sheet', () => {
  it('has the last two inputs that change on its axes, and the others as pages', () => {
    expect(layAxes([2, 1, 3, 4, 1])).toEqual({ across: 3, down: 2, pages: [0] });
    expect(layAxes([1, 7])).toEqual({ across: 1, down: undefined, pages: [] });
    expect(layAxes([])).toEqual({ across: undefined, down: undefined, pages: [] });
  });

  it('wraps a single axis, as many as fit', () => {
    const axes = layAxes([500]);
    expect(sheetShape([500], axes, 6)).toEqual({ cells: 500, columns: 6, lines: 84, wraps: true });
    expect(sheetShape([2], layAxes([2]), 6)).toMatchObject({ columns: 2, lines: 1 });
    expect(sheetShape([3, 40], layAxes([3, 40]), 6)).toEqual({
      cells: 120,
      columns: 40,
      lines: 3,
      wraps: false,
    });
  });

  it('draws pictures as large as was asked for, whatever the width of the group', () => {
    const [wrapped, crossed] = [layAxes([500]), layAxes([3, 4])];
    const padding = 6;
    for (const available of [300, 777, 1_400])
      for (const picture of [96, 176, 384]) {
        const one = sizeCells([500], wrapped, available, picture);
        expect(one.sizes).toEqual({
          width: picture + padding,
          height: picture + padding + 22,
          left: 0,
          top: 0,
        });
        expect(one.shape.columns).toBe(Math.max(1, Math.floor(available / (picture + padding))));
        const two = sizeCells([3, 4], crossed, available, picture);
        expect(two.sizes).toMatchObject({ width: picture + padding, height: picture + padding, top: 40 });
        expect(two.shape.columns).toBe(4);
      }
    expect(sizeCells([3, 4], crossed, 300, 96).sizes.left, 'a narrow group').toBe(75);
  });

  it('shows every row of the batch exactly once, at its own values', () => {
    fc.assert(
      fc.property(counts, (steps) => {
        const table = steps.map((count): BatchAxis => ({
          columns: [],
          steps: Array.from({ length: count }, () => []),
        }));
        const axes = layAxes(steps);
        const rows: number[] = [];
        for (const page of allPages(steps, axes)) {
          const { cells } = sheetShape(steps, axes, 3);
          for (let cell = 0; cell < cells; cell++) {
            const at = stepsAt(steps, axes, page, cell);
            const row = rowWith(steps, at);
            expect(axisSteps(table, row)).toEqual(at);
            rows.push(row);
          }
        }
        expect(rows.sort((one, other) => one - other)).toEqual(
          Array.from({ length: countBatchRows(table) }, (_, row) => row),
        );
      }),
    );
  });
});

describe('the sheet as a picture', () => {
  it('has cells of a good size, and space for the values of its lines', () => {
    const counts = [3, 4];
    const picture = layPicture(counts, layAxes(counts));
    expect(picture).toMatchObject({ cell: 256, left: 150, whole: [150 + 4 * 256, 24 + 48 + 3 * 256] });
  });

  it.each([[[10_000]], [[100, 100]], [[10, 30, 30]]])('has smaller cells for %j runs', (counts) => {
    const picture = layPicture(counts, layAxes(counts));
    const [width = 0, height = 0] = picture?.whole ?? [];
    expect(Math.max(width, height)).toBeLessThanOrEqual(16_000);
    expect(width * height).toBeLessThanOrEqual(100_000_000);
    expect(picture?.cell).toBeGreaterThanOrEqual(16);
  });

  it.each([[[1_100, 2]], [[2, 2, 1_100]], [[300, 3, 3]]])('is too large for %j runs', (counts) => {
    expect(layPicture(counts, layAxes(counts))).toBeUndefined();
  });
});

describe('chosen axes', () => {
  const counts = [2, 1, 3, 4];

  it('are across and down, and the others have pages', () => {
    expect(layAxes(counts, { across: 0, down: 3 })).toEqual({ across: 0, down: 3, pages: [2] });
    expect(layAxes(counts, { across: 2, down: undefined })).toEqual({
      across: 2,
      down: undefined,
      pages: [0, 3],
    });
  });

  it('count only if the batch has them', () => {
    for (const chosen of [
      { across: 1, down: 2 },
      { across: 2, down: 2 },
      { across: 9, down: 0 },
      { across: undefined, down: 0 },
    ])
      expect(layAxes(counts, chosen)).toEqual(layAxes(counts));
  });

  it('change places if one takes that of the other', () => {
    const axes = { across: 3, down: 2, pages: [0] };
    expect(chooseAxis(axes, { across: 2 })).toEqual({ across: 2, down: 3 });
    expect(chooseAxis(axes, { across: 0 })).toEqual({ across: 0, down: 2 });
    expect(chooseAxis(axes, { down: 3 })).toEqual({ across: 2, down: 3 });
    expect(chooseAxis(axes, { down: undefined })).toEqual({ across: 3, down: undefined });
  });
});
