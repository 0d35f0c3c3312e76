import { budgets } from '../../safety/budgets';
import { bigEndian, type FileBytes, latin, type Reading, utf8 } from './byteRanges';
import type { FoundTexts } from './embedded';

interface Box {
  readonly type: string;
  /** Of the content. */
  readonly start: number;
  readonly end: number;
}

/** An MP4 or MOV video: the keys and values under `moov`, wherever it is; skips sound and pictures. */
export function* readMp4(file: FileBytes, found: FoundTexts): Reading<void> {
  for (const moov of yield* boxesIn(file, 0, file.size, ['moov'])) {
    const parts = yield* boxesIn(file, moov.start, moov.end, ['udta', 'meta']);
    for (const part of parts) {
      const inner = part.type === 'udta' ? yield* boxesIn(file, part.start, part.end, ['meta']) : [part];
      for (const meta of inner) yield* readMeta(file, meta, found);
    }
  }
}

function* readMeta(file: FileBytes, meta: Box, found: FoundTexts): Reading<void> {
  // In MP4 it starts with four bytes of version; QuickTime has none.
  const first = yield* file.at(meta.start, 8);
  const start = latin(first, 4, 8) === 'hdlr' ? meta.start : meta.start + 4;
  const boxes = yield* boxesIn(file, start, meta.end, ['keys', 'ilst']);
  const names: string[] = [];
  for (const box of boxes) {
    if (box.type === 'keys')
      for (const name of readKeys(
        yield* file.at(box.start, Math.min(box.end - box.start, found.left)),
        found,
      ))
        names.push(name);
  }
  for (const list of boxes.filter(({ type }) => type === 'ilst')) {
    for (const item of yield* boxesIn(file, list.start, list.end)) yield* readItem(file, item, names, found);
  }
}

/** A value refers to its key by number, or by a well-known mark. */
function* readItem(file: FileBytes, item: Box, names: readonly string[], found: FoundTexts): Reading<void> {
  const number = bigEndian(
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
      found.tag(name, utf8(yield* file.at(data.start + 8, length)));
  }
}

function readKeys(keys: Uint8Array, found: FoundTexts): string[] {
  if (!found.takes(keys.length)) return [];
  const names: string[] = [];
  const count = bigEndian(keys, 4, 4);
  let at = 8;
  while (names.length < count && at + 8 <= keys.length) {
    const size = bigEndian(keys, at, 4);
    if (size < 8) break;
    // Some vendors' programs prefix their names with a domain.
    names.push(
      utf8(keys.subarray(at + 8, at + size))
        .split('.')
        .at(-1) ?? '',
    );
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
    const short = bigEndian(header, 0, 4);
    const size = short === 1 ? bigEndian(header, 8, 8) : short === 0 ? end - offset : short;
    const headerSize = short === 1 ? 16 : 8;
    if (header.length < 8 || size < headerSize) break;
    const type = latin(header, 4, 8);
    const boxEnd = Math.min(end, offset + size);
    if (!types || types.includes(type)) boxes.push({ type, start: offset + headerSize, end: boxEnd });
    offset += size;
  }
  return boxes;
}
