import { budgets } from '../safety/budgets';

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array;
  /** With its length, type and checksum. */
  readonly whole: Uint8Array;
}

/** The chunks of a PNG file up to its end; undefined if it is none or broken. */
export function pngChunks(bytes: Uint8Array): PngChunk[] | undefined {
  if (signature.some((each, at) => bytes[at] !== each)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: PngChunk[] = [];
  for (let at = signature.length; chunks.length < budgets.fileParts;) {
    if (at + 12 > bytes.length) return undefined;
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length) return undefined;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    if (type === 'IEND') return chunks;
    at = end;
  }
  return undefined;
}
