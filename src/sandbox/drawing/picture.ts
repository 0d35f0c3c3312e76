import { decode, encode } from 'fast-png';
import { hashText } from './random';
import { numberAt } from '../../core/safety/lists';

/** Pixels, 8 bits per channel, row by row from the top, channels interleaved. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

export type Color = readonly [red: number, green: number, blue: number];

export function plainPicture(width: number, height: number, color: Color): Picture {
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < data.length; at += 3) data.set(color, at);
  return { width, height, channels: 3, data };
}

/** A gradient between two colors that the hash chooses. The part that isn't drawn yet is gray. */
export function drawPicture(width: number, height: number, hash: number, done = 1): Picture {
  const [from, to] = [hashColor(`${hash} from`), hashColor(`${hash} to`)];
  const picture = plainPicture(width, height, [128, 128, 128]);
  const reach = width + height;
  for (let y = 0; y < height * done; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const share = (x + y) / reach;
      const at = (y * width + x) * 3;
      for (const channel of [0, 1, 2] as const)
        picture.data[at + channel] = from[channel] * (1 - share) + to[channel] * share;
    }
  }
  return picture;
}

function hashColor(text: string): Color {
  const hash = hashText(text);
  return [hash & 255, (hash >> 8) & 255, (hash >> 16) & 255];
}

export function opaquePicture(picture: Picture): Picture {
  if (picture.channels === 3) return picture;
  const { width, height } = picture;
  const data = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < data.length; from += 4, to += 3) {
    data.set(picture.data.subarray(from, from + 3), to);
  }
  return { width, height, channels: 3, data };
}

export function grayPicture(
  { width, height, channels, data }: Picture,
  byte: (pixel: Uint8Array) => number,
): Picture {
  const gray = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < gray.length; from += channels, to += 3)
    gray.fill(byte(data.subarray(from, from + channels)), to, to + 3);
  return { width, height, channels: 3, data: gray };
}

function mapBytes(picture: Picture, byte: (value: number, at: number) => number): Picture {
  return { ...picture, data: picture.data.map(byte) };
}

/** Keeps proportions and takes the nearest pixels. */
export function fitInside(picture: Picture, side: number): Picture {
  const ratio = Math.max(1, Math.max(picture.width, picture.height) / side);
  if (ratio === 1) return picture;
  const { channels } = picture;
  const width = Math.max(1, Math.round(picture.width / ratio));
  const height = Math.max(1, Math.round(picture.height / ratio));
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const row = Math.floor((y * picture.height) / height);
      const from = (row * picture.width + Math.floor((x * picture.width) / width)) * channels;
      data.set(picture.data.subarray(from, from + channels), (y * width + x) * channels);
    }
  }
  return { width, height, channels, data };
}

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
