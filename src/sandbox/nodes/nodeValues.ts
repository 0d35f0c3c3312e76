import { outOfMemory, NodeFailure } from './nodeFailure';
import type { Picture } from '../drawing/picture';
import { hashText } from '../drawing/random';
import { pythonTypeName } from './pythonText';
import type { SandboxValue } from './sandboxNode';
import { t } from '../../core/safety/localize';

export type Inputs = Readonly<Record<string, SandboxValue>>;

/** A batch with more pixels fails as on a real machine: out of memory. */
const largestBatch = 160_000_000;

/** A batch of pictures, the server's IMAGE. */
export class Images {
  constructor(readonly pictures: readonly [Picture, ...Picture[]]) {}

  static of(pictures: readonly Picture[]): Images {
    const [first, ...rest] = pictures;
    if (first === undefined) throw new NodeFailure('ValueError', t`The batch has no images.`);
    return new Images([first, ...rest]);
  }

  get first(): Picture {
    return this.pictures[0];
  }

  get describe(): string {
    return `<${this.pictures.length} x ${this.first.width} x ${this.first.height} pixels>`;
  }

  /** Joins the pictures of two batches side by side; the shorter batch repeats. */
  at(index: number): Picture {
    return this.pictures[index % this.pictures.length] ?? this.first;
  }

  /** This many from a position, which counts from the end if negative. */
  part(wanted: number, length: number): Images {
    const last = this.pictures.length - 1;
    const start = Math.min(last, Math.max(0, wanted < 0 ? last + 1 + wanted : wanted));
    return Images.of(this.pictures.slice(start, start + length));
  }

  repeated(amount: number): Images {
    checkMemory(this.first.width, this.first.height, this.pictures.length * amount);
    return Images.of(Array.from({ length: amount }, () => this.pictures).flat());
  }

  map(change: (picture: Picture, index: number) => Picture): Images {
    return Images.of(this.pictures.map(change));
  }
}

/** One gray plane: 0 outside, 255 inside. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A batch of masks. */
export class Masks {
  constructor(readonly planes: readonly [Plane, ...Plane[]]) {}

  static of(planes: readonly Plane[]): Masks {
    const [first, ...rest] = planes;
    if (first === undefined) throw new NodeFailure('ValueError', t`The batch has no masks.`);
    return new Masks([first, ...rest]);
  }

  static plain(width: number, height: number, value: number): Masks {
    return new Masks([{ width, height, data: new Uint8Array(width * height).fill(value) }]);
  }

  get first(): Plane {
    return this.planes[0];
  }

  get describe(): string {
    return `<mask ${this.planes.length} x ${this.first.width} x ${this.first.height}>`;
  }
}

/** A latent: its size in picture pixels and, once sampled or encoded, the pictures that it decodes to. */
export class Latent {
  constructor(
    readonly size: { readonly width: number; readonly height: number; readonly batch: number },
    readonly content: {
      readonly images?: Images | undefined;
      readonly mask?: Masks | undefined;
      readonly sound?: LatentSound;
    } = {},
  ) {
    checkMemory(size.width, size.height, size.batch);
  }

  static encoded(images: Images, mask?: Masks): Latent {
    const { width, height } = images.first;
    return new Latent({ width, height, batch: images.pictures.length }, { images, mask });
  }

  get describe(): string {
    return `<latent ${this.size.batch} x ${this.size.width} x ${this.size.height}>`;
  }
}

/** The sound that a latent decodes to: its length and, once sampled, what makes it differ from others. */
interface LatentSound {
  readonly seconds: number;
  readonly tune?: number;
  readonly recorded?: Sound;
}

/** Sound, the server's AUDIO: its length and what makes it differ from others, without samples. */
export class Sound {
  constructor(
    readonly seconds: number,
    readonly tune: number,
  ) {}

  get describe(): string {
    return `<sound of ${this.seconds.toFixed(1)} s>`;
  }
}

/** A sequence of pictures, the server's VIDEO. */
export class Video {
  constructor(
    readonly images: Images,
    readonly framesPerSecond: number,
  ) {}

  get describe(): string {
    return `<video at ${this.framesPerSecond} per second of ${this.images.describe}>`;
  }
}

/**
 * Stands for tensors on a real server: a model, a text encoder, conditioning, noise, a sampler. It contains only what
 * the sandbox needs for drawing.
 */
export class Token {
  constructor(
    readonly type: string,
    /** Differs when any of its sources differs. */
    readonly hash: number,
    readonly facts: TokenFacts = {},
  ) {}

  get describe(): string {
    return `<${this.type} ${this.hash.toString(16)}>`;
  }
}

interface TokenFacts {
  /** Of conditioning: the words. */
  readonly text?: string;
  /** Of sigmas: the number of steps, and the share of noise they remove. */
  readonly steps?: number;
  readonly denoise?: number;
  /** Of noise; missing if noise is disabled. */
  readonly seed?: number;
  /** Of a guider. */
  readonly cfg?: number;
  /** Of an upscale model: its factor. */
  readonly scale?: number;
}

/** Raised where the shapes of a real server's tensors would not match. */
export function checkMemory(width: number, height: number, batch: number): void {
  if (width * height * batch > largestBatch) throw outOfMemory();
}

/** A hash of input values, which varies all drawings. */
export function hashOf(...values: readonly SandboxValue[]): number {
  return hashText(values.map(hashPart).join('|'));
}

function hashPart(value: SandboxValue): string {
  if (value instanceof Token) return `${value.type}${value.hash}`;
  if (value instanceof Images) return `${value.describe}${sampleOf(value.first.data)}`;
  if (value instanceof Masks) return `${value.describe}${sampleOf(value.first.data)}`;
  if (value instanceof Latent)
    return `${value.describe}${value.content.images ? hashPart(value.content.images) : ''}`;
  if (value instanceof Sound) return `${value.describe}${value.tune}`;
  if (value instanceof Video) return `${value.describe}${hashPart(value.images)}`;
  return String(value);
}

/** Enough bytes from all over to distinguish pictures, few enough to be fast. */
function sampleOf(data: Uint8Array): string {
  const stride = Math.max(1, Math.floor(data.length / 257));
  let sum = 0;
  for (let at = 0; at < data.length; at += stride) sum = (Math.imul(sum, 31) + (data[at] ?? 0)) >>> 0;
  return String(sum);
}

/**
 * Reads an input that must be a value of this kind; for any other value Python complains about a missing attribute.
 */
function reader<T>(
  kind: new (...given: never[]) => T,
  attribute: string,
): (inputs: Inputs, name: string) => T {
  return (inputs, name) => {
    const value = inputs[name];
    if (value instanceof kind) return value;
    throw notATensor(value, attribute);
  };
}

export const imagesIn = reader(Images, 'shape');
export const masksIn = reader(Masks, 'reshape');
export const latentIn = reader(Latent, 'copy');
export const soundIn = reader(Sound, 'get');
export const videoIn = reader(Video, 'get_dimensions');
export const tokenIn = reader(Token, 'clone');

export function numberIn(inputs: Inputs, name: string): number {
  const value = inputs[name];
  const number = typeof value === 'boolean' || typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number') return number;
  throw new NodeFailure('TypeError', `'${pythonTypeName(value)}' object cannot be interpreted as an integer`);
}

export function textIn(inputs: Inputs, name: string): string {
  const value = inputs[name];
  if (typeof value === 'string') return value;
  throw new NodeFailure('AttributeError', `'${pythonTypeName(value)}' object has no attribute 'strip'`);
}

/** 32 bits of a seed of any size. */
export function seedIn(inputs: Inputs, name: string): number {
  return hashText(String(inputs[name]));
}

/** Python's complaint about a literal or nothing in place of a tensor. */
function notATensor(value: SandboxValue, attribute: string): NodeFailure {
  if (value === null || value === undefined) {
    return new NodeFailure('TypeError', "'NoneType' object is not subscriptable");
  }
  return new NodeFailure(
    'AttributeError',
    `'${pythonTypeName(value)}' object has no attribute '${attribute}'`,
  );
}
