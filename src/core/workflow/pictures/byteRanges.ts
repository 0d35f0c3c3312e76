export interface ByteRangeReader {
  readonly size: number;
  /** Reads up to `length` bytes from `offset`; fewer only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A reading yields byte ranges and receives bytes, so that the same code reads memory and files. */
export type Reading<T> = Generator<{ readonly offset: number; readonly length: number }, T, Uint8Array>;

/** The size of one read, so that small headers are not read one by one. */
const windowSize = 16_384;

/** The bytes of a file, with the last piece cached. Reads past the end return fewer bytes. */
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

export function readFromMemory<T>(bytes: Uint8Array, reading: Reading<T>): T {
  let step = reading.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = reading.next(bytes.subarray(offset, offset + length));
  }
  return step.value;
}

/** Runs a reader on a file. Rejects only if the file's own `read` rejects. */
export async function readFromFile<T>(file: ByteRangeReader, reading: Reading<T>): Promise<T> {
  let step = reading.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = reading.next(await file.read(offset, length));
  }
  return step.value;
}

/** Bytes past the end count as 0, here and in numbers. */
export function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

export function readBigEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index++) value = value * 256 + byteAt(bytes, at + index);
  return value;
}

export function readLittleEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 256 + byteAt(bytes, at + index);
  return value;
}

export function latinText(bytes: Uint8Array, start = 0, end = bytes.length): string {
  // Not TextDecoder: its latin1 is windows-1252.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end);
}

/** UTF-8 text; invalid UTF-8 is read as Latin-1. */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return latinText(bytes);
  }
}
