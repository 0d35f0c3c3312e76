import { pythonStr } from './pythonText';
import { drawScene } from '../drawing/scene';
import type { NodeDefinitionJson, NodeResult, SandboxValue } from './sandboxNode';
import { hashOf, Images, type Inputs, Latent, Masks, seedIn, Sound, Token } from './nodeValues';

/** Videos have at most this many frames, whatever their length. */
const mostFrames = 8;

/**
 * Runs a node type whose work is invisible without a model: it passes on its inputs, marked with its own settings so
 * that pictures change with them, and makes up missing values.
 */
export function standIn(definition: NodeDefinitionJson, inputs: Inputs): NodeResult {
  const { required, optional = {} } = definition.input;
  const names = [...Object.keys(required), ...Object.keys(optional)].filter(
    (name) => inputs[name] !== undefined,
  );
  const hash = hashOf(definition.name, ...names.map((name) => inputs[name]));
  return {
    outputs: definition.output.map((type, slot) => {
      const name = definition.output_name[slot] ?? '';
      const sources = [name, ...names].map((source) => inputs[source]);
      const source = sources.find((value) => isOf(value, type));
      if (source instanceof Token)
        return new Token(type, hashOf(hash, source), { ...source.facts, ...textOf(inputs) });
      return source ?? madeUp(type, hash + slot, inputs, sources);
    }),
  };
}

function isOf(value: SandboxValue, type: string): boolean {
  switch (type) {
    case 'IMAGE':
      return value instanceof Images;
    case 'MASK':
      return value instanceof Masks;
    case 'LATENT':
      return value instanceof Latent;
    case 'AUDIO':
      return value instanceof Sound;
    case 'INT':
    case 'FLOAT':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'STRING':
      return typeof value === 'string';
    case 'BOOLEAN':
      return typeof value === 'boolean';
    case '*':
      return value !== undefined;
    default:
      return value instanceof Token && value.type === type;
  }
}

function madeUp(type: string, hash: number, inputs: Inputs, sources: readonly SandboxValue[]): SandboxValue {
  const { width, height } = sizeOf(inputs, sources);
  switch (type) {
    case 'IMAGE': {
      const { text = '' } = textOf(inputs);
      return Images.of([drawScene({ width, height, prompt: text, seed: hash, look: 0, steps: 30, cfg: 7 })]);
    }
    case 'MASK':
      return Masks.plain(width, height, 255);
    case 'LATENT':
      return new Latent({ width, height, batch: framesOf(inputs) * batchOf(inputs) });
    case 'AUDIO':
      return new Sound(1, hash);
    case 'INT':
    case 'FLOAT':
      return 0;
    case 'STRING':
      return '';
    case 'BOOLEAN':
      return false;
    default:
      return new Token(type, hash, factsOf(type, inputs, sources));
  }
}

/** What samplers and upscalers need to know about a token. */
function factsOf(type: string, inputs: Inputs, sources: readonly SandboxValue[]): Token['facts'] {
  switch (type) {
    case 'SIGMAS': {
      const listed = pythonStr(inputs['sigmas']).match(/\d+(?:\.\d+)?/g)?.length ?? 1;
      return { steps: Number(inputs['steps'] ?? listed - 1), denoise: Number(inputs['denoise'] ?? 1) };
    }
    case 'NOISE':
      return inputs['noise_seed'] === undefined ? {} : { seed: seedIn(inputs, 'noise_seed') };
    case 'GUIDER': {
      const followed = sources.find((value) => value instanceof Token && value.type === 'CONDITIONING');
      const { text = '' } = followed instanceof Token ? followed.facts : {};
      return { text, cfg: Number(inputs['cfg'] ?? inputs['cfg_conds'] ?? 3.5) };
    }
    case 'UPSCALE_MODEL': {
      // Most names contain the factor: 4x-UltraSharp, RealESRGAN_x2.
      const [, before, after] = /(\d)x|x(\d)/i.exec(pythonStr(inputs['model_name'])) ?? [];
      return { scale: Number(before ?? after ?? 4) || 4 };
    }
    default:
      return textOf(inputs);
  }
}

/** The text inputs, which determine conditioning and pictures. */
function textOf(inputs: Inputs): { readonly text?: string } {
  const names = Object.keys(inputs).filter((name) =>
    /text|prompt|clip_[lg]|t5xxl|llama|tags|bert|mt5xl/.test(name),
  );
  const words = names
    .filter((name) => !name.startsWith('negative'))
    .map((name) => inputs[name])
    .filter((value) => typeof value === 'string' && value !== '');
  return words.length > 0 ? { text: words.join(' ') } : {};
}

function sizeOf(
  inputs: Inputs,
  sources: readonly SandboxValue[],
): { readonly width: number; readonly height: number } {
  const { width, height } = inputs;
  if (typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0)
    return { width, height };
  const image = sources.find((value) => value instanceof Images);
  if (image !== undefined) return { width: image.first.width, height: image.first.height };
  const size = /^(\d{2,4})x(\d{2,4})$/.exec(pythonStr(inputs['size'] ?? inputs['resolution']));
  return { width: Number(size?.[1] ?? 1024), height: Number(size?.[2] ?? 1024) };
}

function framesOf(inputs: Inputs): number {
  const length = inputs['length'] ?? inputs['video_frames'] ?? 1;
  return Math.min(mostFrames, Math.max(1, Math.ceil(Number(length) / 4)));
}

function batchOf(inputs: Inputs): number {
  return Math.max(1, Number(inputs['batch_size'] ?? 1));
}
