import { createHash } from 'node:crypto';
import { decodePng, grayPicture, opaquePicture, type Picture, plainPicture } from '../drawing/picture';
import { hashText } from '../drawing/random';
import type { FileStore, StoredFile } from '../files/fileStore';
import { NodeFailure } from './pythonText';
import {
  Images,
  type Inputs,
  Token,
  hashValues,
  imagesIn,
  inputsHash,
  numberIn,
  tokenIn,
} from './nodeValues';
import type { NodeBehaviour, NodeContext, NodeResult, SandboxValue } from './sandboxNode';
import { saveAnimatedPng, saveAnimatedWebp, saveImages, saveLatent, saveSound, saveVideo } from './savers';
import { sizeInText } from './standIn';

/** `sub/name.png [output]`: without brackets, the area is `input` (protocol 1.2). */
export function storedFile(value: string): StoredFile {
  const [, path = value, area = 'input'] = /^(.*?)(?: \[(input|output|temp)\])?$/s.exec(value) ?? [];
  const end = path.lastIndexOf('/');
  const subfolder = path.slice(0, Math.max(end, 0));
  return { filename: path.slice(end + 1), subfolder, type: area as StoredFile['type'] };
}

/** @throws NodeFailure for a missing file, as on the real server */
function readUpload(value: string, files: FileStore) {
  const bytes = files.read(storedFile(value));
  if (bytes !== undefined) return { bytes, hash: hashText(fingerprintOf(bytes)) };
  throw new NodeFailure('FileNotFoundError', `[Errno 2] No such file or directory: 'input/${value}'`);
}

/** Formats that the sandbox can't decode yield no pixels. */
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

function isPicture(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return /^(\x89PNG|\xff\xd8\xff|GIF8|BM|II\*\0|MM\0\*|RIFF|.{4}ftyp)/s.test(start);
}

function fingerprintOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const unknownSize = { width: 768, height: 512 };

function loadImage(inputs: Inputs, context: NodeContext): NodeResult {
  const { hash, pixels } = readPicture(inputs, context);
  const { width, height } = pixels ?? unknownSize;
  const picture = { width, height, hash, ...(pixels && { pixels: () => opaquePicture(pixels) }) };
  // Without transparency the real loader returns a small empty mask.
  const mask = pixels?.channels === 4 ? loadedMask(hash, pixels, 3) : new Token('MASK', hash, emptyMask);
  return { outputs: [Images.of([picture]), mask] };
}

const emptyMask = { width: 64, height: 64 };

function loadMask(inputs: Inputs, context: NodeContext): NodeResult {
  const { hash, pixels } = readPicture(inputs, context);
  if (!pixels) return { outputs: [new Token('MASK', hash, unknownSize)] };
  const channel = ['red', 'green', 'blue', 'alpha'].indexOf(String(inputs['channel']));
  return { outputs: [loadedMask(hash + channel, pixels, channel)] };
}

/** The server's masks are transparency. */
function loadedMask(hash: number, picture: Picture, channel: number): Token {
  const byte = (pixel: Uint8Array): number =>
    channel === 3 ? 255 - (pixel[3] ?? 255) : (pixel[channel] ?? 0);
  const pixels = (): Picture => grayPicture(picture, byte);
  return new Token('MASK', hash, { width: picture.width, height: picture.height, pixels });
}

/** Sound isn't decoded: only the hash differs. */
function loadSound(inputs: Inputs, context: NodeContext): NodeResult {
  return { outputs: [new Token('AUDIO', readUpload(String(inputs['audio']), context.files).hash)] };
}

function uploadedFile(input: 'image' | 'audio'): NodeBehaviour {
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

/** As on the server, pictures take the size of the first. */
function joined(batches: readonly Images[]): NodeResult {
  const pictures = batches.flatMap((batch) => batch.pictures);
  const { width = 1, height = 1 } = pictures[0] ?? {};
  const fitted = pictures.map((picture) =>
    picture.width === width && picture.height === height
      ? picture
      : { width, height, hash: hashValues(picture.hash) },
  );
  return { outputs: [Images.of(fitted)] };
}

function emptyImage(inputs: Inputs): NodeResult {
  const [width, height] = [numberIn(inputs, 'width'), numberIn(inputs, 'height')];
  const color = numberIn(inputs, 'color');
  const { pictures } = Images.drawn({ width, height }, numberIn(inputs, 'batch_size'), color);
  const pixels = (): Picture =>
    plainPicture(width, height, [(color >> 16) & 255, (color >> 8) & 255, color & 255]);
  return { outputs: [Images.of(pictures.map((picture) => ({ ...picture, pixels })))] };
}

/** Regroups all pictures of the lists into batches. */
function rebatchImages(inputs: Inputs): NodeResult {
  const batches = inputs['images'] as readonly SandboxValue[];
  const [size = 1] = inputs['batch_size'] as readonly number[];
  const pictures = batches.flatMap((images) => imagesIn({ images }, 'images').pictures);
  const starts = Array.from({ length: Math.ceil(pictures.length / size) }, (_, index) => index * size);
  return { outputs: [starts.map((start) => Images.of(pictures.slice(start, start + size)))] };
}

function rebatchLatent(change: (inputs: Inputs, batch: number) => number): NodeBehaviour {
  return {
    run: (inputs) => {
      const { facts } = tokenIn(inputs, 'samples', 'LATENT');
      const batch = change(inputs, facts.batch ?? 1);
      return { outputs: [new Token('LATENT', inputsHash(inputs), { ...facts, batch })] };
    },
  };
}

/** Only uploaded masks have pixels; others are drawn. */
function maskPicture(inputs: Inputs): Images {
  const { hash, facts } = tokenIn(inputs, 'mask', 'MASK');
  const { width = 64, height = 64, batch = 1, pixels } = facts;
  return pixels === undefined
    ? Images.drawn({ width, height }, batch, hash)
    : Images.of([{ width, height, hash, pixels }]);
}

const partnerSteps = 4;
const creditsPerPicture = 6;

/** Without a key, fails in the real server's words. */
export async function askPartner(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  if (context.partnerKey === undefined || context.partnerKey === '') {
    throw new NodeFailure('Exception', 'Unauthorized: Please login first to use this node.');
  }
  const count = Math.max(1, Number(inputs['n'] ?? 1));
  for (let step = 1; step <= partnerSteps; step += 1) {
    const status = step < partnerSteps ? 'in progress' : 'completed';
    const price = (count * creditsPerPicture).toLocaleString('en');
    const left = step < partnerSteps ? ` (~${partnerSteps - step}s remaining)` : '';
    context.text(`Status: ${status}\nPrice: ${price} credits\nTime elapsed: ${step}s${left}`);
    await context.steps(step, partnerSteps);
  }
  const { width, height } = sizeInText(inputs);
  return { outputs: [Images.drawn({ width, height }, count, inputsHash(inputs))] };
}

const pngText = { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' };
const savesPng = { output: true, hidden: pngText, pythonFunction: 'SaveImage.save_images' };
const wholeVideo = { trim: { start_time: 0, duration: 0 } };

export const pictureNodes: Readonly<Record<string, NodeBehaviour>> = {
  SaveImage: { run: (...given) => saveImages(...given, 'output'), ...savesPng },
  PreviewImage: { run: (...given) => saveImages(...given, 'temp'), ...savesPng },
  LoadImage: { run: loadImage, ...uploadedFile('image'), pythonFunction: 'LoadImage.load_image' },
  LoadImageOutput: { run: loadImage, ...uploadedFile('image') },
  SaveAnimatedWEBP: { run: saveAnimatedWebp, output: true },
  SaveAnimatedPNG: { run: saveAnimatedPng, output: true },
  EmptyImage: { run: emptyImage, pythonFunction: 'EmptyImage.generate' },
  GetImageSize: {
    run: (inputs) => {
      const { first, pictures } = imagesIn(inputs, 'image');
      return { outputs: [first.width, first.height, pictures.length] };
    },
  },
  ImageInvert: { pythonFunction: 'ImageInvert.invert' },
  ImageBatch: {
    run: (inputs) => joined([imagesIn(inputs, 'image1'), imagesIn(inputs, 'image2')]),
    pythonFunction: 'ImageBatch.batch',
  },
  BatchImagesNode: {
    // It has any number of inputs `images.image0`, `images.image1`, …
    run: (inputs) => {
      const names = Object.keys(inputs).filter((name) => name.startsWith('images.'));
      return joined(names.map((name) => imagesIn(inputs, name)));
    },
    specs: {
      images: [
        'COMFY_AUTOGROW_V3',
        { template: { input: { required: { image: ['IMAGE', {}] } }, prefix: 'image', min: 1, max: 50 } },
      ],
    },
  },
  RebatchImages: { run: rebatchImages, takesLists: true },
  RepeatImageBatch: {
    run: (inputs) => ({ outputs: [imagesIn(inputs, 'image').repeated(numberIn(inputs, 'amount'))] }),
  },
  ImageFromBatch: {
    run: (inputs) => ({
      outputs: [imagesIn(inputs, 'image').part(numberIn(inputs, 'batch_index'), numberIn(inputs, 'length'))],
    }),
  },
  ImageScale: { pythonFunction: 'ImageScale.upscale' },
  LoadImageMask: { run: loadMask, ...uploadedFile('image') },
  MaskToImage: { run: (inputs) => ({ outputs: [maskPicture(inputs)] }) },
  MaskPreview: {
    run: (inputs, context) => ({
      ...saveImages({ images: maskPicture(inputs) }, context, 'temp'),
      outputs: [inputs['mask']],
    }),
    output: true,
  },
  EmptyLatentImage: { pythonFunction: 'EmptyLatentImage.generate' },
  SaveLatent: { run: saveLatent, output: true },
  VAEDecode: { pythonFunction: 'VAEDecode.decode' },
  VAEEncode: { pythonFunction: 'VAEEncode.encode' },
  RepeatLatentBatch: rebatchLatent((inputs, batch) => batch * numberIn(inputs, 'amount')),
  LatentFromBatch: rebatchLatent((inputs, batch) => Math.min(batch, numberIn(inputs, 'length'))),
  LoadAudio: { run: loadSound, ...uploadedFile('audio') },
  SaveAudio: { run: (...given) => saveSound(...given, 'output'), output: true },
  PreviewAudio: { run: (...given) => saveSound(...given, 'temp'), output: true },
  VideoTrim: {
    specs: { trim: ['VIDEO_EDIT', { default: wholeVideo, socketless: true, features: ['trim'] }] },
  },
  SaveVideo: { run: saveVideo, output: true },
};
