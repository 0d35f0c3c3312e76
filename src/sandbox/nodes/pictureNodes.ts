import { plainPicture } from '../drawing/picture';
import { loadImage, loadMask, loadSound, uploadedFile } from './inputFiles';
import { NodeFailure } from './nodeFailure';
import type { NodeBehaviour, NodeContext, NodeResult, SandboxValue } from './sandboxNode';
import { hashOf, Images, imagesIn, type Inputs, inputsHash, numberIn, Token, tokenIn } from './nodeValues';
import {
  previewImages,
  previewSound,
  saveAnimatedPng,
  saveAnimatedWebp,
  saveImages,
  saveLatent,
  saveSound,
  saveVideo,
} from './savers';
import { sizeInText } from './standIn';

/** All pictures of a batch take the size of the first. */
function joined(batches: readonly Images[]): NodeResult {
  const pictures = batches.flatMap((batch) => batch.pictures);
  const { width = 1, height = 1 } = pictures[0] ?? {};
  const fitted = pictures.map((picture) =>
    picture.width === width && picture.height === height
      ? picture
      : { width, height, hash: hashOf(picture.hash) },
  );
  return { outputs: [Images.of(fitted)] };
}

function emptyImage(inputs: Inputs): NodeResult {
  const [width, height] = [numberIn(inputs, 'width'), numberIn(inputs, 'height')];
  const color = numberIn(inputs, 'color');
  const { pictures } = Images.drawn({ width, height }, numberIn(inputs, 'batch_size'), color);
  const pixels = plainPicture(width, height, [(color >> 16) & 255, (color >> 8) & 255, color & 255]);
  return { outputs: [Images.of(pictures.map((picture) => ({ ...picture, pixels })))] };
}

/** Takes and returns lists: regroups all pictures into batches of another size. */
function rebatchImages(inputs: Inputs): NodeResult {
  const batches = inputs['images'] as readonly SandboxValue[];
  const [size = 1] = inputs['batch_size'] as readonly number[];
  const pictures = batches.flatMap((images) => imagesIn({ images }, 'images').pictures);
  const starts = Array.from({ length: Math.ceil(pictures.length / size) }, (_, index) => index * size);
  return { outputs: [starts.map((start) => Images.of(pictures.slice(start, start + size)))] };
}

/** The same latent with as many pictures as the change says. */
function rebatchLatent(change: (inputs: Inputs, batch: number) => number): NodeBehaviour {
  return {
    run: (inputs) => {
      const { facts } = tokenIn(inputs, 'samples', 'LATENT');
      const batch = change(inputs, facts.batch ?? 1);
      return { outputs: [new Token('LATENT', inputsHash(inputs), { ...facts, batch })] };
    },
  };
}

/** An uploaded mask as it is, any other one as a drawing. */
function maskPicture(inputs: Inputs): Images {
  const { hash, facts } = tokenIn(inputs, 'mask', 'MASK');
  const { width = 64, height = 64, batch = 1, pixels } = facts;
  return pixels === undefined
    ? Images.drawn({ width, height }, batch, hash)
    : Images.of([{ width, height, hash, pixels }]);
}

const partnerSteps = 4;
const creditsPerPicture = 6;

/** Answers for a partner service if there is a key; without one, fails in the real server's words. */
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

/** The node types of pictures, masks, sound and videos that no stand-in covers. */
export const pictureNodes: Readonly<Record<string, NodeBehaviour>> = {
  SaveImage: { run: saveImages, ...savesPng },
  PreviewImage: { run: previewImages, ...savesPng },
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
      ...previewImages({ images: maskPicture(inputs) }, context),
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
  SaveAudio: { run: saveSound, output: true },
  PreviewAudio: { run: previewSound, output: true },
  VideoTrim: {
    specs: { trim: ['VIDEO_EDIT', { default: wholeVideo, socketless: true, features: ['trim'] }] },
  },
  SaveVideo: { run: saveVideo, output: true },
};
