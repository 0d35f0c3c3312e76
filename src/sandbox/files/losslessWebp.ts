/** Bits, the lowest first, as the lossless WebP stream has them. */
class BitWriter {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;

  write(value: number, bits: number): void {
    for (let bit = 0; bit < bits; bit++) {
      this.#held |= ((value >> bit) & 1) << this.#count;
      if (++this.#count < 8) continue;
      this.#bytes.push(this.#held);
      this.#held = 0;
      this.#count = 0;
    }
  }

  finish(): Buffer {
    return Buffer.from(this.#count > 0 ? [...this.#bytes, this.#held] : this.#bytes);
  }
}

/** Prefix codes come with their highest bit first. */
const reversed = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number.parseInt(byte.toString(2).padStart(8, '0').split('').reverse().join(''), 2),
);

/**
 * A lossless WebP file without compression: every channel value is a code of eight bits. Large, but any reader takes
 * it, and the sandbox needs no encoder for the little previews that it answers with.
 * @param rgba eight bits per channel, rows from the top.
 */
export function losslessWebp(width: number, height: number, rgba: Uint8Array): Buffer {
  const bits = new BitWriter();
  bits.write(0x2f, 8);
  bits.write(width - 1, 14);
  bits.write(height - 1, 14);
  bits.write(1, 1); // alpha is used
  bits.write(0, 3); // version
  bits.write(0, 3); // no transform, no colour cache, one group of codes
  const greenAndLengths = 256 + 24;
  for (const symbols of [greenAndLengths, 256, 256, 256]) writeEvenCode(bits, symbols);
  bits.write(0b0001, 4); // distances: a simple code of the one symbol 0
  for (let at = 0; at < rgba.length; at += 4) {
    for (const channel of [1, 0, 2, 3]) bits.write(reversed[rgba[at + channel] ?? 0] ?? 0, 8);
  }
  const stream = bits.finish();
  const padding = stream.byteLength % 2;
  const chunk = [Buffer.from('VP8L'), uint32(stream.byteLength), stream, Buffer.alloc(padding)];
  const riffLength = 4 + 8 + stream.byteLength + padding;
  return Buffer.concat([Buffer.from('RIFF'), uint32(riffLength), Buffer.from('WEBP'), ...chunk]);
}

/** Tells the reader that the first 256 symbols have codes of eight bits and the others none. */
function writeEvenCode(bits: BitWriter, symbols: number): void {
  bits.write(0, 1); // a normal code
  bits.write(12 - 4, 4); // twelve lengths follow, in the order of the format: 17 18 0 1 2 3 4 5 16 6 7 8
  for (const used of [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]) bits.write(used, 3);
  bits.write(0, 1); // for all symbols
  for (let symbol = 0; symbol < symbols; symbol++) bits.write(symbol < 256 ? 1 : 0, 1);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
