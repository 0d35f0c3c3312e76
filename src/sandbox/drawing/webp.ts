import type { Picture } from './picture';

/** Writes bits, lowest first. */
class Bits {
  readonly #bytes: Uint8Array;
  #length = 0;
  #pending = 0;
  #count = 0;

  constructor(most: number) {
    this.#bytes = new Uint8Array(most);
  }

  write(value: number, count: number): void {
    this.#pending |= value << this.#count;
    this.#count += count;
    for (; this.#count >= 8; this.#count -= 8) {
      this.#bytes[this.#length++] = this.#pending & 255;
      this.#pending >>>= 8;
    }
  }

  end(): Uint8Array {
    this.write(0, 7);
    return this.#bytes.slice(0, this.#length);
  }
}

/** Upper bound for everything before the pixels. */
const mostBytesOfCodes = 512;
/** Codes start with their highest bit. */
const reversed = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number.parseInt(Array.from(byte.toString(2).padStart(8, '0')).reverse().join(''), 2),
);

/**
 * Encodes the picture as lossless WebP without compression: every channel value is an eight-bit code. The file is
 * large, but any reader can open it, and every maintained encoder of animations needs native code or a megabyte of
 * code.
 */
function losslessStream({ width, height, channels, data }: Picture): Uint8Array {
  const bits = new Bits(mostBytesOfCodes + data.length);
  bits.write(0x2f, 8);
  bits.write(width - 1, 14);
  bits.write(height - 1, 14);
  bits.write(channels - 3, 1); // whether alpha is used
  bits.write(0, 3); // version
  bits.write(0, 3); // no transform, no colour cache, one group of codes
  writeEvenCode(bits, 256 + 24); // green, and lengths of repetitions
  writeEvenCode(bits, 256);
  writeEvenCode(bits, 256);
  if (channels === 4) writeEvenCode(bits, 256);
  else bits.write(0b11111111101, 11); // a simple code of the one symbol 255
  bits.write(0b0001, 4); // distances: a simple code of the one symbol 0
  const order = [1, 0, 2, 3].slice(0, channels);
  for (let at = 0; at < data.length; at += channels) {
    for (const channel of order) bits.write(reversed[data[at + channel] ?? 0] ?? 0, 8);
  }
  return bits.end();
}

/** Declares that the first 256 symbols have eight-bit codes and the others none. */
function writeEvenCode(bits: Bits, symbols: number): void {
  bits.write(0, 1); // a normal code
  bits.write(12 - 4, 4); // twelve lengths follow, in the order of the format: 17 18 0 1 2 3 4 5 16 6 7 8
  for (const used of [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]) bits.write(used, 3);
  bits.write(0, 1); // for all symbols
  for (let symbol = 0; symbol < symbols; symbol += 1) bits.write(symbol < 256 ? 1 : 0, 1);
}

export function encodeWebp(picture: Picture): Uint8Array {
  return riff(chunk('VP8L', losslessStream(picture)));
}

/** All pictures must have the size of the first one. */
export function encodeAnimatedWebp(pictures: readonly Picture[], framesPerSecond: number): Uint8Array {
  const { width = 1, height = 1 } = pictures[0] ?? {};
  const size = Buffer.concat([little(width - 1, 3), little(height - 1, 3)]);
  const duration = little(Math.max(1, Math.round(1000 / framesPerSecond)), 3);
  const frames = pictures.map((picture) =>
    chunk('ANMF', Buffer.alloc(6), size, duration, Buffer.alloc(1), chunk('VP8L', losslessStream(picture))),
  );
  const animated = little(0x02, 4);
  return riff(chunk('VP8X', animated, size), chunk('ANIM', Buffer.alloc(6)), ...frames);
}

function riff(...chunks: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(chunk('RIFF', Buffer.from('WEBP'), ...chunks));
}

function chunk(name: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(name), little(body.length, 4), body, Buffer.alloc(body.length % 2)]);
}

function little(value: number, bytes: number): Buffer {
  const all = Buffer.alloc(bytes);
  all.writeUIntLE(value, 0, bytes);
  return all;
}
