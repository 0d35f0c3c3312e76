import { budgets } from '../../safety/budgets';
import { type FileBytes, type Reading, utf8 } from './byteRanges';
import type { FoundTexts } from './embedded';

const ids = {
  segment: 0x18538067,
  tags: 0x1254c367,
  tag: 0x7373,
  simpleTag: 0x67c8,
  tagName: 0x45a3,
  tagString: 0x4487,
} as const;

interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** A WEBM or MKV video: the tags, wherever they are; skips clusters of sound and pictures. */
export function* readWebm(file: FileBytes, found: FoundTexts): Reading<void> {
  for (const segment of yield* elementsIn(file, 0, file.size, ids.segment)) {
    for (const tags of yield* elementsIn(file, segment.start, segment.end, ids.tags)) {
      for (const tag of yield* elementsIn(file, tags.start, tags.end, ids.tag)) {
        for (const simple of yield* elementsIn(file, tag.start, tag.end, ids.simpleTag)) {
          const name = yield* textIn(file, simple, ids.tagName, found);
          if (name === undefined || !found.wants(name)) continue;
          const value = yield* textIn(file, simple, ids.tagString, found);
          if (value !== undefined) found.tag(name, value);
        }
      }
    }
  }
}

function* textIn(
  file: FileBytes,
  parent: Element,
  id: number,
  found: FoundTexts,
): Reading<string | undefined> {
  const [element] = yield* elementsIn(file, parent.start, parent.end, id);
  if (!element || !found.takes(element.end - element.start)) return undefined;
  return utf8(yield* file.at(element.start, element.end - element.start));
}

/** The elements of one kind between two offsets; reads only the headers of all others. */
function* elementsIn(file: FileBytes, start: number, end: number, wanted: number): Reading<Element[]> {
  const elements: Element[] = [];
  let offset = start;
  for (let parts = 0; parts < budgets.fileParts && offset + 2 <= end; parts++) {
    const header = yield* file.at(offset, 12);
    const idLength = lengthOf(header[0] ?? 0);
    const sizeLength = lengthOf(header[idLength] ?? 0);
    if (idLength > 4 || sizeLength > 8 || header.length < idLength + sizeLength) break;
    const id = numberIn(header, 0, idLength, 0xff);
    const mask = 0xff >> sizeLength;
    const size = numberIn(header, idLength, sizeLength, mask);
    // All ones: the size is unknown, and the element extends to the end of its parent.
    const isOpen = size === 2 ** (7 * sizeLength) - 1;
    const inner = offset + idLength + sizeLength;
    const elementEnd = isOpen ? end : Math.min(end, inner + size);
    if (id === wanted) elements.push({ id, start: inner, end: elementEnd });
    offset = isOpen ? end : inner + size;
  }
  return elements;
}

/** The first set bit gives the number of bytes; 9 if no bit is set. */
function lengthOf(first: number): number {
  return Math.clz32(first) - 23;
}

function numberIn(bytes: Uint8Array, at: number, length: number, firstMask: number): number {
  let value = (bytes[at] ?? 0) & firstMask;
  for (let index = 1; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
