import { textOfBytes } from '../../json/textOfBytes';
import { budgets } from '../../safety/budgets';
import {
  readBigEndian,
  type FileBytes,
  latinText,
  readLittleEndian,
  type Reading,
  utf8Text,
  byteAt,
} from './byteRanges';
import { type FoundTexts, splitTag, longestLabel } from './embedded';

const asciiType = 2;
/** Tags: the directory of EXIF itself, and the comment in it. */
const [innerDirectory, userComment] = [0x8769, 0x9286];

export function* readWebp(file: FileBytes, found: FoundTexts): Reading<void> {
  let offset = 12;
  for (let parts = 0; parts < budgets.fileParts; parts++) {
    const header = yield* file.at(offset, 8);
    if (header.length < 8) return;
    const length = readLittleEndian(header, 4, 4);
    if (latinText(header, 0, 4) === 'EXIF' && found.takes(length)) {
      readExif(yield* file.at(offset + 8, length), found);
      return;
    }
    offset += 8 + length + (length % 2);
  }
}

/** A JPEG picture: its EXIF segments, which come before the pixels. */
export function* readJpeg(file: FileBytes, found: FoundTexts): Reading<void> {
  let offset = 2;
  for (let parts = 0; parts < budgets.fileParts && !found.isComplete; parts++) {
    const header = yield* file.at(offset, 4);
    const marker = byteAt(header, 1);
    if (header.length < 4 || header[0] !== 0xff || marker === 0xda) return;
    const length = readBigEndian(header, 2, 2);
    if (length < 2) return;
    if (marker === 0xe1 && found.takes(length)) readExif(yield* file.at(offset + 4, length - 2), found);
    offset += 2 + length;
  }
}

/** The server writes `prompt:{…}` under any tag; other programs put both texts as members of one object in a comment. */
export function readExif(chunk: Uint8Array, found: FoundTexts): void {
  const exif = latinText(chunk, 0, 6) === 'Exif\0\0' ? chunk.subarray(6) : chunk;
  const order = latinText(exif, 0, 2);
  if (order !== 'II' && order !== 'MM') return;
  const number = order === 'II' ? readLittleEndian : readBigEndian;
  let inner: number | undefined;
  let comment: Uint8Array | undefined;
  function* entries() {
    yield* entriesIn(exif, number(exif, 4, 4), number);
    if (inner !== undefined) yield* entriesIn(exif, inner, number);
  }
  for (const { tag, type, length, value } of entries()) {
    if (found.isComplete) return;
    if (tag === innerDirectory) inner ??= value;
    else if (tag === userComment) comment ??= exif.subarray(value, value + length);
    else if (type === asciiType && length > 4) {
      // Entries may all refer to the same bytes, so every byte counts and only what starts like a workflow is read.
      const label = splitTag(latinText(exif, value, Math.min(value + length, value + longestLabel)));
      const text = exif.subarray(value, value + length);
      if (label && found.wants(label.name) && found.takes(text.length)) found.labelled(utf8Text(text));
    }
  }
  if (comment && found.takes(comment.length)) found.tag('comment', commentText(comment));
}

/** `length` is that of a text, in bytes; `value` is a number, or where a longer value starts. */
function* entriesIn(exif: Uint8Array, directory: number, number: typeof readBigEndian) {
  const count = number(exif, directory, 2);
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > exif.length) return;
    yield {
      tag: number(exif, entry, 2),
      type: number(exif, entry + 2, 2),
      length: number(exif, entry + 4, 4),
      value: number(exif, entry + 8, 4),
    };
  }
}

/** Eight letters name the encoding of a comment. Programs disagree on the byte order of UNICODE, but JSON shows it. */
function commentText(comment: Uint8Array): string {
  const text = comment.subarray(8);
  return latinText(comment, 0, 7) === 'UNICODE' ? textOfBytes(text) : utf8Text(text);
}
