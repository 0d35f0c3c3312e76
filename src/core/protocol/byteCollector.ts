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
