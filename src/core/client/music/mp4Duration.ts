import { ByteCollector } from '../../protocol/ndjson';
import { joinBytes } from '../../protocol/ndjson';

/** Bytes of a box header with a size of 64 bits. */
const longestHeader = 16;
/** Boxes with times are small; one that claims to be larger is skipped. */
const largestHeld = 1 << 20;

interface OpenBox {
  readonly type: string;
  /** Length of its content in bytes; Infinity if it extends to the end of the file. */
  readonly size: number;
}

/**
 * Computes how many seconds of audio have arrived from a fragmented MP4 file that may be split anywhere. Reads the
 * boxes with times (ISO/IEC 14496-12: `mdhd`, `trex`, `tfhd`, `trun`), not the audio; an incomplete fragment counts as
 * far as it arrived. Other files have no seconds.
 */
export class Mp4Duration {
  #held: Uint8Array = new Uint8Array();
  readonly #content = new ByteCollector();
  #box: OpenBox | undefined;
  #come = 0;
  #broken = false;
  #timescale: number | undefined;
  #defaultDuration = 0;
  #whole = 0;
  /** Ticks that the last `moof` announced for the `mdat` behind it. */
  #announced = 0;

  get seconds(): number | undefined {
    if (this.#timescale === undefined) return undefined;
    const box = this.#box;
    const share = box?.type === 'mdat' && box.size > 0 ? Math.min(1, this.#come / box.size) : 0;
    return (this.#whole + this.#announced * share) / this.#timescale;
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#broken)
      rest = this.#box ? this.#fill(this.#box, rest) : this.#open(rest);
  }

  #open(chunk: Uint8Array): Uint8Array {
    const known = this.#held.length;
    const more = chunk.subarray(0, longestHeader - known);
    const bytes = joinBytes([this.#held, more], known + more.length);
    const header = readHeader(bytes);
    if (header === 'more') {
      this.#held = bytes;
      return chunk.subarray(bytes.length - known);
    }
    this.#held = new Uint8Array();
    if (header === undefined) {
      this.#broken = true;
      return chunk.subarray(chunk.length);
    }
    this.#box = { type: header.type, size: header.size - header.header };
    this.#come = 0;
    const rest = chunk.subarray(header.header - known);
    if (this.#box.size === 0) this.#close(this.#box);
    return rest;
  }

  #fill(box: OpenBox, chunk: Uint8Array): Uint8Array {
    const part = chunk.subarray(0, Math.min(chunk.length, box.size - this.#come));
    this.#come += part.length;
    const isTelling = (box.type === 'moov' || box.type === 'moof') && box.size <= largestHeld;
    if (isTelling) this.#content.push(part);
    if (this.#come >= box.size) this.#close(box);
    return chunk.subarray(part.length);
  }

  #close(box: OpenBox): void {
    const content = this.#content.take();
    if (box.type === 'moov') this.#readMovie(content);
    if (box.type === 'moof') this.#announced = fragmentTicks(content, this.#defaultDuration);
    if (box.type === 'mdat') {
      this.#whole += this.#announced;
      this.#announced = 0;
    }
    this.#box = undefined;
  }

  #readMovie(content: Uint8Array): void {
    const media = [...boxesIn(content, 'trak')].flatMap((track) => [...boxesIn(track, 'mdia')]);
    const header = media.flatMap((box) => [...boxesIn(box, 'mdhd')])[0];
    const timescale = header && uint32(header, header[0] === 1 ? 20 : 12);
    if (timescale !== undefined && timescale > 0) this.#timescale = timescale;
    const defaults = [...boxesIn(content, 'mvex')].flatMap((box) => [...boxesIn(box, 'trex')])[0];
    this.#defaultDuration = (defaults && uint32(defaults, 12)) ?? 0;
  }
}

function fragmentTicks(content: Uint8Array, movieDefault: number): number {
  let ticks = 0;
  for (const track of boxesIn(content, 'traf')) {
    const header = [...boxesIn(track, 'tfhd')][0];
    const perSample = (header && fragmentDefault(header)) ?? movieDefault;
    for (const run of boxesIn(track, 'trun')) ticks += runTicks(run, perSample);
  }
  return ticks;
}

function fragmentDefault(header: Uint8Array): number | undefined {
  const flags = flagsOf(header);
  if ((flags & 0x08) === 0) return undefined;
  return uint32(header, 8 + ((flags & 0x01) === 0 ? 0 : 8) + ((flags & 0x02) === 0 ? 0 : 4));
}

function runTicks(run: Uint8Array, perSample: number): number {
  const flags = flagsOf(run);
  const count = uint32(run, 4) ?? 0;
  if ((flags & 0x100) === 0) return count * perSample;
  const start = 8 + ((flags & 0x01) === 0 ? 0 : 4) + ((flags & 0x04) === 0 ? 0 : 4);
  const stride = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length * 4;
  let ticks = 0;
  for (let sample = 0, at = start; sample < count; sample += 1, at += stride) {
    const duration = uint32(run, at);
    // The box claims more samples than it contains.
    if (duration === undefined) break;
    ticks += duration;
  }
  return ticks;
}

function flagsOf(box: Uint8Array): number {
  return (uint32(box, 0) ?? 0) & 0xffffff;
}

function* boxesIn(content: Uint8Array, type: string): Generator<Uint8Array> {
  for (let at = 0; at < content.length;) {
    const header = readHeader(content.subarray(at));
    if (header === undefined || header === 'more') return;
    const end = Math.min(content.length, at + header.size);
    if (header.type === type) yield content.subarray(at + header.header, end);
    at = end;
  }
}

interface BoxHeader {
  readonly type: string;
  /** With the header; Infinity for a box without an end. */
  readonly size: number;
  readonly header: 8 | 16;
}

/** `more`: too few bytes to decide; undefined: not a box. */
function readHeader(bytes: Uint8Array): BoxHeader | 'more' | undefined {
  const size = uint32(bytes, 0);
  if (size === undefined || bytes.length < 8) return 'more';
  const type = String.fromCharCode(...bytes.subarray(4, 8));
  if (!/^[\x20-\x7e]{4}$/.test(type)) return undefined;
  if (size === 0) return { type, size: Infinity, header: 8 };
  if (size !== 1) return size < 8 ? undefined : { type, size, header: 8 };
  const [high, low] = [uint32(bytes, 8), uint32(bytes, 12)];
  if (high === undefined || low === undefined) return 'more';
  const large = high * 2 ** 32 + low;
  return large < 16 ? undefined : { type, size: large, header: 16 };
}

/** Big-endian; undefined beyond the end. */
function uint32(bytes: Uint8Array, at: number): number | undefined {
  if (at + 4 > bytes.length) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0);
}
