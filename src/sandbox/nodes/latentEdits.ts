import { blendedPictures, laidOver } from '../drawing/blending';
import { plainPicture } from '../drawing/picture';
import type { Picture } from '../drawing/picture';
import { scaledPlane } from '../drawing/planes';
import { covering, cropped, scaled } from '../drawing/scaling';
import { mirrored, turned } from '../drawing/turning';
import { grown } from './maskEdits';
import { scalingMethod, wantedSize } from './pictureScaling';
import type { NodeContext, NodeResult, SandboxValue } from './sandboxNode';
import { numbered, savePlace } from './savers';
import {
  hashOf,
  Images,
  imagesIn,
  Latent,
  latentIn,
  Masks,
  masksIn,
  numberIn,
  Token,
  tokenIn,
} from './nodeValues';
import type { Inputs } from './nodeValues';

/** What a VAE makes of a latent that nothing was sampled into. */
const emptyLatentColor = [128, 116, 104] as const;

function picturesOf(latent: Latent): Images {
  const { width, height, batch } = latent.size;
  return (
    latent.content.images ??
    Images.of(Array.from({ length: batch }, () => plainPicture(width, height, emptyLatentColor)))
  );
}

export function decodeLatent(inputs: Inputs): NodeResult {
  tokenIn(inputs, 'vae');
  return { outputs: [picturesOf(latentIn(inputs, 'samples'))] };
}

/** Latents have an eighth of a picture's size: what is left over is cut off. */
function wholeBlocks(images: Images): Images {
  return images.map((picture) => {
    const width = Math.max(8, picture.width - (picture.width % 8));
    const height = Math.max(8, picture.height - (picture.height % 8));
    return cropped(picture, (picture.width % 8) >> 1, (picture.height % 8) >> 1, width, height);
  });
}

export function encodePixels(inputs: Inputs): NodeResult {
  tokenIn(inputs, 'vae');
  return { outputs: [Latent.encoded(wholeBlocks(imagesIn(inputs, 'pixels')))] };
}

export function encodeForInpaint(inputs: Inputs): NodeResult {
  const masks = masksIn(inputs, 'mask');
  const grow = numberIn(inputs, 'grow_mask_by');
  const images = wholeBlocks(imagesIn(inputs, 'pixels'));
  const planes = masks.planes.map((plane) =>
    grown(scaledPlane(plane, images.first.width, images.first.height), grow),
  );
  return { outputs: [Latent.encoded(images, Masks.of(planes))] };
}

/** The latent with each picture changed, or, while it is empty, only its size. */
function changed(latent: Latent, change: (picture: Picture, index: number) => Picture): Latent {
  const { images, ...content } = latent.content;
  const { width, height, batch } = latent.size;
  if (images !== undefined) {
    const result = images.map(change);
    return new Latent(
      { width: result.first.width, height: result.first.height, batch },
      { ...content, images: result },
    );
  }
  // Only the size of the result counts: a picture of that size, however small its content.
  const probe = change(plainPicture(width, height, [0, 0, 0]), 0);
  return new Latent({ width: probe.width, height: probe.height, batch }, content);
}

export function resizeLatent(inputs: Inputs): NodeResult {
  const latent = latentIn(inputs, 'samples');
  const [width, height] = wantedSize(inputs, latent.size);
  const fit = inputs['crop'] === 'center' ? covering : scaled;
  return { outputs: [changed(latent, (picture) => fit(picture, width, height, scalingMethod(inputs)))] };
}

export function resizeLatentBy(inputs: Inputs): NodeResult {
  const factor = numberIn(inputs, 'scale_by');
  const size = (side: number): number => Math.max(8, Math.round((side * factor) / 8) * 8);
  const resize = (picture: Picture): Picture =>
    scaled(picture, size(picture.width), size(picture.height), scalingMethod(inputs));
  return { outputs: [changed(latentIn(inputs, 'samples'), resize)] };
}

function batchOf(latent: Latent, pictures: readonly Picture[]): Latent {
  return new Latent(
    { ...latent.size, batch: pictures.length },
    { ...latent.content, images: Images.of(pictures) },
  );
}

export function latentFromBatch(inputs: Inputs): NodeResult {
  const latent = latentIn(inputs, 'samples');
  const { pictures } = picturesOf(latent);
  const wanted = numberIn(inputs, 'batch_index');
  const start = Math.min(pictures.length - 1, Math.max(0, wanted < 0 ? pictures.length + wanted : wanted));
  return { outputs: [batchOf(latent, pictures.slice(start, start + numberIn(inputs, 'length')))] };
}

export function repeatLatent(inputs: Inputs): NodeResult {
  const latent = latentIn(inputs, 'samples');
  const amount = numberIn(inputs, 'amount');
  if (latent.content.images === undefined) {
    return { outputs: [new Latent({ ...latent.size, batch: latent.size.batch * amount }, latent.content)] };
  }
  const { pictures } = latent.content.images;
  return { outputs: [batchOf(latent, Array.from({ length: amount }, () => pictures).flat())] };
}

export function batchLatents(inputs: Inputs): NodeResult {
  const first = latentIn(inputs, 'samples1');
  const { width, height } = first.size;
  const second = picturesOf(latentIn(inputs, 'samples2')).map((picture) => scaled(picture, width, height));
  return { outputs: [batchOf(first, [...picturesOf(first).pictures, ...second.pictures])] };
}

/** Takes and gives lists. */
export function rebatchLatents(inputs: Inputs): NodeResult {
  const latents = inputs['latents'] as readonly SandboxValue[];
  const [size = 1] = inputs['batch_size'] as readonly number[];
  const pictures = latents.flatMap((latent) => picturesOf(latentIn({ latent }, 'latent')).pictures);
  const list: Latent[] = [];
  for (let at = 0; at < pictures.length; at += size)
    list.push(Latent.encoded(Images.of(pictures.slice(at, at + size))));
  return { outputs: [list] };
}

export function maskLatent(inputs: Inputs): NodeResult {
  const latent = latentIn(inputs, 'samples');
  return { outputs: [new Latent(latent.size, { ...latent.content, mask: masksIn(inputs, 'mask') })] };
}

export function compositeLatent(inputs: Inputs): NodeResult {
  return composite(inputs, latentIn(inputs, 'samples_to'), latentIn(inputs, 'samples_from'));
}

export function compositeLatentMasked(inputs: Inputs): NodeResult {
  return composite(inputs, latentIn(inputs, 'destination'), latentIn(inputs, 'source'));
}

function composite(inputs: Inputs, under: Latent, over: Latent): NodeResult {
  const mask = inputs['mask'] === undefined ? undefined : masksIn(inputs, 'mask').first;
  const upper = picturesOf(over);
  const base = new Latent(under.size, { ...under.content, images: picturesOf(under) });
  return {
    outputs: [
      changed(base, (picture, index) => {
        const chosen = upper.pictures[index % upper.pictures.length] ?? upper.first;
        const fitted =
          inputs['resize_source'] === true ? scaled(chosen, picture.width, picture.height) : chosen;
        const inside = mask && scaledPlane(mask, fitted.width, fitted.height);
        return laidOver(picture, fitted, numberIn(inputs, 'x'), numberIn(inputs, 'y'), inside);
      }),
    ],
  };
}

export function blendLatents(inputs: Inputs): NodeResult {
  // The factor of both classes is the share of the first.
  const share = 1 - numberIn(inputs, inputs['ratio'] === undefined ? 'blend_factor' : 'ratio');
  const first = latentIn(inputs, 'samples1');
  const second = picturesOf(latentIn(inputs, 'samples2'));
  const base = new Latent(first.size, { ...first.content, images: picturesOf(first) });
  return {
    outputs: [
      changed(base, (picture, index) =>
        blendedPictures(picture, second.pictures[index % second.pictures.length] ?? second.first, share),
      ),
    ],
  };
}

export function rotateLatent(inputs: Inputs): NodeResult {
  return {
    outputs: [changed(latentIn(inputs, 'samples'), (picture) => turned(picture, String(inputs['rotation'])))],
  };
}

export function flipLatent(inputs: Inputs): NodeResult {
  const method = String(inputs['flip_method']);
  return { outputs: [changed(latentIn(inputs, 'samples'), (picture) => mirrored(picture, method))] };
}

export function cropLatent(inputs: Inputs): NodeResult {
  const [x, y] = [numberIn(inputs, 'x'), numberIn(inputs, 'y')];
  const [width, height] = [numberIn(inputs, 'width'), numberIn(inputs, 'height')];
  return {
    outputs: [changed(latentIn(inputs, 'samples'), (picture) => cropped(picture, x, y, width, height))],
  };
}

/** A safetensors file without tensors: what the sandbox has instead of a latent cannot be read by others. */
export function saveLatent(inputs: Inputs, context: NodeContext): NodeResult {
  const latent = latentIn(inputs, 'samples');
  const place = savePlace(String(inputs['filename_prefix']), 'output', context.files, latent.size);
  const filename = `${place.name}_${numbered(place.counter)}_.latent`;
  const header = new TextEncoder().encode(JSON.stringify({ __metadata__: { prompt: context.promptText } }));
  const bytes = new Uint8Array(8 + header.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
  bytes.set(header, 8);
  const file = { filename, subfolder: place.subfolder, type: 'output' as const };
  context.files.write(file, bytes);
  return { outputs: [latent], ui: { latents: [file] } };
}

export function emptyCascade(inputs: Inputs): NodeResult {
  const size = {
    width: numberIn(inputs, 'width'),
    height: numberIn(inputs, 'height'),
    batch: numberIn(inputs, 'batch_size'),
  };
  return { outputs: [new Latent(size), new Latent(size)] };
}

export function encodeCascade(inputs: Inputs): NodeResult {
  const latent = Latent.encoded(wholeBlocks(imagesIn(inputs, 'image')));
  return { outputs: [latent, new Latent(latent.size)] };
}

/** Conditioning that knows a picture: the sampler then works on that picture, inside the mask if there is one. */
export function conditionInpaint(inputs: Inputs): NodeResult {
  const images = wholeBlocks(imagesIn(inputs, 'pixels'));
  const mask = inputs['mask'] === undefined ? undefined : masksIn(inputs, 'mask');
  const known = (name: string): Token => {
    const conditioning = tokenIn(inputs, name);
    return new Token('CONDITIONING', hashOf(conditioning, images, mask), conditioning.facts);
  };
  return { outputs: [known('positive'), known('negative'), Latent.encoded(images, mask)] };
}
