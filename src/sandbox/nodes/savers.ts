import { asciiJson, encodePng } from '../drawing/encodePng';
import { encodeApng } from '../drawing/apng';
import { encodeAnimatedWebp } from '../drawing/webp';
import { opaque } from '../drawing/picture';
import type { SandboxFiles, StoredFile } from '../media/sandboxFiles';
import { NodeFailure } from './nodeFailure';
import { readPicture } from './inputFiles';
import { transparency } from './pictureEdits';
import type { NodeContext, NodeResult } from './sandboxNode';
import { Images, imagesIn, Masks, numberIn } from './nodeValues';
import type { Inputs } from './nodeValues';

/** Where a save node puts its files: `folder/name` with placeholders, and the number after the last one there. */
interface SavePlace {
  readonly subfolder: string;
  readonly name: string;
  readonly counter: number;
}

export function savePlace(
  prefix: string,
  type: StoredFile['type'],
  files: SandboxFiles,
  size: { readonly width: number; readonly height: number },
): SavePlace {
  const path = filledIn(prefix, size).replaceAll('\\', '/');
  const parts = path.split('/');
  const name = parts.pop() ?? '';
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

/** The placeholders that the server itself fills in; those of the editor stay as they are. */
function filledIn(
  prefix: string,
  { width, height }: { readonly width: number; readonly height: number },
): string {
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

export function numbered(counter: number): string {
  return String(counter).padStart(5, '0');
}

/** Letters that keep temporary files of one run apart from those of others. */
export function temporarySuffix(context: NodeContext): string {
  const letters = Array.from({ length: 5 }, () =>
    'abcdefghijklmnopqrstupvxyz'.charAt(Math.floor(context.random() * 26)),
  );
  return `_temp_${letters.join('')}`;
}

/** The text chunks by which a picture leads back to its workflow (workflows 1.5). */
function pictureText(context: NodeContext): Record<string, string> {
  const text: Record<string, string> = { prompt: asciiJson(context.promptText) };
  for (const [name, value] of Object.entries(context.extraPnginfo))
    text[name] = asciiJson(JSON.stringify(value));
  return text;
}

export function saveImages(inputs: Inputs, context: NodeContext): NodeResult {
  return saved(imagesIn(inputs, 'images'), String(inputs['filename_prefix']), 'output', context);
}

export function previewImages(inputs: Inputs, context: NodeContext): NodeResult {
  return saved(imagesIn(inputs, 'images'), `ComfyUI${temporarySuffix(context)}`, 'temp', context);
}

function saved(images: Images, prefix: string, type: 'output' | 'temp', context: NodeContext): NodeResult {
  const { subfolder, name, counter } = savePlace(prefix, type, context.files, images.first);
  const text = pictureText(context);
  const items = images.pictures.map((picture, index) => {
    const filename = `${name.replaceAll('%batch_num%', String(index))}_${numbered(counter + index)}_.png`;
    context.files.write({ filename, subfolder, type }, encodePng(picture, text));
    return { filename, subfolder, type };
  });
  return { outputs: [images], ui: { images: items } };
}

export function loadImage(inputs: Inputs, context: NodeContext): NodeResult {
  const picture = readPicture(String(inputs['image']), context.files);
  // Without transparency the real loader gives a small empty mask.
  const mask = picture.channels === 4 ? Masks.of([transparency(picture)]) : Masks.plain(64, 64, 0);
  return { outputs: [Images.of([opaque(picture)]), mask] };
}

export function saveAnimatedPng(inputs: Inputs, context: NodeContext): NodeResult {
  const images = imagesIn(inputs, 'images');
  const bytes = encodeApng(images.pictures, numberIn(inputs, 'fps'), pictureText(context));
  return savedAnimation(images, bytes, 'png', inputs, context);
}

export function saveAnimatedWebp(inputs: Inputs, context: NodeContext): NodeResult {
  const images = imagesIn(inputs, 'images');
  return savedAnimation(
    images,
    encodeAnimatedWebp(images.pictures, numberIn(inputs, 'fps')),
    'webp',
    inputs,
    context,
  );
}

function savedAnimation(
  images: Images,
  bytes: Uint8Array,
  extension: string,
  inputs: Inputs,
  context: NodeContext,
): NodeResult {
  const place = savePlace(String(inputs['filename_prefix']), 'output', context.files, images.first);
  const filename = `${place.name}_${numbered(place.counter)}_.${extension}`;
  const file = { filename, subfolder: place.subfolder, type: 'output' as const };
  context.files.write(file, bytes);
  return { outputs: [images], ui: { images: [file], animated: [true] } };
}
