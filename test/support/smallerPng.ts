import { decode, encode } from 'fast-png';
import { readFileSync, writeFileSync } from 'node:fs';

/** Rounds the colors of a picture to multiples of `step`: noise compresses badly, and nobody sees the difference. */
export function makePngSmaller(file: string, step: number): void {
  const { width, height, channels, data } = decode(readFileSync(file));
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      const value = data[pixel * channels + channel] ?? 0;
      rgb[pixel * 3 + channel] = Math.min(255, Math.round(value / step) * step);
    }
  }
  writeFileSync(file, encode({ width, height, channels: 3, data: rgb }, { zlib: { level: 9 } }));
}
