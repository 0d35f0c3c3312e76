import { denoising } from '../drawing/denoising';
import type { Picture } from '../drawing/picture';
import { drawScene } from '../drawing/scene';
import { blendedPictures } from '../drawing/blending';
import { scaledPlane } from '../drawing/planes';
import type { NodeContext, NodeResult } from './sandboxNode';
import { hashOf, Images, type Inputs, Latent, latentIn, numberIn, seedIn, tokenIn } from './nodeValues';

/** A little larger than any preview is shown. */
const previewSide = 256;

interface SampleRequest {
  readonly text: string;
  readonly seed: number;
  /** Everything else that affects the picture. */
  readonly look: number;
  readonly cfg: number;
  /** The steps of the whole schedule, and the part that this sampler runs. */
  readonly steps: number;
  readonly from: number;
  readonly to: number;
  /** 1: nothing of the input picture is left. */
  readonly denoise: number;
}

/** Draws a sampler's result and shows it step by step, emerging from the noise. */
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
      // Pictures of a batch differ in their seed; frames of a video show one moving scene.
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

/** Everything but the seed that affects a picture, in the order of the definition. */
const looks = ['model', 'positive', 'negative', 'guider', 'sampler_name', 'scheduler', 'sampler', 'sigmas'];

/** The settings of any sampler node: from its own numbers, or from sigmas, noise and a guider. */
function requestOf(inputs: Inputs): SampleRequest {
  const has = (name: string): boolean => inputs[name] !== undefined;
  const number = (name: string, missing: number): number => (has(name) ? numberIn(inputs, name) : missing);
  const sigmas = has('sigmas') ? tokenIn(inputs, 'sigmas').facts : undefined;
  if (!has('guider')) tokenIn(inputs, 'model');
  const guide = tokenIn(inputs, has('guider') ? 'guider' : 'positive').facts;
  const all = sigmas ? (sigmas.steps ?? 1) : numberIn(inputs, 'steps');
  const from = Math.min(all, number('start_at_step', 0));
  const end = Math.min(all, number('end_at_step', all));
  const isWhole = has('end_at_step') && inputs['return_with_leftover_noise'] !== 'enable';
  return {
    text: guide.text ?? '',
    seed: has('noise')
      ? (tokenIn(inputs, 'noise').facts.seed ?? 0)
      : seedIn(inputs, has('seed') ? 'seed' : 'noise_seed'),
    look: hashOf(...looks.filter(has).map((name) => inputs[name])),
    cfg: number('cfg', guide.cfg ?? 3.5),
    steps: isWhole ? Math.max(1, end) : all,
    from,
    to: Math.max(from, end),
    denoise: sigmas?.denoise ?? number('denoise', all === 0 ? 0 : 1 - from / all),
  };
}

export async function sampleLatent(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  return { outputs: [await sample(latentIn(inputs, 'latent_image'), requestOf(inputs), context)] };
}

/** Node types with sigmas return their result a second time, without noise. */
export async function sampleTwice(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const { outputs } = await sampleLatent(inputs, context);
  return { outputs: [...outputs, ...outputs] };
}
