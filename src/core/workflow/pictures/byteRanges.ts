/** A file of which pieces can be read. */
export interface ByteRangeReader {
  /** In bytes. */
  readonly size: number;
  /** Reads up to `length` bytes from `offset`; fewer only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}
