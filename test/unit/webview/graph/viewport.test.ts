import { describe, expect, it } from 'vitest';
import {
  broughtNear,
  centeredOn,
  fitView,
  holds,
  opened,
  overlaps,
  readable,
  seenBox,
  unitAt,
  zoomView,
} from '../../../../src/webview/graph/viewport';

const size = { width: 1000, height: 500 };

describe('the view of a graph', () => {
  it('fits a large drawing into the panel, and does not enlarge a small one', () => {
    const large = { x: -100, y: 50, width: 4000, height: 1000 };
    const view = fitView(large, size);
    expect(view.scale).toBe(0.25);
    expect(holds(seenBox(view, size), large)).toBe(true);
    expect(fitView({ x: 0, y: 0, width: 100, height: 100 }, size)).toEqual({ scale: 1, x: 450, y: 200 });
  });

  it('opens with all in sight where that can be read, else around a box, without emptiness', () => {
    const small = { x: 0, y: 0, width: 1600, height: 700 };
    expect(opened(small, size, { ...small, width: 100 })).toEqual(fitView(small, size));
    const large = { x: -100, y: 50, width: 4000, height: 1000 };
    const node = { x: 2000, y: 400, width: 300, height: 200 };
    expect(opened(large, size, node)).toEqual(centeredOn(node, size, readable));
    const first = seenBox(opened(large, size, { x: -60, y: 90, width: 300, height: 200 }), size);
    expect([first.x, first.y]).toEqual([-100, 50]);
    const last = seenBox(opened(large, size, { x: 3600, y: 800, width: 300, height: 200 }), size);
    expect([last.x + last.width, last.y + last.height]).toEqual([3900, 1050]);
    const flat = seenBox(opened({ ...large, height: 100 }, size, { ...node, y: 60, height: 50 }), size);
    expect(flat.y + flat.height / 2).toBeCloseTo(100);
    // Of a node that is larger than the room, its start.
    const huge = { x: 0, y: 60, width: 3000, height: 900 };
    expect(opened(large, size, huge).x).toBeCloseTo(size.width * 0.05);
  });

  it('comes so near to a node that it can be read', () => {
    expect(broughtNear({ x: 0, y: 0, width: 300, height: 200 }, size).scale).toBe(1);
    expect(broughtNear({ x: 0, y: 0, width: 300, height: 700 }, size).scale).toBeCloseTo(5 / 7);
    expect(broughtNear({ x: 0, y: 0, width: 300, height: 9_000 }, size).scale).toBe(0.57);
  });

  it('knows the length of a pixel in steps', () => {
    for (const scale of [0.03, 0.2, 0.57, 0.8, 1, 1.3, 4]) {
      const pixels = unitAt({ x: 0, y: 0, scale }) * scale;
      expect(pixels).toBeGreaterThanOrEqual(1 - 1e-9);
      expect(pixels).toBeLessThan(Math.SQRT2);
    }
    expect(unitAt({ x: 0, y: 0, scale: 0.5 })).toBe(2);
    expect(unitAt({ x: 0, y: 0, scale: 0.49 })).toBe(unitAt({ x: 0, y: 0, scale: 0.4 }));
  });

  it('keeps the point under the pointer where it is while it zooms', () => {
    const before = { scale: 0.5, x: 30, y: -20 };
    const at = { x: 400, y: 100 };
    const after = zoomView(before, at, 1.6);
    const under = ({ scale, x, y }: typeof before) => [(at.x - x) / scale, (at.y - y) / scale];
    expect(after.scale).toBeCloseTo(0.8);
    expect(under(after)[0]).toBeCloseTo(under(before)[0] ?? NaN);
    expect(under(after)[1]).toBeCloseTo(under(before)[1] ?? NaN);
  });

  it('has limits', () => {
    expect(zoomView({ scale: 1, x: 0, y: 0 }, { x: 0, y: 0 }, 1e9).scale).toBe(4);
    expect(zoomView({ scale: 1, x: 0, y: 0 }, { x: 0, y: 0 }, 0).scale).toBe(0.03);
    expect(fitView({ x: 0, y: 0, width: 0, height: 0 }, size).scale).toBe(1);
  });

  it('knows what is in sight, and around it', () => {
    const view = centeredOn({ x: 90, y: 90, width: 20, height: 20 }, size, 2);
    expect(seenBox(view, size)).toEqual({ x: -150, y: -25, width: 500, height: 250 });
    expect(seenBox(view, size, 0.5)).toEqual({ x: -400, y: -150, width: 1000, height: 500 });
    expect(overlaps(seenBox(view, size), { x: 340, y: 0, width: 50, height: 5 })).toBe(true);
    expect(overlaps(seenBox(view, size), { x: 360, y: 0, width: 50, height: 5 })).toBe(false);
  });
});
