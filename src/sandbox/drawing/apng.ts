import { crc32 } from 'node:zlib';
import { opaque } from './picture';
import type { Picture } from './picture';
import { encodePng } from './encodePng';
import type { PngText } from './encodePng';

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

const signatureBytes = 8;

/** An animated PNG: the pictures of the ordinary encoder, put one after the other (the PNG library writes no animation). */
export function encodeApng(
  pictures: readonly Picture[],
  framesPerSecond: number,
  text: PngText = {},
): Uint8Array {
  const frames = pictures.map((picture, index) =>
    chunksOf(encodePng(opaque(picture), index === 0 ? text : {})),
  );
  const [first = []] = frames;
  const delay = Math.max(1, Math.round(1000 / framesPerSecond));
  const pixels = frames.map((chunks) => Buffer.concat(chunks.filter(isPixels).map(({ data }) => data)));
  let sequence = 0;
  const animation = pixels.flatMap((data, index): Chunk[] => {
    const { width = 0, height = 0 } = pictures[index] ?? {};
    const control = numbers(sequence++, width, height, 0, 0);
    const shown = Uint8Array.of(delay >> 8, delay & 255, 1000 >> 8, 1000 & 255, 0, 0);
    const picture =
      index === 0 ? { type: 'IDAT', data } : { type: 'fdAT', data: joined(numbers(sequence++), data) };
    return [{ type: 'fcTL', data: joined(control, shown) }, picture];
  });
  const before = first.filter(({ type }) => type !== 'IDAT' && type !== 'IEND');
  const [header, ...described] = before;
  const chunks = [
    ...(header ? [header] : []),
    { type: 'acTL', data: numbers(pictures.length, 0) },
    ...described,
    ...animation,
    { type: 'IEND', data: new Uint8Array() },
  ];
  return joined(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), ...chunks.map(written));
}

function isPixels({ type }: Chunk): boolean {
  return type === 'IDAT';
}

function chunksOf(png: Uint8Array): readonly Chunk[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  for (let at = signatureBytes; at + 12 <= png.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function written({ type, data }: Chunk): Uint8Array {
  const named = joined(new TextEncoder().encode(type), data);
  return joined(numbers(data.length), named, numbers(crc32(named)));
}

function numbers(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value);
  return new Uint8Array(view.buffer);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
