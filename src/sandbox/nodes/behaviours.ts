import { latentNodes } from './latentNodes';
import { maskNodes } from './maskNodes';
import type { NodeBehaviour } from './sandboxNode';
import { pictureNodes } from './pictureNodes';
import { sampleLatent, sampleTwice } from './samplers';
import { sandboxOnlyNodes } from './sandboxOnlyNodes';
import { soundNodes } from './soundNodes';
import { textNodes } from './textNodes';
import { videoNodes } from './videoNodes';

/** The work of the node types that no stand-in covers, and their server-side function names where unusual. */
export const behaviours: Readonly<Record<string, NodeBehaviour>> = {
  CheckpointLoaderSimple: { pythonFunction: 'CheckpointLoaderSimple.load_checkpoint' },
  CLIPTextEncode: { pythonFunction: 'CLIPTextEncode.encode' },
  KSampler: { run: sampleLatent, pythonFunction: 'KSampler.sample' },
  KSamplerAdvanced: { run: sampleLatent },
  SamplerCustom: { run: sampleTwice },
  SamplerCustomAdvanced: { run: sampleTwice },
  ...latentNodes,
  ...maskNodes,
  ...pictureNodes,
  ...soundNodes,
  ...textNodes,
  ...videoNodes,
  ...sandboxOnlyNodes,
};
