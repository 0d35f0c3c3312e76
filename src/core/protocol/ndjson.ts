import { parsePythonJson } from '../json/pythonJson';
import { ByteCollector } from './byteCollector';

/** One line grew beyond the limit: whoever sends it does not speak the protocol. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';

  constructor(
    /** 1-based. */
    readonly line: number,
    readonly maxBytes: number,
  ) {
    super(`Line ${line} is longer than ${maxBytes} bytes.`);
  }
}

export type NdjsonLine =
  | { readonly line: number; readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  /** No JSON, or JSON that is no object: to be passed over (protocol 5.3). */
  | { readonly line: number; readonly kind: 'skipped' };

const lineFeed = 0x0a;
const utf8 = new TextDecoder();

/**
 * Takes newline-delimited JSON apart. Chunks may be cut anywhere, inside a character too: lines are found among the
 * bytes, where 0x0A is never a part of something else, and read once they are whole. CRLF, blank lines, a byte order
 * mark and a last line without its end are fine.
 */
export class NdjsonReader {
  readonly #maxLineBytes: number;
  /** The beginning of a line whose end has not come yet. */
  readonly #pending = new ByteCollector();
  #line = 1;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** Lines that have come to their end, blank ones too. */
  get lines(): number {
    return this.#line - 1;
  }

  /** The lines that this chunk completes. Throws `LineTooLong`. */
  push(chunk: Uint8Array): NdjsonLine[] {
    const lines: NdjsonLine[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end);
      if (this.#pending.length + piece.length > this.#maxLineBytes)
        throw new LineTooLong(this.#line, this.#maxLineBytes);
      if (end < 0) {
        // A copy: the sender may use its buffer again.
        this.#pending.push(piece);
        return lines;
      }
      this.#read(piece, lines);
      start = end + 1;
    }
  }

  /** What stands behind the last line feed. */
  end(): NdjsonLine[] {
    const lines: NdjsonLine[] = [];
    this.#read(new Uint8Array(), lines);
    return lines;
  }

  /** Reads the line that the piece ends. */
  #read(piece: Uint8Array, lines: NdjsonLine[]): void {
    const line = this.#line++;
    if (this.#pending.length > 0) this.#pending.push(piece);
    const bytes = this.#pending.length > 0 ? this.#pending.take() : piece;
    // Most of a hostile stream are blank lines: they must not cost a decoder each.
    if (bytes.length === 0) return;
    const text = utf8.decode(bytes).trim();
    if (text !== '') lines.push(readLine(line, text));
  }
}

/** The pieces as one array of `length` bytes. */
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
  // Failing to read JSON costs a hundred times more than this look.
  if (!text.startsWith('{') || !text.endsWith('}')) return { line, kind: 'skipped' };
  try {
    const value = parsePythonJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { line, kind: 'object', value: value as Readonly<Record<string, unknown>> };
  } catch {
    // Said by the kind.
  }
  return { line, kind: 'skipped' };
}
