import { decode, encode } from 'fast-png';
import { numberAt } from '../../core/safety/lists';
import { type Picture, fitInside, mapBytes, opaquePicture } from './picture';

/** These chunks are Latin-1: escape anything beyond ASCII. */
export type PngText = Readonly<Record<string, string>>;

/** Text chunks are those of the server's save nodes (workflows 1.5). */
export function encodePng(picture: Picture, text: PngText = {}): Uint8Array {
  const { width, height, channels, data } = picture;
  return encode({ width, height, channels, depth: 8, data, text: { ...text } });
}

/** Undefined if it is broken or not a PNG. */
export function decodePng(bytes: Uint8Array): Picture | undefined {
  try {
    const { width, height, channels, depth, data, palette } = decode(bytes);
    if (palette !== undefined) return fromPalette(width, height, data, palette);
    const unit = depth === 16 ? 257 : 1;
    const colors = channels === 2 || channels === 4 ? 4 : 3;
    const pixels = new Uint8Array(width * height * colors);
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      for (let channel = 0; channel < colors; channel += 1) {
        pixels[pixel * colors + channel] =
          numberAt(data, pixel * channels + sourceChannel(channel, channels)) / unit;
      }
    }
    return { width, height, channels: colors, data: pixels };
  } catch {
    return undefined;
  }
}

/** Gray pictures repeat their one channel; alpha is the second channel. */
function sourceChannel(channel: number, channels: number): number {
  if (channels >= 3) return channel;
  return channel === 3 ? 1 : 0;
}

function fromPalette(
  width: number,
  height: number,
  data: ArrayLike<number>,
  palette: readonly (readonly number[])[],
): Picture {
  const channels = palette.some((color) => color.length === 4) ? 4 : 3;
  const pixels = new Uint8Array(width * height * channels);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    pixels.set(palette[numberAt(data, pixel)] ?? [], pixel * channels);
  }
  return { width, height, channels, data: pixels };
}

/** ASCII only, as the real server writes it. */
export function asciiJson(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Undefined if the bytes are not a PNG. */
export function colourOnly(bytes: Uint8Array): Uint8Array | undefined {
  const picture = decodePng(bytes);
  return picture && encodePng(opaquePicture(picture));
}

/** On black; a picture without alpha is fully opaque. */
export function alphaOnly(bytes: Uint8Array): Uint8Array | undefined {
  const picture = withChannels(bytes);
  return picture && encodePng(mapBytes(picture, (value, at) => (at % 4 === 3 ? value : 0)));
}

/** Keeps the text chunks of the original (protocol 1.4). */
export function withAlpha(original: Uint8Array, mask: Uint8Array): Uint8Array | undefined {
  const [picture, alpha] = [withChannels(original), withChannels(mask)];
  if (!picture || !alpha || picture.data.length !== alpha.data.length) return undefined;
  const masked = mapBytes(picture, (value, at) => (at % 4 === 3 ? (alpha.data[at] ?? 255) : value));
  return encodePng(masked, decode(original).text);
}

export function fitInto(bytes: Uint8Array, edge: number): Picture | undefined {
  const picture = decodePng(bytes);
  return picture && fitInside(picture, edge);
}

function withChannels(bytes: Uint8Array): Picture | undefined {
  const picture = decodePng(bytes);
  if (!picture || picture.channels === 4) return picture;
  const { width, height, data } = picture;
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) pixels.set(data.subarray(at * 3, at * 3 + 3), at * 4);
  return { width, height, channels: 4, data: pixels };
}
