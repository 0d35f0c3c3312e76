import { inflateSync } from 'node:zlib';
import { decode, encode, type DecodedPng } from 'fast-png';
import { numberAt } from '../safety/lists';
import { budgets } from '../safety/budgets';

/** The chunks that a still picture consists of. Colour profiles are not applied. */
const pictureChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** Undefined if it isn't a whole still PNG or has more than `budgets.testedPixels`. */
export function pngPixels(bytes: Uint8Array): Pixels | undefined {
  const chunks = pngChunks(bytes);
  if (!chunks || chunks.some(({ type }) => type === 'acTL')) return undefined;
  const pictureParts = chunks.filter(({ type }) => pictureChunks.has(type));
  try {
    if (!isWhole(pictureParts)) return undefined;
    // Other chunks may inflate to anything.
    const png = decode(Buffer.concat([bytes.subarray(0, 8), ...pictureParts.map(({ whole }) => whole)]));
    return { width: png.width, height: png.height, data: rgbaOf(png) };
  } catch {
    return undefined;
  }
}

export function encodePixels({ width, height, data }: Pixels): Uint8Array {
  return encode({ width, height, data, channels: 4, depth: data instanceof Uint16Array ? 16 : 8 });
}

/** Whether the compressed data are exactly those of a picture of this size, which must be within the limits. */
function isWhole(chunks: readonly PngChunk[]): boolean {
  const [header] = chunks;
  if (header?.type !== 'IHDR' || header.data.length !== 13) return false;
  const view = new DataView(header.data.buffer, header.data.byteOffset, 13);
  const [width, height, depth] = [view.getUint32(0), view.getUint32(4), view.getUint8(8)];
  const [channels, interlaced] = [channelsOf[view.getUint8(9)], view.getUint8(12) === 1];
  if (width === 0 || height === 0 || width * height > budgets.testedPixels) return false;
  // The decoder reads packed pixels of interlaced pictures wrongly.
  if (channels === undefined || (interlaced && depth < 8)) return false;
  const line = (pixels: number): number => 1 + Math.ceil((pixels * channels * depth) / 8);
  const size = interlaced
    ? passes.reduce((sum, [x, y, stepX, stepY]) => {
        const [columns, rows] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)];
        return columns > 0 && rows > 0 ? sum + rows * line(columns) : sum;
      }, 0)
    : height * line(width);
  const compressed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  return inflateSync(compressed, { maxOutputLength: size }).length === size;
}

/** By colour type: gray, -, RGB, palette, gray with alpha, -, RGB with alpha. */
const channelsOf: readonly (number | undefined)[] = [1, undefined, 3, 1, 2, undefined, 4];

/** First column and row, and the steps, of each pass of an interlaced picture. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function rgbaOf(png: DecodedPng): Pixels['data'] {
  const { width, height, depth, channels, palette, transparency } = png;
  const samples = depth < 8 ? unpacked(png) : png.data;
  const most = depth === 16 ? 65_535 : 255;
  const pixels = width * height;
  const rgba = depth === 16 ? new Uint16Array(4 * pixels) : new Uint8Array(4 * pixels);
  // Values of fewer bits fill the range.
  const unit = depth < 8 && !palette ? 255 / (2 ** depth - 1) : 1;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = pixel * channels;
    const first = numberAt(samples, at);
    let [r, g, b, a] = [first, first, first, most];
    if (palette) [r = 0, g = 0, b = 0, a = most] = palette[first] ?? [];
    else {
      if (channels >= 3) [g, b] = [numberAt(samples, at + 1), numberAt(samples, at + 2)];
      if (channels % 2 === 0) a = numberAt(samples, at + channels - 1);
      if (transparency && isTransparent(transparency, r, g, b)) a = 0;
    }
    rgba.set([r * unit, g * unit, b * unit, a], 4 * pixel);
  }
  return rgba;
}

/** The one colour that a picture without alpha channel shows as transparent. */
function isTransparent(color: Uint16Array, r: number, g: number, b: number): boolean {
  return color.length === 1 ? color[0] === r : color[0] === r && color[1] === g && color[2] === b;
}

/** One value per pixel: several share a byte, and each row begins with a new one. */
function unpacked({ width, height, depth, data }: DecodedPng): Uint8Array {
  const [perByte, stride] = [8 / depth, Math.ceil((width * depth) / 8)];
  const values = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = numberAt(data, y * stride + Math.floor(x / perByte));
      values[y * width + x] = (byte >> (8 - depth * ((x % perByte) + 1))) & (2 ** depth - 1);
    }
  }
  return values;
}

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha (not premultiplied), row by row, in sRGB; 16 bits per value in a `Uint16Array`. */
  readonly data: Uint8Array | Uint16Array;
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

type PngChunk = NonNullable<ReturnType<typeof pngChunks>>[number];

/** The chunks of a PNG file up to its end; undefined if it isn't a PNG or is broken. */
export function pngChunks(bytes: Uint8Array) {
  if (signature.some((each, at) => bytes[at] !== each)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: { readonly type: string; readonly data: Uint8Array; readonly whole: Uint8Array }[] = [];
  for (let at = signature.length; chunks.length < budgets.fileParts;) {
    if (at + 12 > bytes.length) return undefined;
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length) return undefined;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    if (type === 'IEND') return chunks;
    at = end;
  }
  return undefined;
}
