import { parseLooseJson } from '../json/looseJson';

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

/**
 * Takes newline-delimited JSON apart. Chunks may be cut anywhere, inside a character too: lines are found among the
 * bytes, where 0x0A is never a part of something else, and read once they are whole. CRLF, blank lines, a byte order
 * mark and a last line without its end are fine.
 */
export class NdjsonReader {
  readonly #maxLineBytes: number;
  readonly #pieces: Uint8Array[] = [];
  #pending = 0;
  #line = 1;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that this chunk completes. Throws `LineTooLong`. */
  push(chunk: Uint8Array): NdjsonLine[] {
    const lines: NdjsonLine[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      this.#keep(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) return lines;
      lines.push(...this.#take());
      start = end + 1;
    }
  }

  /** What stands behind the last line feed. */
  end(): NdjsonLine[] {
    return this.#take();
  }

  #keep(piece: Uint8Array): void {
    this.#pending += piece.length;
    if (this.#pending > this.#maxLineBytes) throw new LineTooLong(this.#line, this.#maxLineBytes);
    // A copy: the sender may use its buffer again.
    if (piece.length > 0) this.#pieces.push(new Uint8Array(piece));
  }

  #take(): NdjsonLine[] {
    const bytes = joinBytes(this.#pieces.splice(0), this.#pending);
    this.#pending = 0;
    const line = this.#line++;
    const text = new TextDecoder().decode(bytes).trim();
    return text === '' ? [] : [readLine(line, text)];
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
  try {
    const value = parseLooseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { line, kind: 'object', value: value as Readonly<Record<string, unknown>> };
  } catch {
    // Said by the kind.
  }
  return { line, kind: 'skipped' };
}
