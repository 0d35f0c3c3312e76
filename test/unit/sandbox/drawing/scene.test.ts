import { describe, expect, it } from 'vitest';
import { denoising } from '../../../../src/sandbox/drawing/denoising';
import type { Picture } from '../../../../src/sandbox/drawing/picture';
import { drawScene } from '../../../../src/sandbox/drawing/scene';

const request = { width: 64, height: 48, prompt: 'a lake at sunset', seed: 1, look: 2, steps: 20, cfg: 7 };

function difference(first: Picture, second: Picture): number {
  const total = first.data.reduce((sum, value, at) => sum + Math.abs(value - (second.data[at] ?? 0)), 0);
  return total / first.data.length;
}

describe('a scene', () => {
  it('is the same for the same request', () => {
    expect(drawScene(request).data).toEqual(drawScene({ ...request }).data);
  });

  it.each([
    ['the prompt', { prompt: 'a forest path' }],
    ['the seed', { seed: 2 }],
    ['the steps', { steps: 21 }],
    ['the cfg', { cfg: 8 }],
    ['everything else', { look: 3 }],
    ['the time in a video', { time: 0.5 }],
  ])('changes with %s', (_what, change) => {
    expect(difference(drawScene(request), drawScene({ ...request, ...change }))).toBeGreaterThan(0);
  });

  it('is quieter the more steps it has', () => {
    const roughness = (steps: number): number => {
      const { data } = drawScene({ ...request, steps });
      return data.reduce((sum, value, at) => sum + Math.abs(value - (data[at + 3] ?? value)), 0);
    };
    expect(roughness(1)).toBeGreaterThan(roughness(20) * 1.5);
  });

  it('has the requested size', () => {
    const { width, height, data } = drawScene({ ...request, width: 33, height: 17 });
    expect([width, height, data.length]).toEqual([33, 17, 33 * 17 * 3]);
  });
});

describe('a scene being drawn', () => {
  it('gets closer to the result with every step and reaches it', () => {
    const result = drawScene(request);
    const at = denoising(result, 5, 512);
    const distances = [0.1, 0.3, 0.5, 0.7, 0.9, 1].map((done) => difference(at(done), result));
    expect(distances).toEqual([...distances].sort((a, b) => b - a));
    expect(distances.at(-1)).toBe(0);
  });

  it('is no larger than a preview may be', () => {
    const wide = drawScene({ ...request, width: 700, height: 100 });
    expect(denoising(wide, 5, 512)(0.5)).toMatchObject({ width: 512, height: 73 });
  });
});
