import type { Picture } from './picture';

/** Resizes the picture: averages when it shrinks, interpolates when it grows. */
export function scaled(picture: Picture, width: number, height: number): Picture {
  if (picture.width === width && picture.height === height) return picture;
  const { channels } = picture;
  const across = weights(picture.width, width);
  const down = weights(picture.height, height);
  // Rows first, then columns, so that each pixel needs its neighbours in one direction only.
  const rows = new Float32Array(width * picture.height * channels);
  for (let x = 0; x < width; x += 1) {
    for (const { index, weight } of across[x] ?? []) {
      for (let y = 0; y < picture.height; y += 1) {
        const from = (y * picture.width + index) * channels;
        const to = (y * width + x) * channels;
        for (let channel = 0; channel < channels; channel += 1) {
          rows[to + channel] = (rows[to + channel] ?? 0) + (picture.data[from + channel] ?? 0) * weight;
        }
      }
    }
  }
  const sums = new Float32Array(width * channels);
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    sums.fill(0.5);
    for (const { index, weight } of down[y] ?? []) {
      const from = index * width * channels;
      for (let at = 0; at < sums.length; at += 1)
        sums[at] = (sums[at] ?? 0) + (rows[from + at] ?? 0) * weight;
    }
    data.set(sums, y * width * channels);
  }
  return { width, height, channels, data };
}

/** Shrinks the picture to at most `side` in both directions and keeps its proportions. */
export function fitInside(picture: Picture, side: number): Picture {
  const ratio = Math.min(1, side / Math.max(picture.width, picture.height));
  return scaled(picture, atLeastOne(picture.width * ratio), atLeastOne(picture.height * ratio));
}

/** Scaled to cover the size, then cut evenly at both ends: the server's `crop: center`. */
export function covering(picture: Picture, width: number, height: number): Picture {
  const ratio = Math.max(width / picture.width, height / picture.height);
  const wide = scaled(
    picture,
    Math.max(width, atLeastOne(picture.width * ratio)),
    Math.max(height, atLeastOne(picture.height * ratio)),
  );
  return cropped(
    wide,
    Math.floor((wide.width - width) / 2),
    Math.floor((wide.height - height) / 2),
    width,
    height,
  );
}

/** Crops the picture; anything outside of it is left out. */
export function cropped(picture: Picture, left: number, top: number, width: number, height: number): Picture {
  const x = Math.min(Math.max(0, left), picture.width - 1);
  const y = Math.min(Math.max(0, top), picture.height - 1);
  const columns = Math.min(width, picture.width - x);
  const rows = Math.min(height, picture.height - y);
  const { channels } = picture;
  const data = new Uint8Array(columns * rows * channels);
  for (let row = 0; row < rows; row += 1) {
    const from = ((y + row) * picture.width + x) * channels;
    data.set(picture.data.subarray(from, from + columns * channels), row * columns * channels);
  }
  return { width: columns, height: rows, channels, data };
}

function atLeastOne(size: number): number {
  return Math.max(1, Math.round(size));
}

interface Weight {
  readonly index: number;
  readonly weight: number;
}

/**
 * The source positions under each target position, with their weights. At least one source pixel wide, so that
 * enlarging interpolates.
 */
function weights(from: number, to: number): readonly (readonly Weight[])[] {
  const ratio = from / to;
  const width = Math.max(1, ratio);
  return Array.from({ length: to }, (_, place) => {
    const start = (place + 0.5) * ratio - width / 2;
    const first = Math.floor(start);
    return Array.from({ length: Math.ceil(start + width) - first }, (_unused, offset) => {
      const index = first + offset;
      const share = Math.min(start + width, index + 1) - Math.max(start, index);
      return { index: Math.min(from - 1, Math.max(0, index)), weight: share / width };
    });
  });
}
