import { createHash } from 'node:crypto';
import { decodePng } from '../drawing/encodePng';
import { grayPicture, opaque, type Picture } from '../drawing/picture';
import { hashText } from '../drawing/random';
import type { FileStore, StoredFile } from '../files/fileStore';
import { NodeFailure } from './nodeFailure';
import { Images, type Inputs, Token } from './nodeValues';
import type { NodeBehaviour, NodeContext, NodeResult } from './sandboxNode';

/** `sub/name.png [output]`: folders, a name and, in brackets, the area if it is not the input area (protocol 1.2). */
export function storedFile(value: string): StoredFile {
  const [, path = value, area = 'input'] = /^(.*?)(?: \[(input|output|temp)\])?$/s.exec(value) ?? [];
  const parts = path.split('/');
  const filename = parts.pop() ?? '';
  return { filename, subfolder: parts.join('/'), type: area as StoredFile['type'] };
}

interface Uploaded {
  readonly bytes: Uint8Array;
  readonly hash: number;
}

/** An input file; a missing one fails as on the real server. */
function readUpload(value: string, files: FileStore): Uploaded {
  const bytes = files.read(storedFile(value));
  if (bytes !== undefined) return { bytes, hash: hashText(fingerprintOf(bytes)) };
  throw new NodeFailure('FileNotFoundError', `[Errno 2] No such file or directory: 'input/${value}'`);
}

/** The picture in an input file. Of formats that the sandbox cannot decode there are no pixels. */
function readPicture(
  { image }: Inputs,
  { files }: NodeContext,
): { readonly hash: number; readonly pixels: Picture | undefined } {
  const { bytes, hash } = readUpload(String(image), files);
  if (!isPicture(bytes)) {
    throw new NodeFailure(
      'PIL.UnidentifiedImageError',
      `cannot identify image file 'input/${String(image)}'`,
    );
  }
  return { hash, pixels: decodePng(bytes) };
}

/** Whether the bytes start like a picture or a video: PNG, JPEG, GIF, BMP, TIFF, RIFF (WebP), ISO media. */
function isPicture(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return /^(\x89PNG|\xff\xd8\xff|GIF8|BM|II\*\0|MM\0\*|RIFF|.{4}ftyp)/s.test(start);
}

function fingerprintOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const unknownSize = { width: 768, height: 512 };

export function loadImage(inputs: Inputs, context: NodeContext): NodeResult {
  const { hash, pixels } = readPicture(inputs, context);
  const { width, height } = pixels ?? unknownSize;
  const picture = { width, height, hash, ...(pixels && { pixels: opaque(pixels) }) };
  // Without transparency the real loader returns a small empty mask.
  const mask = pixels?.channels === 4 ? loadedMask(hash, pixels, 3) : new Token('MASK', hash, emptyMask);
  return { outputs: [Images.of([picture]), mask] };
}

const emptyMask = { width: 64, height: 64 };

export function loadMask(inputs: Inputs, context: NodeContext): NodeResult {
  const { hash, pixels } = readPicture(inputs, context);
  if (!pixels) return { outputs: [new Token('MASK', hash, unknownSize)] };
  const channel = ['red', 'green', 'blue', 'alpha'].indexOf(String(inputs['channel']));
  return { outputs: [loadedMask(hash + channel, pixels, channel)] };
}

/** A mask covers what is not visible: the server's masks are transparency. */
function loadedMask(hash: number, picture: Picture, channel: number): Token {
  const pixels = grayPicture(picture, (pixel) =>
    channel === 3 ? 255 - (pixel[3] ?? 255) : (pixel[channel] ?? 0),
  );
  return new Token('MASK', hash, { width: picture.width, height: picture.height, pixels });
}

/** The sandbox cannot decode sound: only the hash differs by file. */
export function loadSound(inputs: Inputs, context: NodeContext): NodeResult {
  return { outputs: [new Token('AUDIO', readUpload(String(inputs['audio']), context.files).hash)] };
}

/** A loader's verdict on its input file, in the real server's words. */
export function uploadedFile(input: 'image' | 'audio'): NodeBehaviour {
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
