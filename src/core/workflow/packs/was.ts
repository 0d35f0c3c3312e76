import type { ExactValue } from '../../json/exactValue';
import type { Widget } from '../graph/widget';
import type { NodePack, PackNode } from './nodePack';

function loadedCheckbox({ name, spec }: Widget, value: ExactValue): ExactValue {
  if (spec?.kind !== 'boolean' || typeof value !== 'string') return value;
  return value.toLowerCase() === (name === 'overwrite_mode' ? 'prefix_as_filename' : 'true');
}

const migrated = [
  'Create Grid Image',
  'Image Canny Filter',
  'Image Dragan Photography Filter',
  'Image Filter Adjustments',
  'Image High Pass Filter',
  'Image Load',
  'Image Padding',
  'Image Pixelate',
  'Image Resize',
  'Image SSAO (Ambient Occlusion)',
  'Image SSDO (Direct Occlusion)',
  'Image Save',
  'Image Seamless Texture',
  'Image Voronoi Noise Filter',
  'Latent Upscale by Factor (WAS)',
  'Load Image Batch',
  'MiDaS Depth Approximation',
  'MiDaS Mask Image',
  'Text Add Token by Input',
  'Text Add Tokens',
  'Text Concatenate',
  'Text Dictionary New',
  'WASImageGradientMapNative',
];

export const wasNodeSuite: NodePack = {
  nodes: Object.fromEntries(
    migrated.map((type): [string, PackNode] => [type, { loadedValue: loadedCheckbox }]),
  ),
};
