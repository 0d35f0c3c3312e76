import { opaque, type Picture } from './picture';
import type { GrayPlane } from './planes';
import { scaled } from './scaling';

/** Blends two pictures of any size, only where the mask allows it: 0 is all the first, 1 all the second. */
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

/** Pastes one picture onto another and cuts off what hangs over. The mask has the size of the pasted picture. */
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
