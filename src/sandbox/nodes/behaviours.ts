import { latentNodes } from './latentNodes';
import { maskNodes } from './maskNodes';
import type { NodeBehaviour } from './sandboxNode';
import { pictureNodes } from './pictureNodes';
import { sampleLatent, sampleTwice } from './samplers';
import { sandboxOnlyNodes } from './sandboxOnlyNodes';
import { soundNodes } from './soundNodes';
import { textNodes } from './textNodes';
import { videoNodes } from './videoNodes';

/** What those classes do that are not made up for by a stand-in, and how the server names them where it is unusual. */
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
