import { deflateSync } from 'node:zlib';

import { numbers } from './shapes';

function big(value: number, length = 4): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

function little(value: number, length = 4): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntLE(value, 0, length);
  return bytes;
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

export function pngOf(chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  const parts = chunks.map(([type, data]) => Buffer.concat([big(data.length), latin(type), data, big(0)]));
  return Buffer.concat([latin('\x89PNG\r\n\x1a\n'), ...parts, big(0), latin('IEND')]);
}

/** A text chunk of a few bytes that inflates to a megabyte. */
const bomb = deflateSync(Buffer.alloc(1_000_000, 97));
const zTxt = (keyword: string): readonly [string, Buffer] => [
  'zTXt',
  Buffer.concat([latin(`${keyword}\0\0`), bomb]),
];
const iTxt = (keyword: string): readonly [string, Buffer] => [
  'iTXt',
  Buffer.concat([latin(`${keyword}\0\x01\0\0\0`), bomb]),
];

/** One directory whose entries all refer to the same text of `size` bytes. */
function exifOf(size: number, words: string): Buffer {
  const entries = Math.min(65_535, size);
  const textAt = 8 + 2 + entries * 12;
  const text = Buffer.concat([latin(words), Buffer.alloc(size * 40, 0)]);
  const entry = Buffer.concat([big(0x010f, 2), big(2, 2), big(text.length), big(textAt)]);
  return Buffer.concat([latin('MM\0*'), big(8), big(entries, 2), ...numbers(entries).map(() => entry), text]);
}

function webpOf(exif: Buffer): Buffer {
  return Buffer.concat([latin('RIFF'), big(0), latin('WEBP'), latin('EXIF'), little(exif.length), exif]);
}

function oggPage(serial: number, lengths: readonly number[], data: Buffer): Buffer {
  const header = Buffer.concat([latin('OggS'), Buffer.alloc(10), little(serial), Buffer.alloc(8)]);
  return Buffer.concat([header, Buffer.from([lengths.length]), Buffer.from(lengths), data]);
}

function box(type: string, ...inner: readonly Buffer[]): Buffer {
  const data = Buffer.concat(inner);
  return Buffer.concat([big(data.length + 8), latin(type), data]);
}

/** An element of a WEBM file with an eight-byte length. */
function element(id: number, ...inner: readonly Buffer[]): Buffer {
  const data = Buffer.concat(inner);
  const name = big(id, id > 0xffffff ? 4 : id > 0xffff ? 3 : 2);
  return Buffer.concat([
    name,
    big(0x01, 1),
    big(data.length, 6).subarray(0, 0),
    Buffer.alloc(1),
    big(data.length, 6),
    data,
  ]);
}

function id3Of(frames: readonly Buffer[]): Buffer {
  const data = Buffer.concat(frames);
  const length = [21, 14, 7, 0].map((shift) => (data.length >> shift) & 0x7f);
  return Buffer.concat([latin('ID3\x03\0\0'), Buffer.from(length), data]);
}

function vorbisOf(comments: readonly string[]): Buffer {
  const texts = comments.map((each) => Buffer.concat([little(each.length), latin(each)]));
  return Buffer.concat([little(0), little(comments.length), ...texts]);
}

/** Files with about this many parts, each of a kind that was or could be slow to read. */
export const pictures: Readonly<Record<string, (size: number) => Buffer>> = {
  'PNG texts of other programs that inflate': (size) => pngOf(numbers(size).map(() => zTxt('other'))),
  'PNG prompts that inflate to no prompt': (size) => pngOf(numbers(size).map(() => zTxt('prompt'))),
  'international PNG comments that inflate': (size) => pngOf(numbers(size).map(() => iTxt('comment'))),
  'PNG texts': (size) => pngOf(numbers(size).map(() => ['tEXt', latin('prompt\0no')] as const)),
  'one PNG text of zeros': (size) =>
    pngOf([['tEXt', Buffer.concat([latin('prompt\0'), Buffer.alloc(size * 40), latin('x')])]]),
  'WEBP entries that name one prompt': (size) => webpOf(exifOf(size, 'prompt:{')),
  'WEBP entries that name one text': (size) => webpOf(exifOf(size, 'x')),
  'JPEG segments': (size) => {
    const exif = exifOf(400, 'workflow:{');
    const segment = Buffer.concat([big(0xffe1, 2), big(exif.length + 2, 2), exif]);
    return Buffer.concat([
      big(0xffd8, 2),
      ...numbers(Math.ceil(size / 100)).map(() => segment),
      big(0xffda, 2),
    ]);
  },
  'OGG pages of many streams': (size) =>
    Buffer.concat(numbers(size).map((id) => oggPage(id, [], Buffer.alloc(0)))),
  'OGG pages of one packet': (size) =>
    Buffer.concat([
      oggPage(1, [1], Buffer.alloc(1)),
      ...numbers(size >> 6).map(() => oggPage(1, Array<number>(255).fill(255), Buffer.alloc(255 * 255))),
    ]),
  'OGG packets of one byte': (size) =>
    Buffer.concat(numbers(size).map(() => oggPage(1, Array<number>(255).fill(0), Buffer.alloc(0)))),
  'FLAC comments': (size) => {
    const block = vorbisOf(numbers(size).map((id) => `prompt=${id}`));
    return Buffer.concat([latin('fLaC'), Buffer.from([0x84]), big(block.length, 3), block]);
  },
  'MP3 texts': (size) =>
    id3Of(numbers(size).map(() => Buffer.concat([latin('TXXX'), big(10), big(0, 2), latin('\0prompt\0{]')]))),
  'MP3 stuffing': (size) =>
    id3Of([Buffer.concat([latin('TXXX'), big(size * 40), big(0, 2), Buffer.alloc(size * 40, 0xff)])]),
  'MP4 boxes': (size) => {
    const items = numbers(size).map(() =>
      box('\u00a9cmt', box('data', Buffer.alloc(8), latin('{"prompt":1}'))),
    );
    return Buffer.concat([
      box('ftyp'),
      box('moov', box('udta', box('meta', big(0), box('hdlr'), box('ilst', ...items)))),
    ]);
  },
  'MP4 keys': (size) => {
    const keys = numbers(size).map((id) => Buffer.concat([big(12), latin('mdta'), big(id)]));
    const meta = box('meta', big(0), box('keys', big(0), big(size), ...keys), box('ilst'));
    return Buffer.concat([box('ftyp'), box('moov', meta)]);
  },
  'AVIF items': (size) => {
    const item = box('infe', Buffer.from([2, 0, 0, 0, 0, 1, 0, 0]), latin('Exif'));
    const place = Buffer.concat([big(0, 2), big(0, 2), big(1, 2), big(0), big(size * 40)]);
    const all = numbers(Math.min(65_535, size));
    const meta = [
      box('iinf', Buffer.from([0, 0, 0, 0]), big(all.length, 2), ...all.map(() => item)),
      box('iloc', big(0), big(0x4400, 2), big(all.length, 2), ...all.map(() => place)),
    ];
    return Buffer.concat([box('ftyp'), box('meta', big(0), ...meta), Buffer.alloc(size * 40)]);
  },
  'SVG metadata': (size) =>
    latin(`<svg>${'<metadata>{"prompt":1}</metadata>'.repeat(size)}${'<metadata>{'.repeat(size)}</svg>`),
  'SVG metadata in other elements': (size) => latin(`<svg>${'<metadata>'.repeat(size)}</metadata>`),
  'SafeTensors headers': (size) => {
    const header = latin(
      `{${numbers(size)
        .map((id) => `"${id}":{"shape":[1]}`)
        .join(',')}}`,
    );
    return Buffer.concat([little(header.length), Buffer.alloc(4), header]);
  },
  'JPEG comments': (size) => {
    const entries = numbers(Math.min(5_000, size)).map(() =>
      Buffer.concat([big(0x92860007), big(60_000), big(8)]),
    );
    const exif = Buffer.concat([latin('MM\0*'), big(8), big(entries.length, 2), ...entries]);
    const segment = Buffer.concat([big(0xffe1, 2), big(exif.length + 2, 2), exif]);
    return Buffer.concat([big(0xffd8, 2), ...numbers(Math.ceil(size / 100)).map(() => segment)]);
  },
  'WEBM tags': (size) => {
    const tag = element(0x67c8, element(0x45a3, latin('COMMENT')), element(0x4487, latin('{"prompt":1}')));
    return Buffer.concat([
      Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]),
      element(0x18538067, element(0x1254c367, element(0x7373, ...numbers(size).map(() => tag)))),
    ]);
  },
  'glTF meshes before the workflow': (size) =>
    latin(
      `{"meshes":[${numbers(size)
        .map((id) => `{"name":"mesh ${id}","at":[${id},0.5]}`)
        .join(',')}],"asset":{}}`,
    ),
  'binary glTF meshes': (size) => {
    const text = latin(
      `{"nodes":[${numbers(size)
        .map((id) => `{"mesh":${id}}`)
        .join(',')}],"asset":{}}`,
    );
    return Buffer.concat([
      latin('glTF'),
      little(2),
      little(20 + text.length),
      little(text.length),
      latin('JSON'),
      text,
    ]);
  },
};
