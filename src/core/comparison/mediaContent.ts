import { budgets } from '../safety/budgets';
import { pngChunks } from './pngChunks';

/**
 * Whether two files have the same pictures or sound although their bytes differ: in PNG, WAV and FLAC files, texts
 * such as the embedded workflow are told apart from what they contain. False for all other files.
 */
export function sameContent(one: Uint8Array, other: Uint8Array): boolean {
  const [parts, others] = [contentOf(one), contentOf(other)];
  if (!parts || parts.length === 0 || parts.length !== others?.length) return false;
  return parts.every((part, at) => Buffer.compare(part, others[at] ?? new Uint8Array()) === 0);
}

/** The parts of a file without its texts; undefined for other kinds and broken files. */
function contentOf(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  switch (text(bytes, 0)) {
    case '\u0089PNG':
      return pngChunks(bytes)?.flatMap(({ type, whole }) => (pngTexts.has(type) ? [] : [whole]));
    case 'RIFF':
      return text(bytes, 8) === 'WAVE' ? waveContent(bytes) : undefined;
    case 'fLaC':
      return flacContent(bytes);
    default:
      return undefined;
  }
}

const pngTexts: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME']);

/** The format and the samples. */
function waveContent(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let isWhole = false;
  for (let at = 12, count = 0; at + 8 <= bytes.length; count++) {
    const [type, end] = [text(bytes, at), at + 8 + view.getUint32(at + 4, true)];
    if (end > bytes.length || count >= budgets.fileParts) return undefined;
    isWhole ||= type === 'data';
    if (type === 'fmt ' || type === 'data') parts.push(bytes.subarray(at, end));
    at = end + (end % 2);
  }
  return isWhole ? parts : undefined;
}

/** The stream information, which has a checksum of the samples, and the frames. */
function flacContent(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const parts: Uint8Array[] = [];
  for (let at = 4, count = 0; at + 4 <= bytes.length && count < budgets.fileParts; count++) {
    const [flags = 0, high = 0, middle = 0, low = 0] = bytes.subarray(at, at + 4);
    const end = at + 4 + (high << 16) + (middle << 8) + low;
    if (end > bytes.length) return undefined;
    // Its first byte says whether more blocks follow.
    if ((flags & 0x7f) === 0) parts.push(bytes.subarray(at + 1, end));
    if (flags & 0x80) return parts.length === 1 ? [...parts, bytes.subarray(end)] : undefined;
    at = end;
  }
  return undefined;
}

function text(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
