import { laidOver } from '../drawing/blending';
import { plainPicture } from '../drawing/picture';
import type { Color, Picture } from '../drawing/picture';
import { covering, scaled } from '../drawing/scaling';
import type { ScalingMethod } from '../drawing/scaling';
import { edited } from './pictureEdits';
import type { NodeContext, NodeResult } from './sandboxNode';
import { checkMemory, hashOf, imagesIn, numberIn, Token, tokenIn } from './nodeValues';
import type { Inputs } from './nodeValues';

export function scalingMethod(inputs: Inputs): ScalingMethod {
  const method = inputs['upscale_method'] ?? inputs['interpolation'];
  return method === 'nearest-exact' ? 'nearest' : 'smooth';
}

function resized(
  inputs: Inputs,
  size: (picture: Picture) => readonly [number, number],
  name = 'image',
): NodeResult {
  const images = imagesIn(inputs, name);
  const [width, height] = size(images.first).map((side) => Math.max(1, Math.round(side))) as [number, number];
  checkMemory(width, height, images.pictures.length);
  return { outputs: [images.map((picture) => scaled(picture, width, height, scalingMethod(inputs)))] };
}

/** A size of 0 follows from the other one. */
export function wantedSize(
  inputs: Inputs,
  own: { width: number; height: number },
): readonly [number, number] {
  const width = numberIn(inputs, 'width');
  const height = numberIn(inputs, 'height');
  if (width === 0 && height === 0) return [own.width, own.height];
  if (width === 0) return [Math.max(1, Math.round((own.width * height) / own.height)), height];
  if (height === 0) return [width, Math.max(1, Math.round((own.height * width) / own.width))];
  return [width, height];
}

export function scaleImage(inputs: Inputs): NodeResult {
  const images = imagesIn(inputs, 'image');
  const [width, height] = wantedSize(inputs, images.first);
  checkMemory(width, height, images.pictures.length);
  const fit = inputs['crop'] === 'center' ? covering : scaled;
  return { outputs: [images.map((picture) => fit(picture, width, height, scalingMethod(inputs)))] };
}

export function scaleImageBy(inputs: Inputs): NodeResult {
  const factor = numberIn(inputs, 'scale_by');
  return resized(inputs, ({ width, height }) => [width * factor, height * factor]);
}

export function scaleToPixels(inputs: Inputs): NodeResult {
  const pixels = numberIn(inputs, 'megapixels') * 1024 * 1024;
  const step = inputs['resolution_steps'] === undefined ? 1 : numberIn(inputs, 'resolution_steps');
  return resized(inputs, ({ width, height }) => {
    const factor = Math.sqrt(pixels / (width * height));
    return [Math.round((width * factor) / step) * step, Math.round((height * factor) / step) * step];
  });
}

export function scaleToSide(inputs: Inputs): NodeResult {
  const side = numberIn(inputs, 'largest_size');
  return resized(inputs, ({ width, height }) => {
    const factor = side / Math.max(width, height);
    return [width * factor, height * factor];
  });
}

export function scaleToLongerEdge(inputs: Inputs): NodeResult {
  return resized(
    inputs,
    ({ width, height }) => {
      const factor = numberIn(inputs, 'longer_edge') / Math.max(width, height);
      return [width * factor, height * factor];
    },
    'images',
  );
}

/** The factor is in the name of most upscale models: 4x-UltraSharp, RealESRGAN_x2. */
export function loadUpscaler(inputs: Inputs): NodeResult {
  const [, before, after] = /(\d)x|x(\d)/i.exec(String(inputs['model_name'])) ?? [];
  const scale = Number(before ?? after ?? 4) || 4;
  return { outputs: [new Token('UPSCALE_MODEL', hashOf(inputs['model_name']), { scale })] };
}

export async function upscaleImage(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const { scale = 4 } = tokenIn(inputs, 'upscale_model').facts;
  await context.steps(1, 1);
  return resized(inputs, ({ width, height }) => [width * scale, height * scale]);
}

export function resizeAndPad(inputs: Inputs): NodeResult {
  const width = numberIn(inputs, 'target_width');
  const height = numberIn(inputs, 'target_height');
  const color: Color = inputs['padding_color'] === 'white' ? [255, 255, 255] : [0, 0, 0];
  return edited(inputs, (picture) => {
    const factor = Math.min(width / picture.width, height / picture.height);
    const columns = Math.max(1, Math.round(picture.width * factor));
    const rows = Math.max(1, Math.round(picture.height * factor));
    const inner = scaled(picture, columns, rows, scalingMethod(inputs));
    return laidOver(
      plainPicture(width, height, color),
      inner,
      Math.floor((width - columns) / 2),
      Math.floor((height - rows) / 2),
    );
  });
}

/** About a megapixel in whole blocks, as the model that needs it wants. */
export function scaleForKontext(inputs: Inputs): NodeResult {
  return resized(inputs, ({ width, height }) => {
    const factor = Math.sqrt((1024 * 1024) / (width * height));
    return [Math.round((width * factor) / 16) * 16, Math.round((height * factor) / 16) * 16];
  });
}
