import { parsePythonJson } from '../json/boundedJson';

/** Collects bytes that arrive in pieces: copies each only a few times and keeps none of the pieces, however small. */
export class ByteCollector {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = new Uint8Array();
    this.#length = 0;
    return taken;
  }
}

/** One line is longer than the limit: the sender does not follow the protocol. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';

  constructor(
    readonly line: number,
    readonly maxBytes: number,
  ) {
    super(`Line ${line} is longer than ${maxBytes} bytes.`);
  }
}

export type NdjsonLine =
  | { readonly line: number; readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  /** Not JSON, or JSON that is not an object: skip it (protocol 5.3). */
  | { readonly line: number; readonly kind: 'skipped' };

const lineFeed = 0x0a;
const utf8 = new TextDecoder();

/**
 * Splits newline-delimited JSON. Chunks may be split anywhere, even inside a character: lines are split as bytes,
 * where 0x0A is never part of anything else, and parsed once complete. Accepts CRLF, blank lines, a byte order mark
 * and a last line without its end.
 */
export class NdjsonReader {
  readonly #pending = new ByteCollector();
  #line = 1;

  constructor(private readonly maxLineBytes: number) {}

  get lines(): number {
    return this.#line - 1;
  }

  /** Returns the lines that this chunk completes. Throws `LineTooLong`. */
  push(chunk: Uint8Array): NdjsonLine[] {
    const lines: NdjsonLine[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end);
      if (this.#pending.length + piece.length > this.maxLineBytes)
        throw new LineTooLong(this.#line, this.maxLineBytes);
      if (end < 0) {
        // A copy: the sender may reuse its buffer.
        this.#pending.push(piece);
        return lines;
      }
      this.#read(piece, lines);
      start = end + 1;
    }
  }

  end(): NdjsonLine[] {
    const lines: NdjsonLine[] = [];
    this.#read(new Uint8Array(), lines);
    return lines;
  }

  #read(piece: Uint8Array, lines: NdjsonLine[]): void {
    const line = this.#line++;
    if (this.#pending.length > 0) this.#pending.push(piece);
    const bytes = this.#pending.length > 0 ? this.#pending.take() : piece;
    // Most of a hostile stream is blank lines: they must not cost a decoder each.
    if (bytes.length === 0) return;
    const text = utf8.decode(bytes).trim();
    if (text !== '') lines.push(readLine(line, text));
  }
}

export function joinBytes(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

function readLine(line: number, text: string): NdjsonLine {
  // A failed JSON parse costs a hundred times more than this check.
  if (!text.startsWith('{') || !text.endsWith('}')) return { line, kind: 'skipped' };
  try {
    const value = parsePythonJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { line, kind: 'object', value: value as Readonly<Record<string, unknown>> };
  } catch {
    // Reported by `kind`.
  }
  return { line, kind: 'skipped' };
}
