import { sandboxStr } from './pythonText';
import type { NodeDefinitionJson, NodeResult, SandboxValue } from './sandboxNode';
import {
  hashValues,
  Images,
  type Inputs,
  inputsHash,
  isOfType,
  numberIn,
  type PictureSides,
  Token,
} from './nodeValues';

const mostFrames = 8;

/**
 * Stands in for work that is invisible without a model: types and sizes are right, and results differ with any input.
 */
export function standIn(definition: NodeDefinitionJson, inputs: Inputs): NodeResult {
  const { required, optional = {} } = definition.input;
  const names = new Set([...Object.keys(required), ...Object.keys(optional), ...Object.keys(inputs)]);
  const sources = [...names].map((name) => inputs[name]);
  const hash = hashValues(definition.name, inputsHash(inputs));
  const size = resultSize(definition.name, inputs, sources);
  return {
    outputs: definition.output.map((type, slot) => {
      const name = definition.output_name[slot] ?? '';
      const source = [inputs[name], ...sources].find((value) => isPlain(value, type));
      return source ?? madeUp(type, hashValues(hash, slot), inputs, sources, size);
    }),
  };
}

function isPlain(value: SandboxValue, type: string): boolean {
  if (type === '*') return value !== undefined;
  if (type === 'INT' || type === 'FLOAT') return typeof value === 'number' || typeof value === 'bigint';
  return typeof value === type.toLowerCase();
}

function madeUp(
  type: string,
  hash: number,
  inputs: Inputs,
  sources: readonly SandboxValue[],
  { width, height, batch }: BatchSize,
): SandboxValue {
  switch (type) {
    case 'IMAGE':
      return Images.drawn({ width, height }, batch, hash);
    case 'MASK':
    case 'VIDEO':
      return new Token(type, hash, { width, height, batch });
    case 'LATENT': {
      // A latent has an eighth of a picture's size, and the remainder is cut off.
      const [across, down] = [width, height].map((side) => Math.max(8, side - (side % 8)));
      return new Token(type, hash, { width: across ?? 8, height: down ?? 8, batch });
    }
    case 'INT':
    case 'FLOAT':
      return 0;
    case 'STRING':
      return '';
    case 'BOOLEAN':
      return false;
    default: {
      const source = sources.find((value) => isOfType(value, type));
      return new Token(type, hash, source instanceof Token ? source.facts : tokenFacts(type, inputs));
    }
  }
}

function tokenFacts(type: string, inputs: Inputs): Token['facts'] {
  if (type === 'SIGMAS') {
    const listed = sandboxStr(inputs['sigmas']).match(/\d+(?:\.\d+)?/g)?.length ?? 1;
    return { steps: Number(inputs['steps'] ?? listed - 1) };
  }
  if (type !== 'UPSCALE_MODEL') return {};
  // Most names contain the factor: 4x-UltraSharp, RealESRGAN_x2.
  const [, before, after] = /(\d)x|x(\d)/i.exec(sandboxStr(inputs['model_name'])) ?? [];
  return { scale: Number(before ?? after ?? 4) || 4 };
}

interface BatchSize extends PictureSides {
  readonly batch: number;
}

function resultSize(classType: string, inputs: Inputs, sources: readonly SandboxValue[]): BatchSize {
  const { batch, ...own } = sources.map(sizeOf).find((size) => size !== undefined) ?? sizeInText(inputs);
  const [width, height] = (sizeRules[classType] ?? wantedSize)(inputs, own);
  const length = inputs['length'] ?? inputs['video_frames'];
  if (length === undefined && inputs['batch_size'] === undefined) return { width, height, batch };
  const frames = Math.min(mostFrames, Math.max(1, Math.ceil(Number(length ?? 1) / 4)));
  return { width, height, batch: frames * Math.max(1, Number(inputs['batch_size'] ?? 1)) };
}

function sizeOf(value: SandboxValue): BatchSize | undefined {
  if (value instanceof Images) {
    const { width, height } = value.first;
    return { width, height, batch: value.pictures.length };
  }
  const { width, height, batch = 1 } = value instanceof Token ? value.facts : {};
  return width === undefined || height === undefined ? undefined : { width, height, batch };
}

/** `1024x768`, `1024:768`, or a ratio such as `16:9` at about a megapixel. */
export function sizeInText(inputs: Inputs): BatchSize {
  for (const name of ['size', 'resolution', 'ratio', 'aspect_ratio']) {
    const [, across, down] = (/^(\d+)[x:](\d+)$/.exec(String(inputs[name])) ?? []).map(Number);
    if (across === undefined || down === undefined) continue;
    if (across >= 64) return { width: across, height: down, batch: 1 };
    const [width, height] = ofPixels({ width: across, height: down }, 1, 8);
    return { width, height, batch: 1 };
  }
  return { width: 1024, height: 1024, batch: 1 };
}

type Size = (inputs: Inputs, own: PictureSides) => readonly [width: number, height: number];

function times({ width, height }: PictureSides, factor: number, step = 1): readonly [number, number] {
  const side = (length: number): number => Math.max(step, Math.round((length * factor) / step) * step);
  return [side(width), side(height)];
}

function scaledBy(name: string, step = 1): Size {
  return (inputs, own) => times(own, numberIn(inputs, name), step);
}

function toLongerEdge(name: string): Size {
  return (inputs, own) => times(own, numberIn(inputs, name) / Math.max(own.width, own.height));
}

function ofPixels(own: PictureSides, megapixels: number, step: number): readonly [number, number] {
  return times(own, Math.sqrt((megapixels * 1024 * 1024) / (own.width * own.height)), step);
}

/** A side of 0 follows from the other one. */
const wantedSize: Size = ({ width, height }, own) => {
  if (typeof width !== 'number' || typeof height !== 'number' || width + height === 0)
    return [own.width, own.height];
  if (width === 0) return [times(own, height / own.height)[0], height];
  return [width, height === 0 ? times(own, width / own.width)[1] : height];
};

const besideOrBelow: Size = (inputs, own) => {
  const other = sizeOf(inputs['image2']);
  if (other === undefined) return [own.width, own.height];
  const gap = numberIn(inputs, 'spacing_width');
  return inputs['direction'] === 'right' || inputs['direction'] === 'left'
    ? [own.width + gap + other.width, Math.max(own.height, other.height)]
    : [Math.max(own.width, other.width), own.height + gap + other.height];
};

const sizeRules: Readonly<Record<string, Size>> = {
  LatentUpscaleBy: scaledBy('scale_by', 8),
  'LatentUpscaleFactor _O': (inputs, own) => [
    scaledBy('WidthFactor', 8)(inputs, own)[0],
    scaledBy('HeightFactor', 8)(inputs, own)[1],
  ],
  ImageScaleBy: scaledBy('scale_by'),
  ImageScaleToTotalPixels: (inputs, own) =>
    ofPixels(own, numberIn(inputs, 'megapixels'), Number(inputs['resolution_steps'] ?? 1)),
  ImageScaleToMaxDimension: toLongerEdge('largest_size'),
  ResizeImagesByLongerEdge: toLongerEdge('longer_edge'),
  FluxKontextImageScale: (_, own) => ofPixels(own, 1, 16),
  ResizeAndPadImage: (inputs) => [numberIn(inputs, 'target_width'), numberIn(inputs, 'target_height')],
  ImageCrop: (inputs, { width, height }) => [
    Math.max(1, Math.min(numberIn(inputs, 'width'), width - numberIn(inputs, 'x'))),
    Math.max(1, Math.min(numberIn(inputs, 'height'), height - numberIn(inputs, 'y'))),
  ],
  ImageStitch: besideOrBelow,
  ImagePadForOutpaint: (inputs, { width, height }) => [
    width + numberIn(inputs, 'left') + numberIn(inputs, 'right'),
    height + numberIn(inputs, 'top') + numberIn(inputs, 'bottom'),
  ],
  ImageUpscaleWithModel: (inputs, own) => {
    const { upscale_model: model } = inputs;
    return times(own, (model instanceof Token ? model.facts.scale : undefined) ?? 4);
  },
};
