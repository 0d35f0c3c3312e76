import { describe, expect, it } from 'vitest';
import { fitPicture, kept, zoomPicture } from '../../../../src/webview/ui/placement';

const area = { width: 400, height: 300 };

describe('the position of a picture', () => {
  it('is centered and as large as fits, however small it is', () => {
    expect(fitPicture(area, { width: 1000, height: 1000 })).toEqual({ scale: 0.3, x: 50, y: 0 });
    expect(fitPicture(area, { width: 4000, height: 300 })).toEqual({ scale: 0.1, x: 0, y: 135 });
    expect(fitPicture(area, { width: 50, height: 20 })).toEqual({ scale: 8, x: 0, y: 70 });
  });

  it('keeps the point under the pointer when the picture is zoomed', () => {
    const large = { width: 1000, height: 1000 };
    const from = { scale: 1, x: -300, y: -300 };
    expect(zoomPicture(area, large, from, 2, { x: 100, y: 100 })).toEqual({ scale: 2, x: -700, y: -700 });
  });

  it('is centered again at actual size, whatever was fitted before', () => {
    const small = { width: 100, height: 100 };
    const actual = zoomPicture(area, small, fitPicture(area, small), 1, { x: 200, y: 150 });
    expect(actual).toEqual({ scale: 1, x: 150, y: 100 });
  });

  it('is never out of sight, and a large picture leaves no gap', () => {
    const large = { width: 1000, height: 200 };
    expect(kept(area, large, { scale: 1, x: 5_000, y: 90 })).toEqual({ scale: 1, x: 0, y: 50 });
    expect(kept(area, large, { scale: 1, x: -5_000, y: -90 })).toEqual({ scale: 1, x: -600, y: 50 });
  });

  it('has a smallest and a largest scale', () => {
    const picture = { width: 100, height: 100 };
    const from = fitPicture(area, picture);
    expect(zoomPicture(area, picture, from, 1_000, { x: 0, y: 0 }).scale).toBe(32);
    expect(zoomPicture(area, picture, from, 0, { x: 0, y: 0 }).scale).toBe(0.05);
  });
});
