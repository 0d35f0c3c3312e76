const none: readonly never[] = [];

/**
 * The parts of everything open, innermost last. A list that grows by itself reserves room for 17 members, which is most
 * of the memory of a tree of small lists; a list taken from here has exactly the needed length.
 */
export class OpenParts<T> {
  readonly #parts: T[] = [];
  size = 0;

  push(part: T): void {
    this.#parts[this.size++] = part;
  }

  last(start: number): T | undefined {
    return this.size > start ? this.#parts[this.size - 1] : undefined;
  }

  some(start: number, holds: (part: T) => boolean): boolean {
    for (let at = start; at < this.size; at++) {
      const part = this.#parts[at];
      if (part !== undefined && holds(part)) return true;
    }
    return false;
  }

  from(start: number): T[] {
    return this.#parts.slice(start, this.size);
  }

  take(start: number): readonly T[] {
    if (start === this.size) return none;
    const taken = this.from(start);
    this.size = start;
    return taken;
  }
}
