import { numberAt } from '../safety/lists';
import { budgets } from '../safety/budgets';
import { pixelDistances } from './pictureDistance';
import { encodePixels, type Pixels, pngPixels } from './pngPixels';

/** Between the pictures, in pixels. */
const gap = 8;

/**
 * The expected image, the one that was made and, if they have the same size, where they differ, side by side: the
 * expected image in pale gray, and the differences in red. Large images are shrunk to `budgets.differencePixels`
 * without losing any difference.
 */
export function differencePicture(expected: Pixels, actual: Pixels): Pixels {
  const isSameSize = expected.width === actual.width && expected.height === actual.height;
  const panels = isSameSize ? 3 : 2;
  const widest = Math.max(expected.width, actual.width);
  const highest = Math.max(expected.height, actual.height);
  const step = Math.ceil(Math.sqrt((panels * widest * highest) / budgets.differencePixels));
  const [left, right] = [shrunk(expected, step), shrunk(actual, step)];
  const parts = isSameSize ? [left, right, differences(expected, actual, left, step)] : [left, right];
  return sideBySide(parts);
}

/** Every `step`th pixel, with 8 bits. */
function shrunk({ width, height, data }: Pixels, step: number): Pixels {
  const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)];
  const unit = data instanceof Uint16Array ? 257 : 1;
  const small = new Uint8Array(4 * columns * rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const [to, from] = [4 * (y * columns + x), 4 * (y * step * width + x * step)];
      for (let channel = 0; channel < 4; channel++)
        small[to + channel] = Math.round(numberAt(data, from + channel) / unit);
    }
  }
  return { width: columns, height: rows, data: small };
}

function differences(expected: Pixels, actual: Pixels, small: Pixels, step: number): Pixels {
  const distanceAt = pixelDistances(expected, actual);
  const { width: columns, height: rows, data } = small;
  const worst = new Float64Array(columns * rows);
  for (let y = 0; y < expected.height; y++) {
    for (let x = 0; x < expected.width; x++) {
      const at = Math.floor(y / step) * columns + Math.floor(x / step);
      worst[at] = Math.max(worst[at] ?? 0, distanceAt(y * expected.width + x));
    }
  }
  const picture = new Uint8Array(4 * columns * rows);
  for (let pixel = 0; pixel < columns * rows; pixel++) {
    const [r = 0, g = 0, b = 0] = data.subarray(4 * pixel, 4 * pixel + 3);
    const pale = 170 + (0.299 * r + 0.587 * g + 0.114 * b) / 3;
    const distance = numberAt(worst, pixel);
    // The slightest one is seen too.
    const red = distance === 0 ? 0 : Math.min(1, 0.4 + 3 * distance);
    const rest = pale * (1 - red);
    picture.set([Math.round(rest + 220 * red), Math.round(rest), Math.round(rest), 255], 4 * pixel);
  }
  return { width: columns, height: rows, data: picture };
}

function sideBySide(parts: readonly Pixels[]): Pixels {
  const width = parts.reduce((sum, part) => sum + part.width, gap * (parts.length - 1));
  const height = Math.max(...parts.map((part) => part.height));
  const data = new Uint8Array(4 * width * height);
  let left = 0;
  for (const part of parts) {
    for (let y = 0; y < part.height; y++) {
      const row = part.data.subarray(4 * y * part.width, 4 * (y + 1) * part.width);
      data.set(row, 4 * (y * width + left));
    }
    left += part.width + gap;
  }
  return { width, height, data };
}

/** The largest side of a thumbnail, and the pixels of a PNG that is decoded for one: that takes some 20 ms. */
const thumbnailSide = 256;
const mostPixels = 2 ** 20;

/** A small PNG of a PNG, without what else is in it; undefined if it is large, animated or none. */
export function pngThumbnail(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < 24) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(16) * view.getUint32(20) > mostPixels) return undefined;
  const pixels = pngPixels(bytes);
  return (
    pixels && encodePixels(shrunk(pixels, Math.ceil(Math.max(pixels.width, pixels.height) / thumbnailSide)))
  );
}
