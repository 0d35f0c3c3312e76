import { imagesIn, type Inputs, numberIn, tokenIn } from './nodeValues';

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** The size of a node's result. */
export type Size = (inputs: Inputs, own: Sides) => readonly [width: number, height: number];

function times({ width, height }: Sides, factor: number, step = 1): readonly [number, number] {
  const side = (length: number): number => Math.max(step, Math.round((length * factor) / step) * step);
  return [side(width), side(height)];
}

/** Scaled by the factor in an input; sides are multiples of the step. */
export function by(name: string, step = 1): Size {
  return (inputs, own) => times(own, numberIn(inputs, name), step);
}

export function toLongerEdge(name: string): Size {
  return (inputs, own) => times(own, numberIn(inputs, name) / Math.max(own.width, own.height));
}

export function ofPixels(own: Sides, megapixels: number, step: number): readonly [number, number] {
  return times(own, Math.sqrt((megapixels * 1024 * 1024) / (own.width * own.height)), step);
}

/** From `width` and `height`; a size of 0 follows from the other one. */
export const wantedSize: Size = (inputs, own) => {
  const [width, height] = [numberIn(inputs, 'width'), numberIn(inputs, 'height')];
  if (width === 0 && height === 0) return [own.width, own.height];
  if (width === 0) return [times(own, height / own.height)[0], height];
  return [width, height === 0 ? times(own, width / own.width)[1] : height];
};

export const upscaled: Size = (inputs, own) => times(own, tokenIn(inputs, 'upscale_model').facts.scale ?? 4);

export const besideOrBelow: Size = (inputs, own) => {
  if (inputs['image2'] === undefined) return [own.width, own.height];
  const other = imagesIn(inputs, 'image2').first;
  const gap = numberIn(inputs, 'spacing_width');
  return inputs['direction'] === 'right' || inputs['direction'] === 'left'
    ? [own.width + gap + other.width, Math.max(own.height, other.height)]
    : [Math.max(own.width, other.width), own.height + gap + other.height];
};
