import { drawPicture, type Picture } from '../drawing/picture';
import { hashText } from '../drawing/random';
import { NodeFailure, outOfMemory, sandboxRepr, sandboxTypeName } from './pythonText';
import type { SandboxValue } from './sandboxNode';
import { t } from '../../core/safety/localize';

export type Inputs = Readonly<Record<string, SandboxValue>>;

/** A batch with more pixels fails as on a real machine: out of memory. */
const largestBatch = 160_000_000;

export interface PictureSides {
  readonly width: number;
  readonly height: number;
}

export interface BatchPicture extends PictureSides {
  readonly hash: number;
  /** The pixels of uploaded or plain pictures; others are drawn. */
  readonly pixels?: () => Picture;
}

export function drawBatchPicture({ width, height, hash, pixels }: BatchPicture): Picture {
  return pixels?.() ?? drawPicture(width, height, hash);
}

/** A batch of pictures, the server's IMAGE. */
export class Images {
  constructor(readonly pictures: readonly [BatchPicture, ...BatchPicture[]]) {}

  static of(pictures: readonly BatchPicture[]): Images {
    const [first, ...rest] = pictures;
    if (first === undefined) throw new NodeFailure('ValueError', t`The batch has no images.`);
    checkMemory(first, pictures.length);
    return new Images([first, ...rest]);
  }

  static drawn(size: PictureSides, batch: number, hash: number): Images {
    checkMemory(size, batch);
    return Images.of(
      Array.from({ length: batch }, (_, index) => ({ ...size, hash: hashValues(hash, index) })),
    );
  }

  get first(): BatchPicture {
    return this.pictures[0];
  }

  get describe(): string {
    const hashes = this.pictures.map(({ width, height, hash }) => `${width}x${height} ${hash.toString(16)}`);
    return `<IMAGE ${hashes.join(', ')}>`;
  }

  part(wanted: number, length: number): Images {
    const last = this.pictures.length - 1;
    const start = Math.min(last, Math.max(0, wanted < 0 ? last + 1 + wanted : wanted));
    return Images.of(this.pictures.slice(start, start + length));
  }

  repeated(amount: number): Images {
    checkMemory(this.first, this.pictures.length * amount);
    return Images.of(Array.from({ length: amount }, () => this.pictures).flat());
  }
}

/** Models, conditioning, latents, masks and sound, which a real server keeps as tensors. */
export class Token {
  constructor(
    readonly type: string,
    readonly hash: number,
    readonly facts: TokenFacts = {},
  ) {
    const { width, height, batch = 1 } = facts;
    if (width !== undefined && height !== undefined) checkMemory({ width, height }, batch);
  }

  get describe(): string {
    return `<${this.type} ${this.hash.toString(16)}>`;
  }
}

interface TokenFacts extends Partial<PictureSides> {
  readonly batch?: number;
  readonly steps?: number;
  readonly scale?: number;
  readonly pixels?: () => Picture;
}

function checkMemory({ width, height }: PictureSides, batch: number): void {
  if (width * height * batch > largestBatch) throw outOfMemory();
}

/** Whatever is made of values is drawn from their hash. */
export function hashValues(...values: readonly SandboxValue[]): number {
  return hashText(values.map(sandboxRepr).join('|'));
}

export function inputsHash(inputs: Inputs): number {
  const names = Object.keys(inputs).sort();
  return hashValues(...names.flatMap((name) => [name, inputs[name]]));
}

/** The attributes that Python misses in a literal in place of a tensor. */
const attributes: Readonly<Record<string, string>> = {
  IMAGE: 'shape',
  MASK: 'reshape',
  LATENT: 'copy',
  AUDIO: 'get',
  VIDEO: 'get_dimensions',
  MODEL: 'clone',
  CLIP: 'clone',
  VAE: 'clone',
  CONDITIONING: 'clone',
  GUIDER: 'clone',
  NOISE: 'clone',
  SIGMAS: 'clone',
  UPSCALE_MODEL: 'clone',
};

export function isOfType(value: SandboxValue, type: string): boolean {
  return type === 'IMAGE' ? value instanceof Images : value instanceof Token && value.type === type;
}

/** @throws NodeFailure with Python's complaint about a literal or nothing */
export function checkTensor(type: unknown, value: SandboxValue): void {
  const attribute = attributes[String(type)];
  if (attribute === undefined || isOfType(value, String(type))) return;
  if (value === null || value === undefined)
    throw new NodeFailure('TypeError', "'NoneType' object is not subscriptable");
  throw new NodeFailure(
    'AttributeError',
    `'${sandboxTypeName(value)}' object has no attribute '${attribute}'`,
  );
}

export function imagesIn(inputs: Inputs, name: string): Images {
  checkTensor('IMAGE', inputs[name]);
  return inputs[name] as Images;
}

export function tokenIn(inputs: Inputs, name: string, type: string): Token {
  checkTensor(type, inputs[name]);
  return inputs[name] as Token;
}

export function numberIn(inputs: Inputs, name: string): number {
  const value = inputs[name];
  const number = typeof value === 'boolean' || typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number') return number;
  throw new NodeFailure(
    'TypeError',
    `'${sandboxTypeName(value)}' object cannot be interpreted as an integer`,
  );
}

export function inputText(inputs: Inputs, name: string): string {
  const value = inputs[name];
  if (typeof value === 'string') return value;
  throw new NodeFailure('AttributeError', `'${sandboxTypeName(value)}' object has no attribute 'strip'`);
}
