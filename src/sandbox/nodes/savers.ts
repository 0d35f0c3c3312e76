import { exactFrom } from '../../core/json/exactValue';
import { writeExact } from '../../core/json/exactWriter';
import { asciiJson, encodePng } from '../drawing/picture';
import { animationSize, filmFacts, mediaSample } from '../media/mediaSample';
import type { FileStore, StoredFile } from '../files/fileStore';
import { NodeFailure } from './pythonText';
import {
  hashValues,
  imagesIn,
  type Inputs,
  drawBatchPicture,
  type PictureSides,
  tokenIn,
} from './nodeValues';
import type { NodeContext, NodeResult } from './sandboxNode';

/** `folder/name` with placeholders, and the next free number there. */
function savePlace(prefix: string, type: StoredFile['type'], files: FileStore, size: PictureSides) {
  const path = filledIn(prefix, size).replaceAll('\\', '/');
  const end = path.lastIndexOf('/');
  const [parts, name] = [path.slice(0, Math.max(end, 0)).split('/'), path.slice(end + 1)];
  if (parts.includes('..') || path.startsWith('/')) {
    const folder = parts.join('/');
    throw new NodeFailure(
      'Exception',
      `**** ERROR: Saving image outside the output folder is not allowed.\n full_output_folder: ${folder}`,
    );
  }
  const subfolder = parts.filter((part) => part !== '' && part !== '.').join('/');
  const numbers = files
    .names(type, subfolder)
    .filter((file) => file.startsWith(`${name}_`))
    .map((file) => Number(/^\d+/.exec(file.slice(name.length + 1))?.[0] ?? 0));
  return { subfolder, name, counter: Math.max(0, ...numbers) + 1 };
}

function filledIn(prefix: string, { width, height }: PictureSides): string {
  const now = new Date();
  const values: Readonly<Record<string, number>> = {
    width,
    height,
    year: now.getFullYear(),
    month: now.getMonth() + 1,
    day: now.getDate(),
    hour: now.getHours(),
    minute: now.getMinutes(),
    second: now.getSeconds(),
  };
  return prefix.replace(/%(\w+)%/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined
      ? whole
      : String(value).padStart(name === 'width' || name === 'height' ? 1 : 2, '0');
  });
}

function numbered(counter: number): string {
  return String(counter).padStart(5, '0');
}

function temporarySuffix(context: NodeContext): string {
  const letters = Array.from({ length: 5 }, () =>
    'abcdefghijklmnopqrstupvxyz'.charAt(Math.floor(context.random() * 26)),
  );
  return `_temp_${letters.join('')}`;
}

/** Connects a picture to its workflow (workflows 1.5). */
function pictureText(context: NodeContext): Record<string, string> {
  const text: Record<string, string> = { prompt: asciiJson(context.promptText) };
  for (const [name, value] of Object.entries(context.extraPnginfo))
    text[name] = asciiJson(writeExact(exactFrom(value)));
  return text;
}

/** Members of a file entry (protocol 3.5). */
function sidesOf({ width, height }: PictureSides): object {
  return { kind: 'image', width, height };
}

/** A temporary file has a name of its own. */
function prefixOf(inputs: Inputs, type: 'output' | 'temp', context: NodeContext): string {
  return type === 'temp' ? `ComfyUI${temporarySuffix(context)}` : String(inputs['filename_prefix']);
}

export function saveImages(inputs: Inputs, context: NodeContext, type: 'output' | 'temp'): NodeResult {
  const images = imagesIn(inputs, 'images');
  const prefix = prefixOf(inputs, type, context);
  const { subfolder, name, counter } = savePlace(prefix, type, context.files, images.first);
  const text = pictureText(context);
  const items = images.pictures.map((picture, index) => {
    const filename = `${name.replaceAll('%batch_num%', String(index))}_${numbered(counter + index)}_.png`;
    context.files.write({ filename, subfolder, type }, encodePng(drawBatchPicture(picture), text));
    return { filename, subfolder, type, metadata: sidesOf(picture) };
  });
  return { outputs: [images], ui: { images: items } };
}

function savedFile(
  ending: string,
  bytes: Uint8Array,
  prefix: string,
  context: NodeContext,
  { type = 'output', size = {} }: { type?: 'output' | 'temp'; size?: Partial<PictureSides> } = {},
): StoredFile {
  const { width = 0, height = 0 } = size;
  const { subfolder, name, counter } = savePlace(prefix, type, context.files, { width, height });
  const file = { filename: `${name}_${numbered(counter)}${ending}`, subfolder, type };
  context.files.write(file, bytes);
  return file;
}

/** Only the first picture: the PNG library can't write animations. */
export function saveAnimatedPng(inputs: Inputs, context: NodeContext): NodeResult {
  const bytes = encodePng(drawBatchPicture(imagesIn(inputs, 'images').first), pictureText(context));
  return savedAnimation('_.png', bytes, imagesIn(inputs, 'images').first, inputs, context);
}

export function saveAnimatedWebp(inputs: Inputs, context: NodeContext): NodeResult {
  const bytes = mediaSample('animation', hashValues(imagesIn(inputs, 'images'), inputs['fps'] ?? 0));
  return savedAnimation('_.webp', bytes, animationSize, inputs, context);
}

function savedAnimation(
  ending: string,
  bytes: Uint8Array,
  sides: PictureSides,
  inputs: Inputs,
  context: NodeContext,
): NodeResult {
  const images = imagesIn(inputs, 'images');
  const file = savedFile(ending, bytes, String(inputs['filename_prefix']), context, { size: images.first });
  const item = { ...file, metadata: sidesOf(sides) };
  return { outputs: [images], ui: { images: [item], animated: [true] } };
}

export function saveVideo(inputs: Inputs, context: NodeContext): NodeResult {
  const video = tokenIn(inputs, 'video', 'VIDEO');
  const bytes = mediaSample('film', video.hash);
  const file = savedFile('_.mp4', bytes, String(inputs['filename_prefix']), context, { size: video.facts });
  const metadata = { ...filmFacts, kind: 'video' };
  return { outputs: [video], ui: { images: [{ ...file, metadata }], animated: [true] } };
}

export function saveSound(inputs: Inputs, context: NodeContext, type: 'output' | 'temp'): NodeResult {
  const sound = tokenIn(inputs, 'audio', 'AUDIO');
  const prefix = prefixOf(inputs, type, context);
  const file = savedFile('.flac', mediaSample('melody', sound.hash), prefix, context, { type });
  return { outputs: [sound], ui: { audio: [file] } };
}

/** Without tensors: no other program could read the sandbox's latents. */
export function saveLatent(inputs: Inputs, context: NodeContext): NodeResult {
  const latent = tokenIn(inputs, 'samples', 'LATENT');
  const header = Buffer.from(JSON.stringify({ __metadata__: { prompt: context.promptText } }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const bytes = Buffer.concat([length, header]);
  const prefix = String(inputs['filename_prefix']);
  const file = savedFile('_.latent', bytes, prefix, context, { size: latent.facts });
  return { outputs: [latent], ui: { latents: [file] } };
}
