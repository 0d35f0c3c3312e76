import tune from './tune.m4a';

/**
 * The sandbox's music: a tune of our own as AAC in fragmented MP4, made by test/support/makeTune.ts. Each answer
 * joins its fragments again, so any duration works without an encoder.
 */
interface TuneFile {
  /** `ftyp` and `moov`. */
  readonly head: Uint8Array;
  /** Each a `moof` with its `mdat`. */
  readonly fragments: readonly Buffer[];
}

/** Samples of a fragment and samples per second, as the tune was encoded. */
const fragmentSamples = 43 * 1024;
const rate = 44_100;

let read: TuneFile | undefined;

/**
 * A playable file of about this many seconds: whole fragments, each close to one second long.
 * @param start the first fragment; another one makes another piece of the same tune
 */
export function tuneFile(seconds: number, start: number): Uint8Array {
  read ??= readTune(tune);
  const { head, fragments } = read;
  const count = Math.max(1, Math.round((seconds * rate) / fragmentSamples));
  const pieces = Array.from({ length: count }, (_, place) => {
    const fragment = fragments[(start + place) % fragments.length];
    return fragment ? placed(fragment, place) : Buffer.alloc(0);
  });
  return Buffer.concat([head, ...pieces]);
}

function readTune(bytes: Uint8Array): TuneFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts: number[] = [];
  for (let at = 0; at < file.length; at += file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'moof') starts.push(at);
  }
  return {
    head: file.subarray(0, starts[0]),
    fragments: starts.map((start, index) => file.subarray(start, starts[index + 1] ?? file.length)),
  };
}

/** The fragment with its number and time set for its place in the file. */
function placed(fragment: Buffer, place: number): Buffer {
  const copy = Buffer.from(fragment);
  copy.writeUInt32BE(place + 1, copy.indexOf('mfhd') + 8);
  const time = copy.indexOf('tfdt') + 4;
  const ticks = place * fragmentSamples;
  if (copy[time] === 1) copy.writeBigUInt64BE(BigInt(ticks), time + 4);
  else copy.writeUInt32BE(ticks, time + 4);
  return copy;
}
