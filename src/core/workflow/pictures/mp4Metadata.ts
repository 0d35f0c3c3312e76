import { budgets } from '../../safety/budgets';
import { readBigEndian, type FileBytes, latinText, type Reading, utf8Text, byteAt } from './byteRanges';
import type { FoundTexts } from './embedded';
import { readExif } from './exif';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** MP4 and MOV have keys and values under `moov`, AVIF has an EXIF item in `meta`. Sound and pictures are skipped. */
export function* readMp4(file: FileBytes, found: FoundTexts): Reading<void> {
  for (const top of yield* boxesIn(file, 0, file.size, ['moov', 'meta'])) {
    if (top.type === 'meta') yield* readItems(file, top, found);
    const parts = yield* boxesIn(file, top.start, top.end, ['udta', 'meta']);
    for (const part of parts) {
      const inner = part.type === 'udta' ? yield* boxesIn(file, part.start, part.end, ['meta']) : [part];
      for (const meta of inner) yield* readMeta(file, meta, found);
    }
  }
}

/** The items of a picture: `iinf` names them, `iloc` tells where they are. The first EXIF item counts. */
function* readItems(file: FileBytes, meta: Box, found: FoundTexts): Reading<void> {
  const boxes = yield* boxesIn(file, meta.start + 4, meta.end, ['iinf', 'iloc']);
  let id: number | undefined;
  for (const { start, end } of boxes.filter(({ type }) => type === 'iinf')) {
    const isShort = readBigEndian(yield* file.at(start, 1), 0, 1) === 0;
    for (const item of yield* boxesIn(file, start + (isShort ? 6 : 8), end, ['infe'])) {
      const entry = yield* file.at(item.start, 14);
      const idSize = entry[0] === 3 ? 4 : 2;
      if (latinText(entry, idSize + 6, idSize + 10) === 'Exif') id ??= readBigEndian(entry, 4, idSize);
    }
  }
  const places = boxes.find(({ type }) => type === 'iloc');
  if (id === undefined || !places || !found.takes(places.end - places.start)) return;
  const place = placeOf(id, yield* file.at(places.start, places.end - places.start));
  if (!place || !found.takes(place.length)) return;
  const item = yield* file.at(place.offset, place.length);
  readExif(item.subarray(4 + readBigEndian(item, 0, 4)), found);
}

/** Where an item's first part is in the file. The sizes of the numbers come first, in four bits each. */
function placeOf(id: number, table: Uint8Array): { offset: number; length: number } | undefined {
  let at = 4;
  const next = (size: number): number => readBigEndian(table, (at += size) - size, size);
  const version = byteAt(table, 0);
  const [sizes, more] = [next(1), next(1)];
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, more >> 4];
  const indexSize = version === 0 ? 0 : more & 15;
  const idSize = version === 2 ? 4 : 2;
  for (let left = next(idSize); left > 0 && at < table.length; left--) {
    const isWanted = next(idSize) === id;
    const method = version === 0 ? 0 : next(2) & 15;
    const base = (next(2), next(baseSize));
    const parts = next(2);
    const [offset, length] = [base + (next(indexSize), next(offsetSize)), next(lengthSize)];
    if (isWanted) return parts > 0 && method === 0 ? { offset, length } : undefined;
    at += (parts - 1) * (indexSize + offsetSize + lengthSize);
  }
  return undefined;
}

function* readMeta(file: FileBytes, meta: Box, found: FoundTexts): Reading<void> {
  // In MP4 it starts with four bytes of version; QuickTime has none.
  const first = yield* file.at(meta.start, 8);
  const from = latinText(first, 4, 8) === 'hdlr' ? meta.start : meta.start + 4;
  const boxes = yield* boxesIn(file, from, meta.end, ['keys', 'ilst']);
  const names: string[] = [];
  for (const { start, end } of boxes.filter(({ type }) => type === 'keys')) {
    const keys = yield* file.at(start, Math.min(end - start, found.left));
    for (const name of readKeys(keys, found)) names.push(name);
  }
  for (const list of boxes.filter(({ type }) => type === 'ilst')) {
    for (const item of yield* boxesIn(file, list.start, list.end)) yield* readItem(file, item, names, found);
  }
}

function* readItem(file: FileBytes, item: Box, names: readonly string[], found: FoundTexts): Reading<void> {
  const number = readBigEndian(
    Uint8Array.from(item.type, (letter) => letter.charCodeAt(0)),
    0,
    4,
  );
  const name = item.type === '\u00a9cmt' ? 'comment' : names[number - 1];
  if (name === undefined || !found.wants(name)) return;
  for (const data of yield* boxesIn(file, item.start, item.end, ['data'])) {
    // Four bytes of type, four of language.
    const length = data.end - data.start - 8;
    if (found.wants(name) && found.takes(length))
      found.tag(name, utf8Text(yield* file.at(data.start + 8, length)));
  }
}

function readKeys(keys: Uint8Array, found: FoundTexts): string[] {
  if (!found.takes(keys.length)) return [];
  const names: string[] = [];
  const count = readBigEndian(keys, 4, 4);
  let at = 8;
  while (names.length < count && at + 8 <= keys.length) {
    const size = readBigEndian(keys, at, 4);
    if (size < 8) break;
    // Some vendors' programs prefix their names with a domain.
    names.push(utf8Text(keys.subarray(at + 8, at + size)).replace(/^.*\./s, ''));
    at += size;
  }
  return names;
}

/** The boxes between two offsets, of some types or of all; reads only their headers. */
function* boxesIn(file: FileBytes, start: number, end: number, types?: readonly string[]): Reading<Box[]> {
  const boxes: Box[] = [];
  let offset = start;
  for (let parts = 0; parts < budgets.fileParts && offset + 8 <= end; parts++) {
    const header = yield* file.at(offset, 16);
    const short = readBigEndian(header, 0, 4);
    const size = short === 1 ? readBigEndian(header, 8, 8) : short === 0 ? end - offset : short;
    const headerSize = short === 1 ? 16 : 8;
    if (header.length < 8 || size < headerSize) break;
    const type = latinText(header, 4, 8);
    const boxEnd = Math.min(end, offset + size);
    if (!types || types.includes(type)) boxes.push({ type, start: offset + headerSize, end: boxEnd });
    offset += size;
  }
  return boxes;
}
