import {
  type ByteRangeReader,
  FileBytes,
  latin,
  littleEndian,
  readFromFile,
  readFromMemory,
  type Reading,
} from './byteRanges';
import { type EmbeddedWorkflows, FoundTexts } from './embedded';
import { readJpeg, readWebp } from './exif';
import { readGlb, readGltf, readSafetensors, readSvg } from './jsonParts';
import { id3Length, readId3 } from './id3';
import { readMp4 } from './mp4Metadata';
import { readPng } from './pngText';
import { readFlac, readOgg } from './vorbisComments';
import { readWebm } from './webm';

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

/** Whether a file is one that may contain a workflow, by its name. */
export function mayContainWorkflow(name: string): boolean {
  return pictureEndings.some((ending) => name.toLowerCase().endsWith(`.${ending}`));
}

/**
 * The workflows in a file in memory: PNG, WEBP, JPEG, AVIF and SVG pictures, FLAC, OGG and MP3 sounds, MP4, MOV and
 * WEBM videos, glTF models, SafeTensors (workflows 1.5). Its first bytes decide the kind; the name only matters for text files. Empty for files
 * without one, of another kind, or broken. Never throws.
 */
export function workflowsInPicture(bytes: Uint8Array, name?: string): EmbeddedWorkflows {
  return readFromMemory(bytes, readWorkflows(new FileBytes(bytes.length), name));
}

/** The same for a file that is read in pieces: a few small ranges are enough for a video of a gigabyte. */
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
  const mark = latin(head);
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
  else if (mark[8] === '{' && littleEndian(head, 0, 8) <= file.size - 8)
    yield* readSafetensors(file, found, littleEndian(head, 0, 8));
  else if (isNamed('.svg') && /^(?:\xef\xbb\xbf)?\s*</.test(mark)) yield* readSvg(file, found);
  else if (isNamed('.gltf') && /^(?:\xef\xbb\xbf)?\s*\{/.test(mark)) yield* readGltf(file, found);
}

/** A sound with an ID3 tag in front: an MP3, or a FLAC that some program tagged twice. */
function* readTagged(file: FileBytes, found: FoundTexts, head: Uint8Array): Reading<void> {
  const start = id3Length(head);
  const inner = yield* file.at(start, 4);
  if (latin(inner) === 'fLaC') yield* readFlac(file, found, start);
  yield* readId3(file, found);
}
