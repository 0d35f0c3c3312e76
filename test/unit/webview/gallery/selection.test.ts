import { beforeEach, describe, expect, it } from 'vitest';
import { Selection } from '../../../../src/webview/gallery/grid';

describe('the selection', () => {
  let selection = new Selection();
  beforeEach(() => {
    selection = new Selection();
    selection.use([10, 20, 30, 40]);
  });

  it('is in the order of the list, not of the clicks', () => {
    selection.only(30);
    selection.toggle(10);
    expect(selection.selected).toEqual([10, 30]);
    selection.toggle(30);
    expect(selection.selected).toEqual([10]);
  });

  it('extends from where it started, in both directions', () => {
    selection.only(20);
    selection.extendTo(40);
    expect(selection.selected).toEqual([20, 30, 40]);
    selection.extendTo(10);
    expect(selection.selected).toEqual([10, 20]);
  });

  it('extends with the keys too', () => {
    selection.moveTo(1, false);
    selection.moveTo(2, true);
    expect(selection.selected).toEqual([20, 30]);
  });

  it('lets keys move without selecting, and never beyond the ends', () => {
    selection.moveTo(-1, false);
    expect([selection.active, selection.selected]).toEqual([10, []]);
    selection.moveTo(9, false);
    expect(selection.active).toBe(40);
  });

  it('is what actions are for; without one it is the active output', () => {
    selection.moveTo(0, false);
    expect(selection.acting).toEqual([10]);
    selection.only(30);
    selection.toggle(40);
    expect(selection.acting).toEqual([30, 40]);
  });

  it('loses what is no longer shown', () => {
    selection.all();
    selection.use([20, 50]);
    expect(selection.selected).toEqual([20]);
    expect(selection.active).toBeUndefined();
  });
});
