/** A file of which pieces can be read. */
export interface ByteRangeReader {
  /** In bytes. */
  readonly size: number;
  /** Reads up to `length` bytes from `offset`; fewer only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * A way through a file: it asks for one range of bytes after the other and is given them. So the same code serves
 * bytes in memory and files that are read piece by piece.
 */
export type Reading<T> = Generator<ByteRange, T, Uint8Array>;

/** What is read at once, so that a walk over small headers does not read each of them alone. */
const windowSize = 16_384;

/** The bytes of a file, with the last piece kept. Past the end there is nothing: reads come back short. */
export class FileBytes {
  #window: Uint8Array = new Uint8Array();
  #start = 0;

  constructor(readonly size: number) {}

  *at(offset: number, length: number): Reading<Uint8Array> {
    const end = Math.min(this.size, offset + Math.max(0, length));
    if (offset < 0 || offset >= end) return new Uint8Array();
    if (offset < this.#start || end > this.#start + this.#window.length) {
      const wanted = Math.min(this.size - offset, Math.max(end - offset, windowSize));
      this.#window = yield { offset, length: wanted };
      this.#start = offset;
    }
    return this.#window.subarray(offset - this.#start, end - this.#start);
  }
}

/** Follows a reading through bytes in memory. */
export function readFromMemory<T>(bytes: Uint8Array, reading: Reading<T>): T {
  let step = reading.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = reading.next(bytes.subarray(offset, offset + length));
  }
  return step.value;
}

/** Follows a reading through a file. Rejects only with what the file's own `read` rejects with. */
export async function readFromFile<T>(file: ByteRangeReader, reading: Reading<T>): Promise<T> {
  let step = reading.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = reading.next(await file.read(offset, length));
  }
  return step.value;
}

/** Unsigned numbers at a place, highest byte first; what is past the end counts as 0. */
export function bigEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

/** The same, lowest byte first. */
export function littleEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

/** Bytes as the letters they are, for names and marks of formats. */
export function latin(bytes: Uint8Array, start = 0, end = bytes.length): string {
  // Not TextDecoder: what it calls latin1 is windows-1252.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end);
}

/** Text in UTF-8; bytes that are none are read letter by letter. */
export function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return latin(bytes);
  }
}
