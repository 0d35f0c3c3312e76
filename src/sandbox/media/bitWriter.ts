/** Writes bits, highest first. */
export class BitWriter {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #pending = 0;
  #count = 0;

  get length(): number {
    return this.#length;
  }

  /** At most 24 bits. */
  write(value: number, count: number): void {
    this.#pending = (this.#pending << count) | (value & (2 ** count - 1));
    this.#count += count;
    for (; this.#count >= 8; this.#count -= 8) {
      if (this.#length === this.#bytes.length) this.#grow();
      this.#bytes[this.#length++] = (this.#pending >>> (this.#count - 8)) & 255;
    }
  }

  align(): void {
    if (this.#count > 0) this.write(0, 8 - this.#count);
  }

  bytes(from = 0): Uint8Array {
    return this.#bytes.slice(from, this.#length);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
