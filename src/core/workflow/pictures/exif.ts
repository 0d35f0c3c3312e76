import { budgets } from '../../safety/budgets';
import { bigEndian, type FileBytes, latin, littleEndian, type Reading, utf8 } from './byteRanges';
import { type FoundTexts, labelOf, longestLabel } from './embedded';

const asciiType = 2;

/** A WEBP picture: its EXIF chunk. */
export function* readWebp(file: FileBytes, found: FoundTexts): Reading<void> {
  let offset = 12;
  for (let parts = 0; parts < budgets.fileParts; parts++) {
    const header = yield* file.at(offset, 8);
    if (header.length < 8) return;
    const length = littleEndian(header, 4, 4);
    if (latin(header, 0, 4) === 'EXIF' && found.takes(length)) {
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
    const marker = header[1] ?? 0;
    if (header.length < 4 || header[0] !== 0xff || marker === 0xda) return;
    const length = bigEndian(header, 2, 2);
    if (length < 2) return;
    if (marker === 0xe1 && found.takes(length)) readExif(yield* file.at(offset + 4, length - 2), found);
    offset += 2 + length;
  }
}

/** The texts of the first directory; the server writes them as `prompt:{…}` and `workflow:{…}` under any tag. */
function readExif(chunk: Uint8Array, found: FoundTexts): void {
  const exif = latin(chunk, 0, 6) === 'Exif\0\0' ? chunk.subarray(6) : chunk;
  const order = latin(exif, 0, 2);
  if (order !== 'II' && order !== 'MM') return;
  const number = order === 'II' ? littleEndian : bigEndian;
  const directory = number(exif, 4, 4);
  const count = number(exif, directory, 2);
  for (let index = 0; index < count && !found.isComplete; index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > exif.length) return;
    const length = number(exif, entry + 4, 4);
    if (number(exif, entry + 2, 2) !== asciiType || length <= 4) continue;
    const start = number(exif, entry + 8, 4);
    // Entries may all refer to the same bytes, so only what starts like a workflow is read, and every byte is
    // counted.
    const label = labelOf(latin(exif, start, Math.min(start + length, start + longestLabel)));
    const text = exif.subarray(start, start + length);
    if (label && found.wants(label.name) && found.takes(text.length)) found.labelled(utf8(text));
  }
}
