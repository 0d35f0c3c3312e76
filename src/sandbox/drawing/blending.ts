import { opaque } from './picture';
import type { Picture } from './picture';
import type { GrayPlane } from './planes';
import { scaled } from './scaling';

/** From one picture to another of any size: 0 is all the first, 1 all the second, and only where the mask lets it. */
export function blendedPictures(first: Picture, second: Picture, share: number, mask?: GrayPlane): Picture {
  const base = opaque(first);
  const over = scaled(opaque(second), base.width, base.height);
  const data = new Uint8Array(base.data.length);
  for (let at = 0; at < data.length; at += 1) {
    const inside = mask === undefined ? share : (share * (mask.data[Math.floor(at / 3)] ?? 0)) / 255;
    data[at] = (base.data[at] ?? 0) * (1 - inside) + (over.data[at] ?? 0) * inside + 0.5;
  }
  return { ...base, data };
}

/** One picture laid onto another at a place; what hangs over is cut off. The mask has the size of the upper one. */
export function laidOver(
  lower: Picture,
  upper: Picture,
  left: number,
  top: number,
  mask?: GrayPlane,
): Picture {
  const base = opaque(lower);
  const over = opaque(upper);
  const data = base.data.slice();
  for (let y = Math.max(0, top); y < Math.min(base.height, top + over.height); y += 1) {
    for (let x = Math.max(0, left); x < Math.min(base.width, left + over.width); x += 1) {
      const from = (y - top) * over.width + (x - left);
      const inside = mask === undefined ? 1 : (mask.data[from] ?? 0) / 255;
      const to = (y * base.width + x) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const value = over.data[from * 3 + channel] ?? 0;
        data[to + channel] = (data[to + channel] ?? 0) * (1 - inside) + value * inside;
      }
    }
  }
  return { ...base, data };
}

type BlendMode = 'normal' | 'multiply' | 'screen' | 'overlay' | 'soft_light' | 'difference';

/** The formula of a blend mode for values from 0 to 1. */
export function blendFormula(mode: string): (lower: number, upper: number) => number {
  switch (mode as BlendMode) {
    case 'multiply':
      return (a, b) => a * b;
    case 'screen':
      return (a, b) => 1 - (1 - a) * (1 - b);
    case 'overlay':
      return (a, b) => (a <= 0.5 ? 2 * a * b : 1 - 2 * (1 - a) * (1 - b));
    case 'soft_light':
      return (a, b) => (b <= 0.5 ? a - (1 - 2 * b) * a * (1 - a) : a + (2 * b - 1) * (softened(a) - a));
    case 'difference':
      return (a, b) => Math.abs(a - b);
    case 'normal':
      return (_a, b) => b;
  }
}

function softened(value: number): number {
  return value <= 0.25 ? ((16 * value - 12) * value + 4) * value : Math.sqrt(value);
}
