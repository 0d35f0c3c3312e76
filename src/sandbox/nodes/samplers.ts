import { denoising } from '../drawing/denoising';
import type { Picture } from '../drawing/picture';
import { drawScene } from '../drawing/scene';
import { blendedPictures } from '../drawing/blending';
import { scaledPlane } from '../drawing/planes';
import type { NodeContext, NodeResult } from './sandboxNode';
import { hashOf, Images, Latent, latentIn, numberIn, seedIn, Token, tokenIn } from './nodeValues';
import type { Inputs } from './nodeValues';

const previewSide = 512;

interface SampleRequest {
  readonly text: string;
  readonly seed: number;
  /** Everything else that should change the picture. */
  readonly look: number;
  readonly cfg: number;
  /** Steps of the whole schedule, and those that this sampler makes of them. */
  readonly steps: number;
  readonly from: number;
  readonly to: number;
  /** 1: nothing is left of the picture that came in. */
  readonly denoise: number;
}

/** Draws what a sampler would make, and shows it coming out of the noise step by step. */
async function sample(latent: Latent, request: SampleRequest, context: NodeContext): Promise<Latent> {
  const steps = Math.max(0, request.to - request.from);
  if (latent.content.sound !== undefined) return sampleSound(latent, request, steps, context);
  const { width, height, batch } = latent.size;
  const before = latent.content.images;
  const isVideo = latent.content.images === undefined && batch > 1;
  const mask = latent.content.mask && scaledPlane(latent.content.mask.first, width, height);
  const pictures = Array.from({ length: batch }, (_, index) => {
    const scene = drawScene({
      width,
      height,
      prompt: request.text,
      // Pictures of a batch differ in their seed; the frames of a video are one scene that moves.
      seed: request.seed + (isVideo ? 0 : index),
      look: request.look + (isVideo ? 0 : index),
      steps: request.steps,
      cfg: request.cfg,
      time: isVideo ? index / batch : 0,
    });
    const source = before?.pictures[Math.min(index, before.pictures.length - 1)];
    return source === undefined ? scene : blendedPictures(source, scene, request.denoise, mask);
  });
  const result = Images.of(pictures);
  const show = lazily(() => denoising(result.first, request.seed, previewSide));
  for (let step = 1; step <= steps; step += 1) {
    context.preview(() => show()((request.from + step) / request.steps));
    await context.steps(step, steps);
  }
  if (request.to >= request.steps) return Latent.encoded(result, latent.content.mask);
  const unfinished = result.map((picture) =>
    denoising(picture, request.seed, Infinity)(request.to / request.steps),
  );
  return Latent.encoded(unfinished, latent.content.mask);
}

async function sampleSound(
  latent: Latent,
  request: SampleRequest,
  steps: number,
  context: NodeContext,
): Promise<Latent> {
  for (let step = 1; step <= steps; step += 1) await context.steps(step, steps);
  const seconds = latent.content.sound?.seconds ?? 0;
  return new Latent(latent.size, {
    sound: { seconds, tune: hashOf(request.text, request.seed, request.look) },
  });
}

function lazily(make: () => (done: number) => Picture): () => (done: number) => Picture {
  let made: ((done: number) => Picture) | undefined;
  return () => (made ??= make());
}

function wordsOf(conditioning: Token): string {
  return conditioning.facts.text ?? '';
}

/** Text decides the scene by itself; what else was done to a conditioning only varies it. */
function lookOf(inputs: Inputs, ...names: readonly string[]): number {
  return hashOf(...names.map((name) => inputs[name]));
}

export async function sampleLatent(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const steps = numberIn(inputs, 'steps');
  tokenIn(inputs, 'model');
  const latent = await sample(
    latentIn(inputs, 'latent_image'),
    {
      text: wordsOf(tokenIn(inputs, 'positive')),
      seed: seedIn(inputs, 'seed'),
      look: lookOf(inputs, 'model', 'positive', 'negative', 'sampler_name', 'scheduler'),
      cfg: numberIn(inputs, 'cfg'),
      steps,
      from: 0,
      to: steps,
      denoise: numberIn(inputs, 'denoise'),
    },
    context,
  );
  return { outputs: [latent] };
}

export async function sampleAdvanced(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const steps = numberIn(inputs, 'steps');
  const from = Math.min(steps, numberIn(inputs, 'start_at_step'));
  const end = Math.min(steps, numberIn(inputs, 'end_at_step'));
  const isWhole = inputs['return_with_leftover_noise'] !== 'enable';
  const latent = await sample(
    latentIn(inputs, 'latent_image'),
    {
      text: wordsOf(tokenIn(inputs, 'positive')),
      seed: seedIn(inputs, 'noise_seed'),
      look: lookOf(inputs, 'model', 'positive', 'negative', 'sampler_name', 'scheduler'),
      cfg: numberIn(inputs, 'cfg'),
      steps: isWhole ? Math.max(1, end) : steps,
      from,
      to: Math.max(from, end),
      denoise: steps === 0 ? 0 : 1 - from / steps,
    },
    context,
  );
  return { outputs: [latent] };
}

export async function sampleCustom(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const sigmas = tokenIn(inputs, 'sigmas');
  const steps = sigmas.facts.steps ?? 1;
  const latent = await sample(
    latentIn(inputs, 'latent_image'),
    {
      text: wordsOf(tokenIn(inputs, 'positive')),
      seed: seedIn(inputs, 'noise_seed'),
      look: lookOf(inputs, 'model', 'positive', 'negative', 'sampler', 'sigmas'),
      cfg: numberIn(inputs, 'cfg'),
      steps,
      from: 0,
      to: steps,
      denoise: sigmas.facts.denoise ?? 1,
    },
    context,
  );
  return { outputs: [latent, latent] };
}

export async function sampleGuided(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const sigmas = tokenIn(inputs, 'sigmas');
  const guider = tokenIn(inputs, 'guider');
  const steps = sigmas.facts.steps ?? 1;
  const latent = await sample(
    latentIn(inputs, 'latent_image'),
    {
      text: wordsOf(guider),
      seed: tokenIn(inputs, 'noise').facts.seed ?? 0,
      look: lookOf(inputs, 'guider', 'sampler', 'sigmas'),
      cfg: guider.facts.cfg ?? 3.5,
      steps,
      from: 0,
      to: steps,
      denoise: sigmas.facts.denoise ?? 1,
    },
    context,
  );
  return { outputs: [latent, latent] };
}

/** Any scheduler: what counts here is the number of steps and how much noise they start from. */
export function scheduleSteps(inputs: Inputs): NodeResult {
  const steps = numberIn(inputs, 'steps');
  const denoise = inputs['denoise'] === undefined ? 1 : numberIn(inputs, 'denoise');
  return { outputs: [new Token('SIGMAS', hashOf(...Object.values(inputs)), { steps, denoise })] };
}

export function readSigmas(inputs: Inputs): NodeResult {
  const values = String(inputs['sigmas']).match(/\d+(?:\.\d+)?/g) ?? [];
  const facts = { steps: Math.max(0, values.length - 1), denoise: 1 };
  return { outputs: [new Token('SIGMAS', hashOf(inputs['sigmas']), facts)] };
}

/** The high and the low part of a schedule: cut at a step, or at a share of the noise. */
export function splitSigmas(inputs: Inputs): NodeResult {
  const sigmas = tokenIn(inputs, 'sigmas');
  const { steps = 0, denoise = 1 } = sigmas.facts;
  const cut =
    inputs['step'] === undefined ? steps * (1 - numberIn(inputs, 'denoise')) : numberIn(inputs, 'step');
  const first = Math.min(steps, Math.round(cut));
  const part = (count: number): Token => {
    const share = steps === 0 ? 0 : (denoise * count) / steps;
    return new Token('SIGMAS', hashOf(sigmas, count), { steps: count, denoise: share });
  };
  return { outputs: [part(first), part(steps - first)] };
}

export function randomNoise(inputs: Inputs): NodeResult {
  const seed = seedIn(inputs, 'noise_seed');
  return { outputs: [new Token('NOISE', seed, { seed })] };
}

export function noNoise(): NodeResult {
  return { outputs: [new Token('NOISE', 0)] };
}

export function followOne(inputs: Inputs): NodeResult {
  return { outputs: [guiderOf(inputs, tokenIn(inputs, 'conditioning'), 3.5)] };
}

export function followTwo(inputs: Inputs): NodeResult {
  return { outputs: [guiderOf(inputs, tokenIn(inputs, 'positive'), numberIn(inputs, 'cfg'))] };
}

export function followThree(inputs: Inputs): NodeResult {
  return { outputs: [guiderOf(inputs, tokenIn(inputs, 'cond1'), numberIn(inputs, 'cfg_conds'))] };
}

function guiderOf(inputs: Inputs, followed: Token, cfg: number): Token {
  return new Token('GUIDER', hashOf(...Object.values(inputs)), { text: wordsOf(followed), cfg });
}
