/** What the head of a PNG file tells about its pixels. */
export interface PngAlpha {
  readonly width: number;
  readonly height: number;
  /** False: no pixel of it is transparent. */
  readonly hasAlpha: boolean;
}

/** The head of a PNG file; undefined of any other file. */
export function alphaOf(content: Uint8Array): PngAlpha | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (
    bytes.length < 33 ||
    bytes.toString('latin1', 1, 4) !== 'PNG' ||
    bytes.toString('latin1', 12, 16) !== 'IHDR'
  ) {
    return undefined;
  }
  const colour = bytes.readUInt8(25);
  // 4 and 6 have an alpha channel; the others may name a transparent colour in a chunk before the pixels.
  const hasAlpha = colour === 4 || colour === 6 || hasChunk(bytes, 'tRNS');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), hasAlpha };
}

function hasChunk(bytes: Buffer, wanted: string): boolean {
  let at = 8;
  while (at + 12 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === wanted) return true;
    if (type === 'IDAT') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}
