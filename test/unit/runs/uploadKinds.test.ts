import { describe, expect, it } from 'vitest';
import type { UploadKind } from '../../../src/core/catalog/inputSpec';
import { isNameOfKind, isOfKind } from '../../../src/core/runs/uploadKinds';

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex');
const text = (words: string): Uint8Array => Buffer.from(words, 'latin1');

const samples: readonly [UploadKind, string, Uint8Array][] = [
  ['image', 'a.png', hex('89504e470d0a1a0a 00')],
  ['image', 'sub/A.JPG', hex('ffd8ffe0')],
  ['image', 'a.webp', text('RIFF....WEBPVP8 ')],
  ['image', 'a.gif', text('GIF89a')],
  ['image', 'a.bmp', text('BM....')],
  ['image', 'a.tiff', hex('49492a00')],
  ['image', 'a.avif', text('\0\0\0\x20ftypavif')],
  ['image', 'a.heic', text('\0\0\0\x20ftypmif1\0\0\0\0heic')],
  ['video', 'a.mp4', text('\0\0\0\x20ftypisom')],
  ['video', 'a.webm', hex('1a45dfa3')],
  ['video', 'a.gif', text('GIF89a')],
  ['audio', 'a.mp3', text('ID3\x04')],
  ['audio', 'a.mp3', hex('fffb9000')],
  ['audio', 'a.wav', text('RIFF....WAVEfmt ')],
  ['audio', 'a.flac', text('fLaC')],
  ['audio', 'a.ogg', text('OggS')],
  ['audio', 'film.mp4', text('\0\0\0\x20ftypisom')],
  ['file', 'a.glb', text('glTF\x02')],
  ['mesh', 'a.gltf', text('{ "asset": { "version": "2.0" } }')],
  ['file', 'a.obj', text('# made by hand\nmtllib a.mtl\nv 0 0 1\nf 1 2 3\n')],
  ['file', 'a.stl', text('solid a\n facet normal 0 0 1\n')],
  ['file', 'a.ply', text('ply\nformat ascii 1.0\n')],
];

describe('an upload input', () => {
  it.each(samples)('%s accepts %s', (kind, name, content) => {
    expect(isNameOfKind(kind, name)).toBe(true);
    expect(isOfKind(kind, name, content)).toBe(true);
  });

  it.each(samples)('%s accepts %s only if its content matches the extension', (kind, name) => {
    expect(isOfKind(kind, name, text('API_KEY=1\n'))).toBe(false);
    expect(isOfKind(kind, name, new Uint8Array())).toBe(false);
  });

  const others = '.env .png id_rsa a.txt a.json a.pem a.png.txt a.svg a.sqlite png a.';

  it.each(others.split(' '))('no kind accepts %s', (name) => {
    for (const kind of ['image', 'video', 'audio', 'mesh', 'file'] as const) {
      expect(isOfKind(kind, name, text('words'))).toBe(false);
    }
  });
});
