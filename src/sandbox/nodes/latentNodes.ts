import { nodeTable } from './nodeTable';
import type { SandboxNode } from './sandboxNode';
import {
  batchLatents,
  blendLatents,
  compositeLatent,
  compositeLatentMasked,
  cropLatent,
  decodeLatent,
  emptyCascade,
  encodeCascade,
  encodeForInpaint,
  encodePixels,
  flipLatent,
  latentFromBatch,
  maskLatent,
  rebatchLatents,
  repeatLatent,
  resizeLatent,
  resizeLatentBy,
  rotateLatent,
  saveLatent,
} from './latentEdits';

/** Latents: made, encoded, decoded and edited. */
export const latentNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'nodes', category: 'model/latent' }, [
    [
      `VAEDecode(samples: LATENT, vae: VAE) -> IMAGE`,
      decodeLatent,
      { title: 'VAE Decode', about: 'Turns a latent into pixels.', pythonFunction: 'VAEDecode.decode' },
    ],
    [
      `VAEEncode(pixels: IMAGE, vae: VAE) -> LATENT`,
      encodePixels,
      { title: 'VAE Encode', about: 'Turns pixels into a latent.', pythonFunction: 'VAEEncode.encode' },
    ],
    [
      `VAEEncodeForInpaint(pixels: IMAGE, vae: VAE, mask: MASK, grow_mask_by: INT=6 0..64) -> LATENT`,
      encodeForInpaint,
      { about: 'Turns pixels into a latent whose masked part is made anew.' },
    ],
    [
      `EmptyLatentImage(
      width: INT=512 16..16384 /8, height: INT=512 16..16384 /8, batch_size: INT=1 1..4096
    ) -> LATENT`,
      undefined,
      {
        title: 'Empty Latent Image',
        about: 'An empty canvas of a given size.',
        pythonFunction: 'EmptyLatentImage.generate',
      },
    ],
    [
      `LatentUpscale(
      samples: LATENT, upscale_method: $latentResizing, width: INT=512 0..16384 /8,
      height: INT=512 0..16384 /8, crop: [disabled|center]
    ) -> LATENT`,
      resizeLatent,
    ],
    [
      `LatentUpscaleBy(
      samples: LATENT, upscale_method: $latentResizing, scale_by: FLOAT=1.5 0.01..8 /0.01
    ) -> LATENT`,
      resizeLatentBy,
    ],
    [`SetLatentNoiseMask(samples: LATENT, mask: MASK) -> LATENT`, maskLatent],
    [
      `LatentComposite(
      samples_to: LATENT, samples_from: LATENT, x: INT=0 0..16384 /8, y: INT=0 0..16384 /8,
      feather: INT=0 0..16384 /8
    ) -> LATENT`,
      compositeLatent,
    ],
    [
      `VAEDecodeTiled(
      samples: LATENT, vae: VAE, tile_size: INT=512 64..4096 /32, overlap?: INT=64 0..4096 /32,
      temporal_size?: INT=64 8..4096 /4, temporal_overlap?: INT=8 4..4096 /4
    ) -> IMAGE`,
      decodeLatent,
    ],
    [
      `VAEEncodeTiled(
      pixels: IMAGE, vae: VAE, tile_size: INT=512 64..4096 /64, overlap?: INT=64 0..4096 /32,
      temporal_size?: INT=64 8..4096 /4, temporal_overlap?: INT=8 4..4096 /4
    ) -> LATENT`,
      encodePixels,
    ],
    [
      `SaveLatent(samples: LATENT, filename_prefix: STRING="latents/ComfyUI") -> samples: LATENT`,
      saveLatent,
      { output: true },
    ],
  ]),
  ...nodeTable({ module: 'nodes', category: 'model/latent/batch' }, [
    [
      `LatentFromBatch(
      samples: LATENT, batch_index: INT=0 -16384..16384, length: INT=1 1..64
    ) -> LATENT`,
      latentFromBatch,
    ],
    [`RepeatLatentBatch(samples: LATENT, amount: INT=1 1..64) -> LATENT`, repeatLatent],
  ]),
  ...nodeTable({ module: 'nodes', category: 'experimental' }, [
    [
      `LatentBlend(samples1: LATENT, samples2: LATENT, blend_factor: FLOAT=0.5 0..1 /0.01) -> LATENT`,
      blendLatents,
    ],
  ]),
  ...nodeTable({ module: 'nodes', category: 'model/latent/transform' }, [
    [
      `LatentRotate(samples: LATENT, rotation: [none|90 degrees|180 degrees|270 degrees]) -> LATENT`,
      rotateLatent,
    ],
    [
      `LatentFlip(samples: LATENT, flip_method: [x-axis: vertically|y-axis: horizontally]) -> LATENT`,
      flipLatent,
    ],
    [
      `LatentCrop(
      samples: LATENT, width: INT=512 64..16384 /8, height: INT=512 64..16384 /8,
      x: INT=0 0..16384 /8, y: INT=0 0..16384 /8
    ) -> LATENT`,
      cropLatent,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_latent', category: 'model/latent/advanced' }, [
    [`LatentAdd(samples1: LATENT, samples2: LATENT) -> LATENT`],
    [`LatentSubtract(samples1: LATENT, samples2: LATENT) -> LATENT`],
    [`LatentMultiply(samples: LATENT, multiplier: FLOAT=1 -10..10 /0.01) -> LATENT`],
    [
      `LatentInterpolate(samples1: LATENT, samples2: LATENT, ratio: FLOAT=1 0..1 /0.01) -> LATENT`,
      blendLatents,
    ],
    [`LatentConcat(samples1: LATENT, samples2: LATENT, dim: COMBO[x|-x|y|-y|t|-t]) -> LATENT`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_latent', category: 'model/latent/batch' }, [
    [`LatentBatch(samples1: LATENT, samples2: LATENT) -> LATENT`, batchLatents],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_mask', category: 'model/latent' }, [
    [
      `LatentCompositeMasked(
      destination: LATENT, source: LATENT, x: INT=0 0..16384 /8, y: INT=0 0..16384 /8,
      resize_source: BOOLEAN=false, mask?: MASK
    ) -> LATENT`,
      compositeLatentMasked,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_rebatch', category: 'model/latent/batch' }, [
    [
      `RebatchLatents(latents: LATENT, batch_size: INT=1 1..4096) -> LATENT[]`,
      rebatchLatents,
      { takesLists: true },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_custom_sampler', category: 'model/sampling/noise' }, [
    [`AddNoise(model: MODEL, noise: NOISE, sigmas: SIGMAS, latent_image: LATENT) -> LATENT`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_stable_cascade', category: 'model/latent/stable cascade' }, [
    [
      `StableCascade_EmptyLatentImage(
      width: INT=1024 256..16384 /8, height: INT=1024 256..16384 /8, compression: INT=42 4..128,
      batch_size: INT=1 1..4096
    ) -> stage_c: LATENT, stage_b: LATENT`,
      emptyCascade,
    ],
    [
      `StableCascade_StageC_VAEEncode(
      image: IMAGE, vae: VAE, compression: INT=42 4..128
    ) -> stage_c: LATENT, stage_b: LATENT`,
      encodeCascade,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_sd3', category: 'model/latent/stable diffusion' }, [
    [
      `EmptySD3LatentImage(
      width: INT=1024 16..16384 /16, height: INT=1024 16..16384 /16, batch_size: INT=1 1..4096
    ) -> LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_flux', category: 'model/latent/flux' }, [
    [
      `EmptyFlux2LatentImage(
      width: INT=1024 16..16384 /16, height: INT=1024 16..16384 /16, batch_size: INT=1 1..4096
    ) -> LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_qwen', category: 'model/latent/qwen' }, [
    [
      `EmptyQwenImageLayeredLatentImage(
      width: INT=640 16..16384 /16, height: INT=640 16..16384 /16, layers: INT=3 0..16384,
      batch_size: INT=1 1..4096
    ) -> LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_chroma_radiance', category: 'model/latent/chroma radiance' }, [
    [
      `EmptyChromaRadianceLatentImage(
      width: INT=1024 16..16384 /16, height: INT=1024 16..16384 /16, batch_size: INT=1 1..4096
    ) -> LATENT`,
    ],
  ]),
];
