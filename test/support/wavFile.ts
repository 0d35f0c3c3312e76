/** The samples of a WAV file with 16-bit PCM; undefined for anything else. */
export function decodeWav(
  bytes: Uint8Array,
): { readonly rate: number; readonly channels: readonly [Float32Array, ...Float32Array[]] } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const name = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < 44 || name(0) !== 'RIFF' || name(8) !== 'WAVE') return undefined;
  let format: { readonly channels: number; readonly rate: number } | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = view.getUint32(at + 4, true);
    if (name(at) === 'fmt ' && view.getUint16(at + 8, true) === 1 && view.getUint16(at + 22, true) === 16) {
      format = { channels: view.getUint16(at + 10, true), rate: view.getUint32(at + 12, true) };
    }
    if (name(at) === 'data' && format !== undefined && format.channels > 0) {
      return { rate: format.rate, channels: samplesOf(view, at + 8, size, format.channels) };
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function samplesOf(
  view: DataView,
  start: number,
  size: number,
  count: number,
): readonly [Float32Array, ...Float32Array[]] {
  const length = Math.floor(Math.min(size, view.byteLength - start) / (2 * count));
  const channel = (index: number): Float32Array =>
    Float32Array.from({ length }, (_, at) => view.getInt16(start + (at * count + index) * 2, true) / 32768);
  return [channel(0), ...Array.from({ length: count - 1 }, (_, index) => channel(index + 1))];
}
