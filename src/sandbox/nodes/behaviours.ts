import { latentNodes } from './latentNodes';
import { loopNodes } from './loopNodes';
import { maskNodes } from './maskNodes';
import type { InputSpecJson, NodeBehaviour } from './sandboxNode';
import { pictureNodes, videoNodes } from './pictureNodes';
import { sampleLatent, sampleTwice } from './samplers';
import { sandboxOnlyNodes } from './sandboxOnlyNodes';
import { soundNodes } from './soundNodes';
import { textNodes } from './textNodes';

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
  ...latentNodes,
  ...loopNodes,
  ...maskNodes,
  ...pictureNodes,
  ...soundNodes,
  ...textNodes,
  ...videoNodes,
  ...sandboxOnlyNodes,
};
