import { inflateSync } from 'node:zlib';
import {
  type ByteRangeReader,
  FileBytes,
  latinText,
  readLittleEndian,
  readFromFile,
  readFromMemory,
  type Reading,
  readBigEndian,
  utf8Text,
  byteAt,
} from './byteRanges';
import { type EmbeddedWorkflows, FoundTexts } from './embedded';
import { readJpeg, readWebp } from './exif';
import { readMp4 } from './mp4Metadata';
import { readFlac, readOgg } from './vorbisComments';
import { budgets } from '../../safety/budgets';
import { errorCode } from '../../safety/errorWords';

const ids = {
  segment: 0x18538067,
  tags: 0x1254c367,
  tag: 0x7373,
  simpleTag: 0x67c8,
  tagName: 0x45a3,
  tagString: 0x4487,
} as const;

interface Element {
  readonly start: number;
  readonly end: number;
}

/** A WEBM or MKV video: the tags, wherever they are; skips clusters of sound and pictures. */
function* readWebm(file: FileBytes, found: FoundTexts): Reading<void> {
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
  return utf8Text(yield* file.at(element.start, element.end - element.start));
}

function* elementsIn(file: FileBytes, start: number, end: number, wanted: number): Reading<Element[]> {
  const elements: Element[] = [];
  let offset = start;
  for (let parts = 0; parts < budgets.fileParts && offset + 2 <= end; parts++) {
    const header = yield* file.at(offset, 12);
    const idLength = lengthOf(byteAt(header, 0));
    const sizeLength = lengthOf(byteAt(header, idLength));
    if (idLength > 4 || sizeLength > 8 || header.length < idLength + sizeLength) break;
    const id = numberIn(header, 0, idLength, 0xff);
    const mask = 0xff >> sizeLength;
    const size = numberIn(header, idLength, sizeLength, mask);
    // All ones: the size is unknown, and the element extends to the end of its parent.
    const isOpen = size === 2 ** (7 * sizeLength) - 1;
    const inner = offset + idLength + sizeLength;
    const elementEnd = isOpen ? end : Math.min(end, inner + size);
    if (id === wanted) elements.push({ start: inner, end: elementEnd });
    offset = isOpen ? end : inner + size;
  }
  return elements;
}

/** The first set bit gives the number of bytes; 9 if no bit is set. */
function lengthOf(first: number): number {
  return Math.clz32(first) - 23;
}

function numberIn(bytes: Uint8Array, at: number, length: number, firstMask: number): number {
  const rest = readBigEndian(bytes, at + 1, length - 1);
  return (byteAt(bytes, at) & firstMask) * 256 ** (length - 1) + rest;
}

const headerSize = 8;
const textChunks = new Set(['tEXt', 'iTXt', 'zTXt', 'comf']);

/** Animated pictures have their texts after the pixels, in chunks of the server's own type. */
function* readPng(file: FileBytes, found: FoundTexts): Reading<void> {
  let offset = 8;
  for (let parts = 0; parts < budgets.fileParts && !found.isComplete; parts++) {
    const header = yield* file.at(offset, headerSize);
    if (header.length < headerSize) return;
    const length = readBigEndian(header, 0, 4);
    const type = latinText(header, 4, 8);
    if (type === 'IEND') return;
    if (textChunks.has(type)) {
      // The keyword tells whether the text is worth reading and, above all, inflating.
      const start = yield* file.at(offset + headerSize, Math.min(length, longestKeyword + 1));
      if (found.wants(keywordOf(start)) && found.takes(length)) {
        readText(type, yield* file.at(offset + headerSize, length), found);
      }
    }
    offset += headerSize + length + 4;
  }
}

/** In bytes, as specified by the format. */
const longestKeyword = 79;

function keywordOf(chunk: Uint8Array): string {
  const end = chunk.indexOf(0);
  return end < 0 ? '' : latinText(chunk, 0, end);
}

function readText(type: string, chunk: Uint8Array, found: FoundTexts): void {
  const keyEnd = chunk.indexOf(0);
  if (keyEnd < 0) return;
  const name = latinText(chunk, 0, keyEnd);
  const rest = chunk.subarray(keyEnd + 1);
  if (type === 'tEXt' || type === 'comf') found.tag(name, utf8Text(rest));
  else if (type === 'zTXt') found.tag(name, inflated(rest.subarray(1), found));
  else {
    const languageEnd = rest.indexOf(0, 2);
    const keywordEnd = rest.indexOf(0, languageEnd + 1);
    if (languageEnd < 0 || keywordEnd < 0) return;
    const text = rest.subarray(keywordEnd + 1);
    found.tag(name, rest[0] === 1 ? inflated(text, found) : utf8Text(text));
  }
}

/** Empty if the data is broken or would become too large. */
function inflated(data: Uint8Array, found: FoundTexts): string {
  const most = found.left;
  try {
    const text = inflateSync(data, { maxOutputLength: Math.max(1, most) });
    return found.takes(text.length) ? utf8Text(text) : '';
  } catch (error) {
    // If it became too large, it was inflated up to the limit.
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') found.takes(most);
    return '';
  }
}

const extras = ['asset', 'extras'];

/** A binary glTF model: `asset.extras` of its JSON chunk. */
function* readGlb(file: FileBytes, found: FoundTexts): Reading<void> {
  let offset = 12;
  for (let parts = 0; parts < budgets.fileParts; parts++) {
    const header = yield* file.at(offset, 8);
    if (header.length < 8) return;
    const length = readLittleEndian(header, 0, 4);
    if (latinText(header, 4, 8) === 'JSON') {
      if (found.takes(length)) found.members(utf8Text(yield* file.at(offset + 8, length)), extras);
      return;
    }
    offset += 8 + length;
  }
}

function* readGltf(file: FileBytes, found: FoundTexts): Reading<void> {
  if (found.takes(file.size)) found.members(utf8Text(yield* file.at(0, file.size)), extras);
}

/** A SafeTensors file, such as a latent image: the metadata in its header, which starts after its length. */
function* readSafetensors(file: FileBytes, found: FoundTexts, length: number): Reading<void> {
  if (found.takes(length)) found.members(utf8Text(yield* file.at(8, length)), ['__metadata__']);
}

/** An SVG image: the object in a `metadata` element, bare, escaped or as CDATA. */
function* readSvg(file: FileBytes, found: FoundTexts): Reading<void> {
  if (!found.takes(file.size)) return;
  const text = utf8Text(yield* file.at(0, file.size));
  for (let at = text.indexOf('<metadata'); at >= 0 && !found.isComplete; at = text.indexOf('<metadata', at)) {
    const end = text.indexOf('</metadata>', at);
    if (end < 0) return;
    const inner = text.slice(at, end);
    const object = inner.slice(inner.indexOf('{'), inner.lastIndexOf('}') + 1);
    found.members(inner.includes('<![CDATA[') ? object : unescaped(object));
    at = end;
  }
}

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

function unescaped(text: string): string {
  return text.replace(/&(quot|apos|lt|gt|amp);/g, (_, name: string) => entities[name] ?? '');
}

/** Extensions of files that may contain a workflow, without the dot. */
export const pictureEndings = [
  'png',
  'jpg',
  'jpeg',
  'webp',
  'avif',
  'svg',
  'flac',
  'mp3',
  'ogg',
  'opus',
  'mp4',
  'm4v',
  'mov',
  'webm',
  'mkv',
  'glb',
  'gltf',
  'latent',
  'safetensors',
];

export function mayContainWorkflow(name: string): boolean {
  return pictureEndings.some((ending) => name.toLowerCase().endsWith(`.${ending}`));
}

/** The first bytes decide the kind; `name` matters only for text files (workflows 1.5). Never throws: empty for other files. */
export function workflowsInPicture(bytes: Uint8Array, name?: string): EmbeddedWorkflows {
  return readFromMemory(bytes, readWorkflows(new FileBytes(bytes.length), name));
}

/** Reads a few small ranges, even of a video of a gigabyte. */
export function workflowsInFile(file: ByteRangeReader, name?: string): Promise<EmbeddedWorkflows> {
  return readFromFile(file, readWorkflows(new FileBytes(file.size), name));
}

function* readWorkflows(file: FileBytes, name: string | undefined): Reading<EmbeddedWorkflows> {
  const found = new FoundTexts();
  yield* readTags(file, found, name);
  return found.texts;
}

function* readTags(file: FileBytes, found: FoundTexts, name: string | undefined): Reading<void> {
  const head = Uint8Array.from(yield* file.at(0, 16));
  const mark = latinText(head);
  const isNamed = (ending: string): boolean => name === undefined || name.toLowerCase().endsWith(ending);
  if (mark.startsWith('\x89PNG\r\n\x1a\n')) yield* readPng(file, found);
  else if (mark.startsWith('RIFF') && mark.slice(8, 12) === 'WEBP') yield* readWebp(file, found);
  else if (mark.startsWith('\xff\xd8\xff')) yield* readJpeg(file, found);
  else if (mark.startsWith('fLaC')) yield* readFlac(file, found, 0);
  else if (mark.startsWith('OggS')) yield* readOgg(file, found);
  else if (mark.startsWith('ID3')) yield* readTagged(file, found, head);
  else if (/^(?:ftyp|moov|mdat|free|skip|wide)$/.test(mark.slice(4, 8))) yield* readMp4(file, found);
  else if (mark.startsWith('\x1a\x45\xdf\xa3')) yield* readWebm(file, found);
  else if (mark.startsWith('glTF')) yield* readGlb(file, found);
  else if (mark[8] === '{' && readLittleEndian(head, 0, 8) <= file.size - 8)
    yield* readSafetensors(file, found, readLittleEndian(head, 0, 8));
  else if (isNamed('.svg') && /^(?:\xef\xbb\xbf)?\s*</.test(mark)) yield* readSvg(file, found);
  else if (isNamed('.gltf') && /^(?:\xef\xbb\xbf)?\s*\{/.test(mark)) yield* readGltf(file, found);
}

/** A sound with an ID3 tag in front: an MP3, or a FLAC that some program tagged twice. */
function* readTagged(file: FileBytes, found: FoundTexts, head: Uint8Array): Reading<void> {
  const start = id3Length(head);
  const inner = yield* file.at(start, 4);
  if (latinText(inner) === 'fLaC') yield* readFlac(file, found, start);
  yield* readId3(file, found);
}

function id3Length(start: Uint8Array): number {
  return latinText(start, 0, 3) === 'ID3' ? 10 + sevenBits(start, 6) : 0;
}

/** The user-defined texts of an ID3 tag, as in MP3 sounds: `TXXX` frames. */
function* readId3(file: FileBytes, found: FoundTexts): Reading<void> {
  const header = Uint8Array.from(yield* file.at(0, 10));
  const length = id3Length(header);
  const [version, flags] = [byteAt(header, 3), byteAt(header, 5)];
  if (length === 0 || version < 3 || !found.takes(length)) return;
  const raw = yield* file.at(10, length - 10);
  const tag = (flags & 0x80) !== 0 && version === 3 ? withoutStuffing(raw) : raw;
  let at = (flags & 0x40) === 0 ? 0 : version === 4 ? sevenBits(tag, 0) : 4 + readBigEndian(tag, 0, 4);
  for (let parts = 0; parts < budgets.fileParts && at + 10 <= tag.length && !found.isComplete; parts++) {
    const name = latinText(tag, at, at + 4);
    if (!/^[A-Z0-9]{4}$/.test(name)) return;
    const size = version === 4 ? sevenBits(tag, at + 4) : readBigEndian(tag, at + 4, 4);
    if (name === 'TXXX') readNamedText(frameData(tag, at, size, version), found);
    at += 10 + size;
  }
}

function frameData(tag: Uint8Array, at: number, size: number, version: number): Uint8Array {
  const data = tag.subarray(at + 10, at + 10 + size);
  const format = version === 4 ? byteAt(tag, at + 9) : 0;
  const plain = (format & 0x01) === 0 ? data : data.subarray(4);
  return (format & 0x02) === 0 ? plain : withoutStuffing(plain);
}

function readNamedText(data: Uint8Array, found: FoundTexts): void {
  const alphabet = byteAt(data, 0);
  const isWide = alphabet === 1 || alphabet === 2;
  const end = zeroIn(data, isWide);
  if (end < 0) return;
  const read = (bytes: Uint8Array): string => (isWide ? wide(bytes, alphabet === 2) : utf8Text(bytes));
  const name = read(data.subarray(1, end));
  if (found.wants(name)) found.tag(name, read(data.subarray(end + (isWide ? 2 : 1))));
}

function zeroIn(data: Uint8Array, isWide: boolean): number {
  if (!isWide) return data.indexOf(0, 1);
  for (let at = 1; at + 1 < data.length; at += 2) if (data[at] === 0 && data[at + 1] === 0) return at;
  return -1;
}

function wide(bytes: Uint8Array, isBig: boolean): string {
  const mark = readBigEndian(bytes, 0, 2);
  const isBigEndian = isBig || mark === 0xfeff;
  const letters = mark === 0xfeff || mark === 0xfffe ? bytes.subarray(2) : bytes;
  if (!isBigEndian) return new TextDecoder('utf-16le').decode(letters);
  const swapped = Uint8Array.from(letters, (_, index) => byteAt(letters, index ^ 1));
  return new TextDecoder('utf-16le').decode(swapped);
}

/** Four-byte numbers without their highest bits. */
function sevenBits(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let index = 0; index < 4; index++) value = value * 128 + (byteAt(bytes, at + index) & 0x7f);
  return value;
}

/** Old tags put a zero after each byte of ones, so that no player mistakes it for the start of a sound. */
function withoutStuffing(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, index) => !(byte === 0 && index > 0 && bytes[index - 1] === 0xff));
}
