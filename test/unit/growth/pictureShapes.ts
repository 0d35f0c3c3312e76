import { deflateSync } from 'node:zlib';

import { numbers } from './shapes';

function big(value: number, length = 4): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

const little = (value: number): Buffer => big(value).reverse();
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const joined = (...parts: readonly Buffer[]): Buffer => Buffer.concat(parts);
const copies = (count: number, part: Buffer): Buffer => joined(...numbers(count).map(() => part));

/** A text chunk of a few bytes that inflates to a megabyte. */
const bomb = joined(latin('prompt\0\0'), deflateSync(Buffer.alloc(1_000_000, 97)));

/** One directory whose entries all refer to the same text. */
function exifOf(size: number): Buffer {
  const entries = Math.min(65_535, size);
  const text = joined(latin('prompt:{'), Buffer.alloc(size * 40, 0));
  const entry = joined(big(0x010f, 2), big(2, 2), big(text.length), big(8 + 2 + entries * 12));
  return joined(latin('MM\0*'), big(8), big(entries, 2), copies(entries, entry), text);
}

function box(type: string, ...inner: readonly Buffer[]): Buffer {
  const data = joined(...inner);
  return joined(big(data.length + 8), latin(type), data);
}

/** Files with about this many parts, each of a kind that was or could be slow to read. */
export const pictures: Readonly<Record<string, (size: number) => Buffer>> = {
  'PNG prompts that inflate to no prompt': (size) =>
    joined(
      latin('\x89PNG\r\n\x1a\n'),
      copies(size, joined(big(bomb.length), latin('zTXt'), bomb, big(0))),
      joined(big(0), latin('IEND')),
    ),
  'WEBP entries that name one prompt': (size) => {
    const exif = exifOf(size);
    return joined(latin('RIFF'), big(0), latin('WEBP'), latin('EXIF'), little(exif.length), exif);
  },
  'MP3 texts': (size) => {
    const data = copies(size, joined(latin('TXXX'), big(10), big(0, 2), latin('\0prompt\0{]')));
    const length = [21, 14, 7, 0].map((shift) => (data.length >> shift) & 0x7f);
    return joined(latin('ID3\x03\0\0'), Buffer.from(length), data);
  },
  'MP4 boxes': (size) => {
    const item = box('\u00a9cmt', box('data', Buffer.alloc(8), latin('{"prompt":1}')));
    const meta = box('meta', big(0), box('hdlr'), box('ilst', copies(size, item)));
    return joined(box('ftyp'), box('moov', box('udta', meta)));
  },
  'SVG metadata': (size) =>
    latin(`<svg>${'<metadata>{"prompt":1}</metadata>'.repeat(size)}${'<metadata>{'.repeat(size)}</svg>`),
};
