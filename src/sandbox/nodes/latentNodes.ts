import { plainPicture } from '../drawing/picture';
import { cropped, scaled } from '../drawing/scaling';
import type { NodeBehaviour, NodeResult } from './sandboxNode';
import {
  hashOf,
  Images,
  imagesIn,
  type Inputs,
  Latent,
  latentIn,
  masksIn,
  numberIn,
  Token,
  tokenIn,
} from './nodeValues';
import { saveLatent } from './savers';
import { by, type Size, wantedSize } from './sizes';

/** What a VAE decodes from a latent that was never sampled. */
const emptyLatentColor = [128, 116, 104] as const;

function picturesOf({ content, size: { width, height, batch } }: Latent): Images {
  return (
    content.images ??
    Images.of(Array.from({ length: batch }, () => plainPicture(width, height, emptyLatentColor)))
  );
}

function decode(inputs: Inputs): NodeResult {
  tokenIn(inputs, 'vae');
  return { outputs: [picturesOf(latentIn(inputs, 'samples'))] };
}

/** Latents have an eighth of a picture's size: the remainder is cut off. */
function wholeBlocks(images: Images): Images {
  return images.map((picture) => {
    const [width, height] = [picture.width, picture.height].map((side) => Math.max(8, side - (side % 8)));
    const [left, top] = [(picture.width % 8) >> 1, (picture.height % 8) >> 1];
    return cropped(picture, left, top, width ?? 8, height ?? 8);
  });
}

function encode(inputs: Inputs): NodeResult {
  tokenIn(inputs, 'vae');
  const mask = inputs['mask'] === undefined ? undefined : masksIn(inputs, 'mask');
  return { outputs: [Latent.encoded(wholeBlocks(imagesIn(inputs, 'pixels')), mask)] };
}

/** Conditioning with a picture: the sampler then works on that picture, inside the mask if there is one. */
function conditionInpaint(inputs: Inputs): NodeResult {
  const { outputs } = encode(inputs);
  const known = ['positive', 'negative'].map((name) => {
    const conditioning = tokenIn(inputs, name);
    const hash = hashOf(conditioning, inputs['pixels'], inputs['mask']);
    return new Token('CONDITIONING', hash, conditioning.facts);
  });
  return { outputs: [...known, ...outputs] };
}

/** Resizes the latent, and its pictures if it has any. */
function resizing(size: Size): NodeBehaviour {
  return {
    run: (inputs) => {
      const latent = latentIn(inputs, 'samples');
      const [width, height] = size(inputs, latent.size);
      const { images, ...content } = latent.content;
      const resized = images?.map((picture) => scaled(picture, width, height));
      return {
        outputs: [new Latent({ ...latent.size, width, height }, { ...content, images: resized })],
      };
    },
  };
}

function batchOf(latent: Latent, images: Images): NodeResult {
  const size = { ...latent.size, batch: images.pictures.length };
  return { outputs: [new Latent(size, { ...latent.content, images })] };
}

function repeat(inputs: Inputs): NodeResult {
  const latent = latentIn(inputs, 'samples');
  const amount = numberIn(inputs, 'amount');
  const { images } = latent.content;
  if (images !== undefined) return batchOf(latent, images.repeated(amount));
  return { outputs: [new Latent({ ...latent.size, batch: latent.size.batch * amount }, latent.content)] };
}

/** Latents: encoded, decoded, resized and batched; empty ones are stand-ins. */
export const latentNodes: Readonly<Record<string, NodeBehaviour>> = {
  EmptyLatentImage: { pythonFunction: 'EmptyLatentImage.generate' },
  SaveLatent: { run: saveLatent, output: true },
  VAEDecode: { run: decode, pythonFunction: 'VAEDecode.decode' },
  VAEDecodeTiled: { run: decode },
  VAEEncode: { run: encode, pythonFunction: 'VAEEncode.encode' },
  VAEEncodeTiled: { run: encode },
  VAEEncodeForInpaint: { run: encode },
  InpaintModelConditioning: { run: conditionInpaint },
  InstructPixToPixConditioning: { run: conditionInpaint },
  SetLatentNoiseMask: {
    run: (inputs) => {
      const { size, content } = latentIn(inputs, 'samples');
      return { outputs: [new Latent(size, { ...content, mask: masksIn(inputs, 'mask') })] };
    },
  },
  LatentUpscale: resizing(wantedSize),
  LatentCrop: resizing(wantedSize),
  LatentUpscaleBy: resizing(by('scale_by', 8)),
  'LatentUpscaleFactor _O': resizing((inputs, own) => [
    by('WidthFactor', 8)(inputs, own)[0],
    by('HeightFactor', 8)(inputs, own)[1],
  ]),
  RepeatLatentBatch: { run: repeat },
  LatentFromBatch: {
    run: (inputs) => {
      const latent = latentIn(inputs, 'samples');
      const part = picturesOf(latent).part(numberIn(inputs, 'batch_index'), numberIn(inputs, 'length'));
      return batchOf(latent, part);
    },
  },
};
