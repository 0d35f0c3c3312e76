import { budgets } from '../../safety/budgets';
import {
  type FileBytes,
  latinText,
  readLittleEndian,
  readBigEndian,
  type Reading,
  utf8Text,
  byteAt,
} from './byteRanges';
import type { FoundTexts } from './embedded';

const commentBlock = 4;
const longestName = 64;

export function* readFlac(file: FileBytes, found: FoundTexts, start: number): Reading<void> {
  let offset = start + 4;
  for (let parts = 0; parts < 128; parts++) {
    const header = yield* file.at(offset, 4);
    if (header.length < 4) return;
    const [kind, length] = [byteAt(header, 0), readBigEndian(header, 1, 3)];
    if ((kind & 0x7f) === commentBlock && found.takes(length))
      readComments(yield* file.at(offset + 4, length), found);
    if (kind >= 0x80) return;
    offset += 4 + length;
  }
}

/** An OGG sound: the second packet of a stream contains the comments and may span many pages. */
export function* readOgg(file: FileBytes, found: FoundTexts): Reading<void> {
  const streams = new Map<number, { packets: number; readonly parts: Uint8Array[] }>();
  let open = 0;
  let offset = 0;
  for (let pages = 0; pages < budgets.fileParts; pages++) {
    const header = yield* file.at(offset, 27);
    if (header.length < 27 || latinText(header, 0, 4) !== 'OggS') return;
    const serial = readLittleEndian(header, 14, 4);
    const lengths = Uint8Array.from(yield* file.at(offset + 27, byteAt(header, 26)));
    let stream = streams.get(serial);
    if (!stream) {
      streams.set(serial, (stream = { packets: 0, parts: [] }));
      open++;
    }
    let at = offset + 27 + lengths.length;
    for (const { length, isEnd } of piecesOf(lengths)) {
      if (stream.packets === 1) {
        if (!found.takes(length)) return;
        stream.parts.push(Uint8Array.from(yield* file.at(at, length)));
      }
      at += length;
      if (!isEnd || ++stream.packets !== 2) continue;
      open--;
      readCommentPacket(Buffer.concat(stream.parts), found);
    }
    if (open === 0) return;
    offset = at;
  }
}

/** The pieces of packets in a page: a length of 255 continues with the next one. */
function piecesOf(lengths: Uint8Array): { readonly length: number; readonly isEnd: boolean }[] {
  const pieces: { length: number; isEnd: boolean }[] = [];
  let length = 0;
  for (const [index, each] of lengths.entries()) {
    length += each;
    if (each === 255 && index < lengths.length - 1) continue;
    pieces.push({ length, isEnd: each < 255 });
    length = 0;
  }
  return pieces;
}

function readCommentPacket(packet: Uint8Array, found: FoundTexts): void {
  if (latinText(packet, 0, 7) === '\x03vorbis') readComments(packet.subarray(7), found);
  else if (latinText(packet, 0, 8) === 'OpusTags') readComments(packet.subarray(8), found);
  // FLAC inside OGG: a metadata block with its header.
  else if ((byteAt(packet, 0) & 0x7f) === commentBlock) readComments(packet.subarray(4), found);
}

/** The vendor's name, then `NAME=text` in UTF-8, each preceded by its length. */
function readComments(block: Uint8Array, found: FoundTexts): void {
  let at = 4 + readLittleEndian(block, 0, 4);
  const count = readLittleEndian(block, at, 4);
  at += 4;
  for (let index = 0; index < count && at + 4 <= block.length; index++) {
    const length = readLittleEndian(block, at, 4);
    const text = block.subarray(at + 4, at + 4 + length);
    const equals = text.subarray(0, longestName).indexOf(61);
    const name = equals > 0 ? latinText(text, 0, equals) : '';
    if (found.wants(name)) found.tag(name, utf8Text(text.subarray(equals + 1)));
    at += 4 + length;
  }
}
