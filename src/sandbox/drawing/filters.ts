import { mapBytes, opaque } from './picture';
import type { Picture } from './picture';
import { planeFrom } from './planes';
import type { GrayPlane } from './planes';

/** Blurred by a bell curve, first along the rows, then along the columns. */
export function blurred(picture: Picture, radius: number, sigma: number): Picture {
  const weights = Array.from({ length: radius * 2 + 1 }, (_, place) =>
    Math.exp(-((place - radius) ** 2) / (2 * sigma ** 2)),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const bell = weights.map((weight) => weight / total);
  return smeared(smeared(picture, bell, 1, 0), bell, 0, 1);
}

function smeared(picture: Picture, bell: readonly number[], stepX: number, stepY: number): Picture {
  const { width, height, channels, data } = picture;
  const radius = (bell.length - 1) / 2;
  const result = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let channel = 0; channel < channels; channel += 1) {
        let sum = 0.5;
        for (const [place, weight] of bell.entries()) {
          const fromX = Math.min(width - 1, Math.max(0, x + (place - radius) * stepX));
          const fromY = Math.min(height - 1, Math.max(0, y + (place - radius) * stepY));
          sum += (data[(fromY * width + fromX) * channels + channel] ?? 0) * weight;
        }
        result[(y * width + x) * channels + channel] = sum;
      }
    }
  }
  return { ...picture, data: result };
}

/** Sharpened by what a blur takes away. */
export function sharpened(picture: Picture, radius: number, sigma: number, strength: number): Picture {
  const soft = blurred(picture, radius, sigma);
  return mapBytes(picture, (value, at) => clamped(value + (value - (soft.data[at] ?? 0)) * strength));
}

/** With about so many colors: each channel keeps as many shades as their cube root. */
export function posterized(picture: Picture, colors: number): Picture {
  const shades = Math.max(2, Math.round(Math.cbrt(colors)));
  return mapBytes(picture, (value) => (Math.round((value / 255) * (shades - 1)) / (shades - 1)) * 255);
}

/** Where the brightness changes steeply, white on black: the steepest places, and their neighbours above `low`. */
export function edges(picture: Picture, low: number, high: number): GrayPlane {
  const { width, height, data } = opaque(picture);
  const gray = planeFrom(width, height, (_x, _y, at) => {
    return 0.299 * (data[at * 3] ?? 0) + 0.587 * (data[at * 3 + 1] ?? 0) + 0.114 * (data[at * 3 + 2] ?? 0);
  });
  const at = (x: number, y: number): number =>
    gray.data[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))] ?? 0;
  const steepness = Float32Array.from({ length: width * height }, (_, index) => {
    const x = index % width;
    const y = Math.floor(index / width);
    return Math.hypot(at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1)) / 128;
  });
  return planeFrom(width, height, (_x, _y, index) => {
    const steep = steepness[index] ?? 0;
    if (steep >= high * 0.5) return 255;
    const besides = [index - 1, index + 1, index - width, index + width];
    return steep >= low * 0.5 && besides.some((place) => (steepness[place] ?? 0) >= high * 0.5) ? 255 : 0;
  });
}

function clamped(value: number): number {
  return Math.min(255, Math.max(0, value));
}
