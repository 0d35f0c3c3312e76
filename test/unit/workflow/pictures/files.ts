import { deflateSync } from 'node:zlib';

/** Small files of each kind for tests: only the parts that contain texts, and something to skip. */

type Tags = Readonly<Record<string, string>>;

export function bytes(...parts: readonly (string | number | Uint8Array | readonly number[])[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part, 'utf8');
      return typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part);
    }),
  );
}

function big(value: number, length = 4): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256);
}

function little(value: number, length = 4): Uint8Array {
  return big(value, length).reverse();
}

export function pngChunk(type: string, data: Uint8Array): Uint8Array {
  return bytes(big(data.length), type, data, big(0));
}

export function png(
  tags: Tags,
  form: 'tEXt' | 'zTXt' | 'iTXt' | 'iTXt packed' | 'comf' = 'tEXt',
): Uint8Array {
  const texts = Object.entries(tags).map(([name, text]) => {
    switch (form) {
      case 'zTXt':
        return pngChunk('zTXt', bytes(name, 0, 0, deflateSync(text)));
      case 'iTXt':
        return pngChunk('iTXt', bytes(name, 0, 0, 0, 'en', 0, '', 0, text));
      case 'iTXt packed':
        return pngChunk('iTXt', bytes(name, 0, 1, 0, 0, 0, deflateSync(text)));
      default:
        return pngChunk(form, bytes(name, 0, text));
    }
  });
  const [before, after] = form === 'comf' ? [[], texts] : [texts, []];
  return bytes(
    [0x89],
    'PNG\r\n\x1a\n',
    pngChunk('IHDR', new Uint8Array(13)),
    ...before,
    pngChunk('IDAT', new Uint8Array(40_000)),
    ...after,
    pngChunk('IEND', new Uint8Array()),
  );
}

/** EXIF with one text under each tag. */
export function exif(texts: readonly string[], order: 'II' | 'MM' = 'II'): Uint8Array {
  const number = order === 'II' ? little : big;
  const start = 8 + 2 + texts.length * 12 + 4;
  const data = texts.map((text) => bytes(text, 0));
  const entries = data.map((text, index) => {
    const offset = start + data.slice(0, index).reduce((sum, each) => sum + each.length, 0);
    return bytes(number(0x010f + index, 2), number(2, 2), number(text.length), number(offset));
  });
  return bytes(order, number(42, 2), number(8), number(texts.length, 2), ...entries, number(0), ...data);
}

/** EXIF whose own directory has a comment in one of its encodings, in the byte order of the file or the other. */
export function exifComment(text: string, encoding: 'ASCII' | 'UNICODE', isSwapped = false): Uint8Array {
  const letters = Buffer.from(text, encoding === 'ASCII' ? 'latin1' : 'utf16le');
  const data = bytes(encoding.padEnd(8, '\0'), isSwapped ? letters : swapped(letters, encoding));
  const directory = (tag: number, type: number, length: number, value: number): Uint8Array =>
    bytes(big(1, 2), big(tag, 2), big(type, 2), big(length), big(value), big(0));
  return bytes(
    'MM',
    big(42, 2),
    big(8),
    directory(0x8769, 4, 1, 26),
    directory(0x9286, 7, data.length, 44),
    data,
  );
}

function swapped(letters: Buffer, encoding: string): Buffer {
  return encoding === 'UNICODE' ? letters.swap16() : letters;
}

/** Two items: the pixels, and EXIF. */
export function avif(exif: Uint8Array): Uint8Array {
  const item = bytes(big(6), 'Exif', 0, 0, exif);
  const pixels = 50;
  const entry = (id: number, type: string): Uint8Array =>
    box('infe', bytes(2, 0, 0, 0, big(id, 2), 0, 0, type, 'name', 0));
  const place = (id: number, offset: number, length: number): Uint8Array =>
    bytes(big(id, 2), 0, 0, big(1, 2), big(offset), big(length));
  const media = box('mdat', new Uint8Array(pixels), item);
  const meta = (at: number): Uint8Array =>
    box(
      'meta',
      big(0),
      box('hdlr', bytes(big(0), big(0), 'pict', new Uint8Array(13))),
      box(
        'iloc',
        big(0),
        bytes(0x44, 0),
        big(2, 2),
        place(1, at, pixels),
        place(2, at + pixels, item.length),
      ),
      box('iinf', big(0), big(2, 2), entry(1, 'av01'), entry(2, 'Exif')),
    );
  const head = box('ftyp', bytes('avif', big(0), 'avifmif1'));
  return bytes(head, meta(head.length + meta(0).length + 8), media);
}

export function svg(metadata: string): Uint8Array {
  return bytes(
    `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><metadata id="x">${metadata}</metadata></svg>`,
  );
}

export function safetensors(metadata: Tags): Uint8Array {
  const header = bytes(
    JSON.stringify({ latent_tensor: { dtype: 'F32', shape: [1] }, __metadata__: metadata }),
  );
  return bytes(little(header.length, 8), header, new Uint8Array(4));
}

export function webp(chunk: Uint8Array): Uint8Array {
  const part = (type: string, data: Uint8Array): Uint8Array => {
    return bytes(type, little(data.length), data, data.length % 2 === 1 ? [0] : []);
  };
  const body = bytes('WEBP', part('VP8 ', new Uint8Array(33)), part('EXIF', chunk));
  return bytes('RIFF', little(body.length), body);
}

export function jpeg(chunk: Uint8Array): Uint8Array {
  const data = bytes('Exif', 0, 0, chunk);
  return bytes(
    [0xff, 0xd8, 0xff, 0xe0],
    big(4, 2),
    [1, 2, 0xff, 0xe1],
    big(data.length + 2, 2),
    data,
    [0xff, 0xda, 0, 0],
  );
}

function comments(tags: Tags): Uint8Array {
  const entries = Object.entries(tags).map(([name, text]) => bytes(`${name}=${text}`));
  return bytes(
    little(4),
    'made',
    little(entries.length),
    ...entries.map((entry) => bytes(little(entry.length), entry)),
  );
}

export function flac(tags: Tags): Uint8Array {
  const block = comments(tags);
  return bytes(
    'fLaC',
    0,
    big(34, 3),
    new Uint8Array(34),
    0x84,
    big(block.length, 3),
    block,
    new Uint8Array(100),
  );
}

/** Packets on pages of at most 255 segments. */
export function ogg(tags: Tags, kind: 'vorbis' | 'opus' = 'vorbis'): Uint8Array {
  const mark = kind === 'vorbis' ? '\x03vorbis' : 'OpusTags';
  const packets = [bytes('\x01first'), bytes(mark, comments(tags)), new Uint8Array(50)];
  const segments = packets.flatMap((packet) => {
    const full = Math.floor(packet.length / 255);
    return Array.from({ length: full + 1 }, (_, index) => packet.subarray(index * 255, (index + 1) * 255));
  });
  const pages: Uint8Array[] = [];
  for (let at = 0; at < segments.length; at += 255) {
    const own = segments.slice(at, at + 255);
    const header = bytes(
      'OggS',
      0,
      0,
      new Uint8Array(8),
      little(77),
      little(pages.length),
      little(0),
      own.length,
    );
    pages.push(
      bytes(
        header,
        own.map((each) => each.length),
        ...own,
      ),
    );
  }
  return bytes(...pages);
}

function sevenBits(value: number): Uint8Array {
  return Uint8Array.from([21, 14, 7, 0], (shift) => (value >> shift) & 0x7f);
}

export function mp3(tags: Tags, version: 3 | 4 = 4, alphabet: 'utf8' | 'utf16' = 'utf8'): Uint8Array {
  const frames = Object.entries(tags).map(([name, text]) => {
    const wide = (value: string): Uint8Array => bytes([0xff, 0xfe], Buffer.from(value, 'utf16le'));
    const data = alphabet === 'utf8' ? bytes(3, name, 0, text) : bytes(1, wide(name), 0, 0, wide(text));
    return bytes('TXXX', version === 4 ? sevenBits(data.length) : big(data.length), 0, 0, data);
  });
  const body = bytes('TIT2', version === 4 ? sevenBits(3) : big(3), 0, 0, 3, 'hi', ...frames);
  return bytes('ID3', version, 0, 0, sevenBits(body.length), body, [0xff, 0xfb, 0x90, 0]);
}

function box(type: string, ...inner: readonly Uint8Array[]): Uint8Array {
  const body = bytes(...inner);
  return bytes(big(body.length + 8), Buffer.from(type, 'latin1'), body);
}

/** `mediaSize` bytes of media before the tags, as most programs write it. */
export function mp4(tags: Tags, { mediaSize = 1000, quickTime = false } = {}): Uint8Array {
  return bytes(mp4Start(mediaSize), new Uint8Array(mediaSize), mp4End(tags, quickTime));
}

export function mp4Start(mediaSize: number): Uint8Array {
  return bytes(box('ftyp', bytes('isom', big(0))), big(1), 'mdat', big(mediaSize + 16, 8));
}

export function mp4End(tags: Tags, quickTime = false): Uint8Array {
  const names = Object.keys(tags);
  const keys = names.map((name) => bytes(big(name.length + 8), 'mdta', name));
  const values = Object.values(tags).map((text, index) => {
    const data = box('data', big(1), big(0), bytes(text));
    return bytes(big(data.length + 8), big(index + 1), data);
  });
  const parts = [
    box('hdlr', new Uint8Array(25)),
    box('keys', big(0), big(names.length), ...keys),
    box('ilst', ...values),
  ];
  const meta = quickTime ? box('meta', ...parts) : box('meta', big(0), ...parts);
  return box('moov', box('mvhd', new Uint8Array(100)), quickTime ? meta : box('udta', meta));
}

function element(id: readonly number[], ...inner: readonly Uint8Array[]): Uint8Array {
  const body = bytes(...inner);
  return bytes(id, bytes(0x08, big(body.length, 4)), body);
}

export function webm(tags: Tags): Uint8Array {
  const simple = Object.entries(tags).map(([name, text]) => {
    return element([0x67, 0xc8], element([0x45, 0xa3], bytes(name)), element([0x44, 0x87], bytes(text)));
  });
  const cluster = element([0x1f, 0x43, 0xb6, 0x75], new Uint8Array(5000));
  const tag = element([0x12, 0x54, 0xc3, 0x67], element([0x73, 0x73], ...simple));
  return bytes(
    element([0x1a, 0x45, 0xdf, 0xa3], bytes('webm')),
    element([0x18, 0x53, 0x80, 0x67], cluster, tag),
  );
}

export function glb(json: string): Uint8Array {
  const data = bytes(json);
  return bytes('glTF', little(2), little(20 + data.length), little(data.length), 'JSON', data);
}
