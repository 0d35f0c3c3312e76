import { createHash } from 'node:crypto';
import { decodePng } from '../drawing/encodePng';
import type { Picture } from '../drawing/picture';
import { drawScene } from '../drawing/scene';
import { hashText } from '../drawing/random';
import type { FileStore, StoredFile } from '../files/fileStore';
import { NodeFailure } from './nodeFailure';
import type { NodeBehaviour } from './sandboxNode';

/** `sub/name.png [output]`: folders, a name and, in brackets, the area if it is not the input area (protocol 1.2). */
export function storedFile(value: string): StoredFile {
  const [, path = value, area = 'input'] = /^(.*?)(?: \[(input|output|temp)\])?$/s.exec(value) ?? [];
  const parts = path.split('/');
  const filename = parts.pop() ?? '';
  return { filename, subfolder: parts.join('/'), type: area as StoredFile['type'] };
}

/** The bytes of an input file; a missing one fails as on the real server. */
export function readFile(value: string, files: FileStore): Uint8Array {
  const bytes = files.read(storedFile(value));
  if (bytes !== undefined) return bytes;
  throw new NodeFailure('FileNotFoundError', `[Errno 2] No such file or directory: 'input/${value}'`);
}

/** The picture in an input file. Formats that the sandbox cannot decode are shown as a drawn scene. */
export function readPicture(value: string, files: FileStore): Picture {
  const bytes = readFile(value, files);
  if (!isPicture(bytes)) {
    throw new NodeFailure('PIL.UnidentifiedImageError', `cannot identify image file 'input/${value}'`);
  }
  const seed = hashText(fingerprintOf(bytes));
  return (
    decodePng(bytes) ??
    drawScene({ width: 768, height: 512, prompt: value, seed, look: 0, steps: 30, cfg: 7 })
  );
}

/** Whether the bytes start like a picture or a video: PNG, JPEG, GIF, BMP, TIFF, RIFF (WebP), ISO media. */
function isPicture(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return /^(\x89PNG|\xff\xd8\xff|GIF8|BM|II\*\0|MM\0\*|RIFF|.{4}ftyp)/s.test(start);
}

export function fingerprintOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A loader's verdict on its input file, in the real server's words. */
export function pictureFile(input: 'image' | 'audio'): NodeBehaviour {
  return {
    validates: [input],
    validate: (inputs, files) => {
      const value = inputs[input];
      if (typeof value !== 'string' || files.has(storedFile(value))) return true;
      return `Invalid ${input} file: ${value}`;
    },
    fingerprint: (inputs, files) => {
      const value = inputs[input];
      const bytes = typeof value === 'string' ? files.read(storedFile(value)) : undefined;
      return bytes === undefined ? 'missing' : fingerprintOf(bytes);
    },
  };
}
