import type { UploadKind } from '../catalog/inputSpec';
import { t } from '../safety/localize';

interface FileForm {
  readonly endings: readonly string[];
  readonly begins: (head: Uint8Array) => boolean;
}

const images: readonly FileForm[] = [
  form('png apng', bytes('89504e470d0a1a0a')),
  form('jpg jpeg jpe jfif', bytes('ffd8ff')),
  form('gif', text('GIF87a', 'GIF89a')),
  form('webp', riff('WEBP')),
  form('bmp dib', text('BM')),
  form('tif tiff', bytes('49492a00', '4d4d002a', '49492b00', '4d4d002b')),
  form('avif heic heif', boxed('avif avis heic heix hevc hevx heim heis mif1 msf1')),
  form('exr', bytes('762f3101')),
  form('hdr', text('#?RADIANCE', '#?RGBE')),
  form('psd', text('8BPS')),
];
const films: readonly FileForm[] = [
  form('mp4 m4v mov qt 3gp', (head) => ['ftyp', 'moov', 'mdat', 'wide', 'free'].includes(ascii(head, 4, 8))),
  form('webm mkv', bytes('1a45dfa3')),
  form('avi', riff('AVI ')),
  form('mpg mpeg', bytes('000001ba', '000001b3')),
  form('ogv', text('OggS')),
  form('gif', text('GIF87a', 'GIF89a')),
  form('webp', riff('WEBP')),
  form('png apng', bytes('89504e470d0a1a0a')),
];
const sounds: readonly FileForm[] = [
  form('mp3 aac', (head) => ascii(head, 0, 3) === 'ID3' || isFrameSync(head)),
  form('wav wave', riff('WAVE')),
  form('flac', text('fLaC')),
  form('ogg oga opus', text('OggS')),
  form('m4a m4b', (head) => ascii(head, 4, 8) === 'ftyp'),
  form('aif aiff aifc', (head) => ascii(head, 0, 4) === 'FORM' && /^AIF[FC]$/.test(ascii(head, 8, 12))),
  form('weba', bytes('1a45dfa3')),
];
const shapes: readonly FileForm[] = [
  form('glb', text('glTF')),
  form(
    'gltf',
    (head) => /^\s*\{/.test(ascii(head, 0, 64)) && /"asset"|"(scenes?|nodes|meshes)"/.test(ascii(head)),
  ),
  form('fbx', (head) => ascii(head).startsWith('Kaydara FBX Binary') || /^; FBX \d/.test(ascii(head))),
  form('ply', (head) => /^ply\r?\n/.test(ascii(head, 0, 8))),
  form('stl', (head) => /^solid[\s\S]*\bfacet\b/.test(ascii(head)) || isBinary(head)),
  form('obj', (head) => isObj(ascii(head))),
  form('spz', bytes('1f8b', '4e475350')),
  form('splat ksplat', isBinary),
  form('usdz', text('PK\u0003\u0004')),
];

/** The same as in the editor's own dialogs: audio may come from a video, a 3D node says `file`. */
const formsOf: Readonly<Record<UploadKind, readonly FileForm[]>> = {
  image: images,
  video: films,
  audio: [...sounds, ...films.slice(0, 5)],
  mesh: shapes,
  file: shapes,
};

export const kindWords = (): Readonly<Record<UploadKind, string>> => ({
  image: t`an image`,
  video: t`a video`,
  audio: t`an audio file`,
  mesh: t`a 3D model`,
  file: t`a 3D model`,
});

/** How much of a file identifies its type, in bytes. */
const headLength = 4096;

/** It is judged before anything is read. */
export function isNameOfKind(kind: UploadKind, name: string): boolean {
  return formOf(kind, name) !== undefined;
}

export function isContentOfKind(kind: UploadKind, name: string, content: Uint8Array): boolean {
  return formOf(kind, name)?.begins(content.subarray(0, headLength)) === true;
}

function formOf(kind: UploadKind, name: string): FileForm | undefined {
  const ending = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return ending === undefined ? undefined : formsOf[kind].find(({ endings }) => endings.includes(ending));
}

function form(endings: string, begins: FileForm['begins']): FileForm {
  return { endings: endings.split(' '), begins };
}

function bytes(...starts: readonly string[]): FileForm['begins'] {
  const wanted = starts.map((start) => Buffer.from(start, 'hex'));
  return (head) => wanted.some((start) => start.equals(head.subarray(0, start.length)));
}

function text(...starts: readonly string[]): FileForm['begins'] {
  return (head) => starts.some((start) => ascii(head, 0, start.length) === start);
}

function riff(type: string): FileForm['begins'] {
  return (head) => ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === type;
}

/** ISO media files name their brand first, and those that they are compatible with after it. */
function boxed(brands: string): FileForm['begins'] {
  const known = brands.split(' ');
  return (head) => {
    if (ascii(head, 4, 8) !== 'ftyp') return false;
    return (ascii(head, 8, 64).match(/.{4}/gs) ?? []).some((brand) => known.includes(brand));
  };
}

/** The first eleven bits of an MPEG audio frame. */
function isFrameSync(head: Uint8Array): boolean {
  return head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0;
}

/** For formats without a signature: no text file contains a NUL. */
function isBinary(head: Uint8Array): boolean {
  return head.includes(0);
}

/** Every line at the start of a Wavefront file is a comment or one of its statements. */
function isObj(start: string): boolean {
  const lines = start.split(/\r?\n/).slice(0, -1);
  const said = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return (
    said.length > 0 && said.every((line) => /^(v|vn|vt|vp|f|l|p|o|g|s|mtllib|usemtl|cstype)\s/.test(line))
  );
}

function ascii(head: Uint8Array, start = 0, end?: number): string {
  return Buffer.from(head.subarray(start, end)).toString('latin1');
}
