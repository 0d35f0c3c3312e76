import { drawPicture } from '../drawing/picture';
import { loopNodes } from './loopNodes';
import { type Inputs, inputsHash, numberIn, Token, tokenIn } from './nodeValues';
import { pictureNodes } from './pictureNodes';
import type { InputSpecJson, NodeBehaviour, NodeContext, NodeResult } from './sandboxNode';
import { sandboxOnlyNodes } from './sandboxOnlyNodes';
import { textNodes } from './textNodes';

/** Half of the real server's size: a PNG of an intermediate picture is many times larger than its JPEG. */
const previewSide = 256;

/** Goes through the steps of any sampler, whose number is an input or that of its sigmas, and shows each. */
async function sampleLatent(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const { facts } = tokenIn(inputs, 'latent_image', 'LATENT');
  const { width = 8, height = 8 } = facts;
  const scale = Math.min(1, previewSide / Math.max(width, height));
  const [across = 1, down = 1] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  const number = (name: string, missing: number): number =>
    inputs[name] === undefined ? missing : numberIn(inputs, name);
  const all =
    inputs['sigmas'] === undefined
      ? numberIn(inputs, 'steps')
      : (tokenIn(inputs, 'sigmas', 'SIGMAS').facts.steps ?? 1);
  const from = Math.min(all, number('start_at_step', 0));
  const steps = Math.max(0, Math.min(all, number('end_at_step', all)) - from);
  const hash = inputsHash(inputs);
  for (let step = 1; step <= steps; step += 1) {
    context.preview(() => drawPicture(across, down, hash, (from + step) / all));
    await context.steps(step, steps);
  }
  return { outputs: [new Token('LATENT', hash, facts)] };
}

/** Node types with sigmas return their result a second time, without noise. */
async function sampleTwice(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const { outputs } = await sampleLatent(inputs, context);
  return { outputs: [...outputs, ...outputs] };
}

const loraRows: InputSpecJson = [
  'COMFY_DYNAMICGROUP_V3',
  {
    template: {
      required: {
        lora_name: ['COMBO', { options: ['lcm_lora_sdxl.safetensors', 'epiNoiseoffset_v2.safetensors'] }],
        strength: ['FLOAT', { default: 1, min: -100, max: 100, step: 0.01 }],
      },
    },
    min: 1,
    max: 20,
    group_name: 'LoRA',
  },
];

/** The work of the node types that no stand-in covers, and their server-side function names where unusual. */
export const behaviours: Readonly<Record<string, NodeBehaviour>> = {
  CheckpointLoaderSimple: { pythonFunction: 'CheckpointLoaderSimple.load_checkpoint' },
  CLIPTextEncode: { pythonFunction: 'CLIPTextEncode.encode' },
  LoadLoraModel: { specs: { loras: loraRows }, validates: ['loras'], validate: () => true },
  KSampler: { run: sampleLatent, pythonFunction: 'KSampler.sample' },
  KSamplerAdvanced: { run: sampleLatent },
  SamplerCustom: { run: sampleTwice },
  SamplerCustomAdvanced: { run: sampleTwice },
  ...loopNodes,
  ...pictureNodes,
  ...textNodes,
  ...sandboxOnlyNodes,
};
