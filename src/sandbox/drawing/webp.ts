import { opaque } from './picture';
import type { Picture } from './picture';
import { codeLengths, codesFor } from './prefixCode';

/**
 * An animated WebP of lossless frames. Written by hand because no maintained encoder writes animations without a native
 * part or a megabyte of code: each frame is predicted from its neighbours and coded with one prefix code per channel,
 * which is all that the format asks for.
 */
export function encodeAnimatedWebp(pictures: readonly Picture[], framesPerSecond: number): Uint8Array {
  const { width = 1, height = 1 } = pictures[0] ?? {};
  const duration = Math.max(1, Math.round(1000 / framesPerSecond));
  const animated = 0x02;
  const size = [...little(width - 1, 3), ...little(height - 1, 3)];
  const frames = pictures.map((picture) =>
    chunk(
      'ANMF',
      [...little(0, 6), ...size, ...little(duration, 3), 0],
      chunk('VP8L', [], losslessFrame(picture)),
    ),
  );
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', [animated, 0, 0, 0, ...size]),
    chunk('ANIM', [...little(0, 4), ...little(0, 2)]),
    ...frames,
  ]);
  return Uint8Array.from(chunk('RIFF', [], body));
}

function chunk(name: string, head: readonly number[], body: Uint8Array = new Uint8Array()): Uint8Array {
  const length = head.length + body.length;
  const padding = new Uint8Array(length % 2);
  return Buffer.concat([
    Buffer.from(name),
    Uint8Array.from(little(length, 4)),
    Uint8Array.from(head),
    body,
    padding,
  ]);
}

function little(value: number, bytes: number): readonly number[] {
  return Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);
}

/** Bits, the first one lowest. */
class Bits {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #pending = 0;
  #count = 0;

  write(value: number, count: number): void {
    this.#pending |= value << this.#count;
    this.#count += count;
    for (; this.#count >= 8; this.#count -= 8) {
      if (this.#length === this.#bytes.length) this.#grow();
      this.#bytes[this.#length++] = this.#pending & 255;
      this.#pending >>>= 8;
    }
  }

  end(): Uint8Array {
    this.write(0, 8);
    return this.#bytes.slice(0, this.#length);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Sizes of the five alphabets of the format; back references and distances are declared but never used here. */
const alphabets = { green: 280, red: 256, blue: 256, alpha: 256, distance: 40 };
const averageOfLeftAndTop = 7;
/** One block of predictors as large as the format allows; larger pictures take a few of them. */
const blockBits = 9;

function losslessFrame(picture: Picture): Uint8Array {
  const { width, height, data } = opaque(picture);
  const bits = new Bits();
  bits.write(0x2f, 8);
  bits.write(width - 1, 14);
  bits.write(height - 1, 14);
  bits.write(0, 4);
  bits.write(1, 1);
  bits.write(2, 2);
  bits.write(1, 1);
  bits.write(0, 2);
  bits.write(blockBits - 2, 3);
  writePredictors(bits);
  bits.write(0, 1);
  bits.write(0, 1);
  bits.write(0, 1);
  const residues = predictionErrors(withoutGreen(data), width);
  const codes = [1, 0, 2].map((channel) =>
    writeCode(bits, histogram(residues, channel), channel === 1 ? alphabets.green : 256),
  );
  writeSingle(bits, 0);
  writeSingle(bits, 0);
  for (let at = 0; at < residues.length; at += 3) {
    for (const [index, channel] of [1, 0, 2].entries()) {
      const { lengths, words } = codes[index] ?? {};
      const symbol = residues[at + channel] ?? 0;
      bits.write(words?.[symbol] ?? 0, lengths?.[symbol] ?? 0);
    }
  }
  return bits.end();
}

/** The same predictor for all blocks: codes of one symbol, so that the picture of predictors itself takes no bits. */
function writePredictors(bits: Bits): void {
  bits.write(0, 1);
  for (const symbol of [averageOfLeftAndTop, 0, 0, 0, 0]) writeSingle(bits, symbol);
}

function writeSingle(bits: Bits, symbol: number): void {
  bits.write(1, 1);
  bits.write(0, 1);
  bits.write(1, 1);
  bits.write(symbol, 8);
}

interface Code {
  readonly lengths: Uint8Array;
  readonly words: Uint16Array;
}

function writeCode(bits: Bits, counts: Uint32Array, size: number): Code {
  const used = [...counts.keys()].filter((symbol) => (counts[symbol] ?? 0) > 0);
  if (used.length < 2) {
    writeSingle(bits, used[0] ?? 0);
    return { lengths: new Uint8Array(size), words: new Uint16Array(size) };
  }
  const lengths = codeLengths(counts);
  bits.write(0, 1);
  // Every length from 0 to 15 is written with four bits; in the order of the format the first two stand for runs.
  bits.write(15, 4);
  for (const symbol of [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) {
    bits.write(symbol < 16 ? 4 : 0, 3);
  }
  bits.write(0, 1);
  const flat = codesFor(new Uint8Array(16).fill(4));
  for (let symbol = 0; symbol < size; symbol += 1) bits.write(flat[lengths[symbol] ?? 0] ?? 0, 4);
  return { lengths, words: codesFor(lengths) };
}

function histogram(residues: Uint8Array, channel: number): Uint32Array {
  const counts = new Uint32Array(256);
  for (let at = channel; at < residues.length; at += 3) {
    const value = residues[at] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

/** Red and blue as their difference to green. */
function withoutGreen(data: Uint8Array): Uint8Array {
  return data.map((value, at) => (at % 3 === 1 ? value : value - (data[at - (at % 3) + 1] ?? 0)));
}

/** What the predictor of the format misses: left in the first row, above in the first column, else the average of both. */
function predictionErrors(data: Uint8Array, width: number): Uint8Array {
  const row = width * 3;
  return data.map((value, at) => {
    const left = data[at - 3] ?? 0;
    const above = data[at - row] ?? 0;
    if (at < row) return value - (at < 3 ? 0 : left);
    return value - (at % row < 3 ? above : (left + above) >> 1);
  });
}
