import { decode, encode } from 'fast-png';
import { decodePng } from '../drawing/encodePng';

/** Eight bits per channel, rows from the top. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA. */
  readonly data: Uint8Array;
}

/** The picture without its alpha channel, as PNG; undefined for bytes that are no PNG. */
export function colourOnly(bytes: Uint8Array): Uint8Array | undefined {
  const pixels = readPixels(bytes);
  if (!pixels) return undefined;
  const data = new Uint8Array(pixels.width * pixels.height * 3);
  for (let at = 0, to = 0; at < pixels.data.length; at += 4) {
    for (let channel = 0; channel < 3; channel++) data[to++] = pixels.data[at + channel] ?? 0;
  }
  return encode({ width: pixels.width, height: pixels.height, data, channels: 3, depth: 8 });
}

/** The alpha channel on black, as PNG; a picture without one is opaque everywhere. */
export function alphaOnly(bytes: Uint8Array): Uint8Array | undefined {
  const pixels = readPixels(bytes);
  if (!pixels) return undefined;
  const data = new Uint8Array(pixels.data.length);
  for (let at = 3; at < data.length; at += 4) data[at] = pixels.data[at] ?? 255;
  return encode({ width: pixels.width, height: pixels.height, data, channels: 4, depth: 8 });
}

/** The original with the alpha channel of the mask; the original's text stays with it (protocol 1.4). */
export function withAlpha(original: Uint8Array, mask: Uint8Array): Uint8Array | undefined {
  const [pixels, alpha] = [readPixels(original), readPixels(mask)];
  if (!pixels || !alpha || pixels.data.length !== alpha.data.length) return undefined;
  const data = Uint8Array.from(pixels.data, (value, at) => (at % 4 === 3 ? (alpha.data[at] ?? 255) : value));
  return encode({
    width: pixels.width,
    height: pixels.height,
    data,
    channels: 4,
    depth: 8,
    text: decode(original).text,
  });
}

/** The picture no larger than a square of this edge, by the nearest pixel. */
export function fitInto(bytes: Uint8Array, edge: number): Pixels | undefined {
  const pixels = readPixels(bytes);
  if (!pixels) return undefined;
  const scale = Math.min(1, edge / Math.max(pixels.width, pixels.height));
  const width = Math.max(1, Math.round(pixels.width * scale));
  const height = Math.max(1, Math.round(pixels.height * scale));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * pixels.height) / height);
    for (let x = 0; x < width; x++) {
      const from = 4 * (row * pixels.width + Math.floor((x * pixels.width) / width));
      data.set(pixels.data.subarray(from, from + 4), 4 * (y * width + x));
    }
  }
  return { width, height, data };
}

function readPixels(bytes: Uint8Array): Pixels | undefined {
  const picture = decodePng(bytes);
  if (!picture) return undefined;
  const { width, height, channels } = picture;
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) {
    data.set(picture.data.subarray(pixel * channels, (pixel + 1) * channels), pixel * 4);
  }
  return { width, height, data };
}
