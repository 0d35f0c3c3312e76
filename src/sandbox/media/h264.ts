import type { Picture } from '../drawing/picture';
import { BitWriter } from './bitWriter';

/**
 * H.264 by hand, since every player supports it and every maintained encoder needs native code. Each picture stands
 * alone and its blocks are stored raw (I_PCM), which the format allows and needs no transform: one and a half bytes
 * per pixel.
 */
export interface H264 {
  /** Sequence and picture parameters, which a container stores separately. */
  readonly sequence: Uint8Array;
  readonly picture: Uint8Array;
  /** One for each picture, all of the size of the first one. */
  readonly frames: readonly Uint8Array[];
}

const block = 16;
const baseline = 66;
/** The highest level: it limits the rate of raw blocks, but not the size. */
const level = 52;

export function encodeH264(pictures: readonly [Picture, ...Picture[]]): H264 {
  const [{ width, height }] = pictures;
  return {
    sequence: sequenceParameters(width, height),
    picture: pictureParameters(),
    frames: pictures.map((picture, index) => frame(picture, width, height, index)),
  };
}

function sequenceParameters(width: number, height: number): Uint8Array {
  const [columns, rows] = [blocks(width), blocks(height)];
  // Cropped by pairs of pixels: each pair shares its color.
  const [right, bottom] = [(columns * block - width) >> 1, (rows * block - height) >> 1];
  const bits = new BitWriter();
  for (const byte of [baseline, 0xc0, level]) bits.write(byte, 8);
  golomb(bits, 0); // number of these parameters
  golomb(bits, 0); // frame numbers have 4 bits
  golomb(bits, 2); // shown in decoding order
  golomb(bits, 0); // no picture refers to another one
  bits.write(0, 1);
  golomb(bits, columns - 1);
  golomb(bits, rows - 1);
  bits.write(0b11, 2); // whole frames
  bits.write(right + bottom > 0 ? 1 : 0, 1);
  if (right + bottom > 0) for (const edge of [0, right, 0, bottom]) golomb(bits, edge);
  bits.write(0, 1);
  return unit(0x67, ended(bits));
}

function pictureParameters(): Uint8Array {
  const bits = new BitWriter();
  golomb(bits, 0); // number of these parameters
  golomb(bits, 0); // and of the sequence's
  bits.write(0, 2);
  for (const groupsAndReferences of [0, 0, 0]) golomb(bits, groupsAndReferences);
  bits.write(0, 3); // weights
  for (const quantiser of [0, 0, 0]) golomb(bits, quantiser);
  bits.write(0b100, 3); // slices specify their smoothing
  return unit(0x68, ended(bits));
}

function frame(picture: Picture, width: number, height: number, index: number): Uint8Array {
  const bits = new BitWriter();
  golomb(bits, 0); // from the first block
  golomb(bits, 7); // every slice is an intra slice
  golomb(bits, 0);
  bits.write(0, 4);
  golomb(bits, index % 2); // neighbors have different numbers
  bits.write(0, 2);
  golomb(bits, 0);
  golomb(bits, 1); // not smoothed
  for (let row = 0; row < blocks(height); row += 1) {
    for (let column = 0; column < blocks(width); column += 1) {
      golomb(bits, 25); // a raw block
      bits.align();
      writeBlock(bits, picture, column * block, row * block);
    }
  }
  return unit(0x65, ended(bits));
}

/**
 * Brightness of each pixel, then both color channels of every second pixel in every second line. Pixels past an edge
 * repeat the edge.
 */
function writeBlock(bits: BitWriter, picture: Picture, left: number, top: number): void {
  const { width, height, channels, data } = picture;
  const plane = (step: number, [red, green, blue, base]: Weights): void => {
    for (let y = top; y < top + block; y += step) {
      for (let x = left; x < left + block; x += step) {
        const at = (Math.min(y, height - 1) * width + Math.min(x, width - 1)) * channels;
        const sum = red * (data[at] ?? 0) + green * (data[at + 1] ?? 0) + blue * (data[at + 2] ?? 0);
        bits.write(base + ((sum + 128) >> 8), 8);
      }
    }
  };
  plane(1, [66, 129, 25, 16]);
  plane(2, [-38, -74, 112, 128]);
  plane(2, [112, -94, -18, 128]);
}

/** Weights of red, green and blue in 256ths, and the offset (BT.601). */
type Weights = readonly [red: number, green: number, blue: number, base: number];

function blocks(pixels: number): number {
  return Math.ceil(pixels / block);
}

/** Exp-Golomb: the bits of the number plus one, after one zero fewer than there are bits. */
function golomb(bits: BitWriter, value: number): void {
  const length = Math.floor(Math.log2(value + 1));
  bits.write(0, length);
  bits.write(value + 1, length + 1);
}

function ended(bits: BitWriter): Uint8Array {
  bits.write(1, 1);
  bits.align();
  return bits.bytes();
}

/** Two zeros and a small byte would look like the start of the next unit: a 3 goes between them. */
function unit(kind: number, bytes: Uint8Array): Uint8Array {
  const escaped = [kind];
  const whole = Buffer.alloc(bytes.length + 1);
  whole[0] = kind;
  whole.set(bytes, 1);
  if (!whole.includes(Buffer.from([0, 0]))) return whole;
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte <= 3) {
      escaped.push(3);
      zeros = 0;
    }
    escaped.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Uint8Array.from(escaped);
}
