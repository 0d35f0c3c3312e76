/** A place in a text as editors count it: both from 0, characters in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Translates offsets to lines and back; lines end at \n, \r\n or \r, as in the language server protocol. */
export class PositionIndex {
  /** Four bytes each, counted first: a text may consist of line breaks. */
  private readonly lineStarts: Uint32Array;

  constructor(private readonly text: string) {
    let lines = 1;
    eachBreak(text, () => lines++);
    const starts = new Uint32Array(lines);
    let line = 0;
    eachBreak(text, (start) => {
      starts[++line] = start;
    });
    this.lineStarts = starts;
  }

  /** The position of an offset; offsets outside the text are moved to its ends. */
  positionAt(offset: number): Position {
    const inside = Math.max(0, Math.min(offset, this.text.length));
    const line = this.lineAt(inside);
    return { line, character: inside - (this.lineStarts[line] ?? 0) };
  }

  lineAt(offset: number): number {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function eachBreak(text: string, found: (start: number) => void): void {
  if (!/\r(?!\n)/.test(text)) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found(at + 1);
    return;
  }
  // Rare, and slower: some line ends at \r alone.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) found(at + 1);
  }
}

/** Translates ascending offsets of a text whose lines end at \n or \r\n, without an index of all its lines. */
export class PositionCounter {
  private line = 0;
  private start = 0;
  private next: number;

  constructor(private readonly text: string) {
    this.next = text.indexOf('\n');
  }

  /** @param offset not before the last one */
  positionAt(offset: number): Position {
    while (this.next >= 0 && this.next < offset) {
      this.line++;
      this.start = this.next + 1;
      this.next = this.text.indexOf('\n', this.start);
    }
    return { line: this.line, character: offset - this.start };
  }
}
