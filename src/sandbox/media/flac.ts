import { BitWriter } from './bitWriter';

/**
 * 16-bit FLAC by hand: the server saves sound as FLAC, every maintained package that encodes it needs native code,
 * and the format can store samples verbatim.
 */
export function encodeFlac(channels: readonly Float32Array[], rate: number): Uint8Array {
  const samples = channels.map((channel) => Int32Array.from(channel, toSample));
  const total = samples[0]?.length ?? 0;
  const bits = new BitWriter();
  for (const letter of 'fLaC') bits.write(letter.charCodeAt(0), 8);
  writeStreamInfo(bits, rate, channels.length, total);
  for (let start = 0, frame = 0; start < total; start += blockSize, frame += 1) {
    writeFrame(bits, samples, frame, start, Math.min(blockSize, total - start));
  }
  return bits.bytes();
}

const blockSize = 4096;

function toSample(value: number): number {
  return Math.round(Math.min(1, Math.max(-1, value)) * 32767);
}

function writeStreamInfo(bits: BitWriter, rate: number, channels: number, total: number): void {
  // The only metadata block (type 0, the last one), 34 bytes.
  bits.write(0x80, 8);
  bits.write(34, 24);
  bits.write(blockSize, 16);
  bits.write(blockSize, 16);
  // Frame sizes and the checksum of the samples may be unknown.
  bits.write(0, 24);
  bits.write(0, 24);
  bits.write(rate, 20);
  bits.write(channels - 1, 3);
  bits.write(16 - 1, 5);
  bits.write(Math.floor(total / 2 ** 24), 12);
  bits.write(total % 2 ** 24, 24);
  for (let byte = 0; byte < 16; byte += 1) bits.write(0, 8);
}

function writeFrame(
  bits: BitWriter,
  samples: readonly Int32Array[],
  frame: number,
  start: number,
  size: number,
): void {
  const begin = bits.length;
  bits.write(0xfff8, 16);
  // Block size as 16 bits at the end of the header; rate from the stream info; independent 16-bit channels.
  bits.write(0x70, 8);
  bits.write(((samples.length - 1) << 4) | (4 << 1), 8);
  for (const byte of numberBytes(frame)) bits.write(byte, 8);
  bits.write(size - 1, 16);
  bits.write(checksum(bits.bytes(begin), 8, 0x07), 8);
  for (const channel of samples) writeChannel(bits, channel.subarray(start, start + size));
  bits.align();
  bits.write(checksum(bits.bytes(begin), 16, 0x8005), 16);
}

/** Frame numbers are encoded like UTF-8 characters. */
function numberBytes(value: number): readonly number[] {
  return [...Buffer.from(String.fromCodePoint(value < 0xd800 ? value : value % 0xd800), 'utf8')];
}

/** Verbatim samples. */
function writeChannel(bits: BitWriter, channel: Int32Array): void {
  bits.write(1 << 1, 8);
  for (const sample of channel) bits.write(sample, 16);
}

/** The cyclic checksums of the format, highest bit first, starting at 0. */
function checksum(bytes: Uint8Array, width: 8 | 16, polynomial: number): number {
  const top = 2 ** (width - 1);
  const mask = 2 ** width - 1;
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit += 1)
      value = (value & top) === 0 ? (value << 1) & mask : ((value << 1) ^ polynomial) & mask;
  }
  return value;
}
