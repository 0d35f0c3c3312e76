import { budgets } from '../../safety/budgets';
import { bigEndian, type FileBytes, latin, type Reading, utf8 } from './byteRanges';
import type { FoundTexts } from './embedded';

/** The length of an ID3 tag at the start of a file, including its header; 0 if there is none. */
export function id3Length(start: Uint8Array): number {
  return latin(start, 0, 3) === 'ID3' ? 10 + sevenBits(start, 6) : 0;
}

/** The user-defined texts of an ID3 tag, as in MP3 sounds: `TXXX` frames. */
export function* readId3(file: FileBytes, found: FoundTexts): Reading<void> {
  const header = Uint8Array.from(yield* file.at(0, 10));
  const length = id3Length(header);
  const [version = 0, flags = 0] = [header[3], header[5]];
  if (length === 0 || version < 3 || !found.takes(length)) return;
  const raw = yield* file.at(10, length - 10);
  const tag = (flags & 0x80) !== 0 && version === 3 ? withoutStuffing(raw) : raw;
  let at = (flags & 0x40) === 0 ? 0 : version === 4 ? sevenBits(tag, 0) : 4 + bigEndian(tag, 0, 4);
  for (let parts = 0; parts < budgets.fileParts && at + 10 <= tag.length && !found.isComplete; parts++) {
    const name = latin(tag, at, at + 4);
    if (!/^[A-Z0-9]{4}$/.test(name)) return;
    const size = version === 4 ? sevenBits(tag, at + 4) : bigEndian(tag, at + 4, 4);
    if (name === 'TXXX') readNamedText(frameData(tag, at, size, version), found);
    at += 10 + size;
  }
}

function frameData(tag: Uint8Array, at: number, size: number, version: number): Uint8Array {
  const data = tag.subarray(at + 10, at + 10 + size);
  const format = version === 4 ? (tag[at + 9] ?? 0) : 0;
  const plain = (format & 0x01) === 0 ? data : data.subarray(4);
  return (format & 0x02) === 0 ? plain : withoutStuffing(plain);
}

/** A byte for the encoding, the name, a zero, and the text. */
function readNamedText(data: Uint8Array, found: FoundTexts): void {
  const alphabet = data[0] ?? 0;
  const isWide = alphabet === 1 || alphabet === 2;
  const end = zeroIn(data, isWide);
  if (end < 0) return;
  const read = (bytes: Uint8Array): string => (isWide ? wide(bytes, alphabet === 2) : utf8(bytes));
  const name = read(data.subarray(1, end));
  if (found.wants(name)) found.tag(name, read(data.subarray(end + (isWide ? 2 : 1))));
}

function zeroIn(data: Uint8Array, isWide: boolean): number {
  if (!isWide) return data.indexOf(0, 1);
  for (let at = 1; at + 1 < data.length; at += 2) if (data[at] === 0 && data[at + 1] === 0) return at;
  return -1;
}

function wide(bytes: Uint8Array, isBig: boolean): string {
  const mark = bigEndian(bytes, 0, 2);
  const isBigEndian = isBig || mark === 0xfeff;
  const letters = mark === 0xfeff || mark === 0xfffe ? bytes.subarray(2) : bytes;
  if (!isBigEndian) return new TextDecoder('utf-16le').decode(letters);
  const swapped = Uint8Array.from(letters, (_, index) => letters[index ^ 1] ?? 0);
  return new TextDecoder('utf-16le').decode(swapped);
}

/** Four-byte numbers without their highest bits. */
function sevenBits(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let index = 0; index < 4; index++) value = value * 128 + ((bytes[at + index] ?? 0) & 0x7f);
  return value;
}

/** Old tags put a zero after each byte of ones, so that no player mistakes it for the start of a sound. */
function withoutStuffing(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, index) => !(byte === 0 && index > 0 && bytes[index - 1] === 0xff));
}
