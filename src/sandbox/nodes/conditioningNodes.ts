import { nodeTable } from './nodeTable';
import type { SandboxNode } from './sandboxNode';
import { conditionInpaint } from './latentEdits';

/** From words to conditioning, and everything that steers it. */
export const conditioningNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'nodes', category: 'model/conditioning' }, [
    [
      `CLIPTextEncode(text: STRING multiline dynamicPrompts, clip: CLIP) -> CONDITIONING`,
      undefined,
      {
        title: 'CLIP Text Encode (Prompt)',
        about: 'Turns a prompt into conditioning for a sampler.',
        pythonFunction: 'CLIPTextEncode.encode',
      },
    ],
    [
      `CLIPVisionEncode(
      clip_vision: CLIP_VISION, image: IMAGE, crop?: [center|none]
    ) -> CLIP_VISION_OUTPUT`,
    ],
    [
      `StyleModelApply(
      conditioning: CONDITIONING, style_model: STYLE_MODEL, clip_vision_output: CLIP_VISION_OUTPUT,
      strength: FLOAT=1 0..10 /0.001, strength_type: [multiply|attn_bias]
    ) -> CONDITIONING`,
    ],
    [
      `unCLIPConditioning(
      conditioning: CONDITIONING, clip_vision_output: CLIP_VISION_OUTPUT,
      strength: FLOAT=1 -10..10 /0.01, noise_augmentation: FLOAT=0 0..1 /0.01
    ) -> CONDITIONING`,
    ],
    [
      `InpaintModelConditioning(
      positive: CONDITIONING, negative: CONDITIONING, vae: VAE, pixels: IMAGE, mask: MASK,
      noise_mask: BOOLEAN=true
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT`,
      conditionInpaint,
    ],
  ]),
  ...nodeTable({ module: 'nodes', category: 'model/conditioning/transform' }, [
    [
      `ConditioningAverage(
      conditioning_to: CONDITIONING, conditioning_from: CONDITIONING,
      conditioning_to_strength: FLOAT=1 0..1 /0.01
    ) -> CONDITIONING`,
    ],
    [`ConditioningCombine(conditioning_1: CONDITIONING, conditioning_2: CONDITIONING) -> CONDITIONING`],
    [
      `ConditioningConcat(
      conditioning_to: CONDITIONING, conditioning_from: CONDITIONING
    ) -> CONDITIONING`,
    ],
    [
      `ConditioningSetArea(
      conditioning: CONDITIONING, width: INT=64 64..16384 /8, height: INT=64 64..16384 /8,
      x: INT=0 0..16384 /8, y: INT=0 0..16384 /8, strength: FLOAT=1 0..10 /0.01
    ) -> CONDITIONING`,
    ],
    [
      `ConditioningSetAreaPercentage(
      conditioning: CONDITIONING, width: FLOAT=1 0..1 /0.01, height: FLOAT=1 0..1 /0.01,
      x: FLOAT=0 0..1 /0.01, y: FLOAT=0 0..1 /0.01, strength: FLOAT=1 0..10 /0.01
    ) -> CONDITIONING`,
    ],
    [
      `ConditioningSetAreaStrength(
      conditioning: CONDITIONING, strength: FLOAT=1 0..10 /0.01
    ) -> CONDITIONING`,
    ],
    [
      `ConditioningSetMask(
      conditioning: CONDITIONING, mask: MASK, strength: FLOAT=1 0..10 /0.01,
      set_cond_area: [default|mask bounds]
    ) -> CONDITIONING`,
    ],
    [`ConditioningZeroOut(conditioning: CONDITIONING) -> CONDITIONING`],
    [
      `ConditioningSetTimestepRange(
      conditioning: CONDITIONING, start: FLOAT=0 0..1 /0.001, end: FLOAT=1 0..1 /0.001
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'nodes', category: 'model/conditioning/controlnet' }, [
    [
      `ControlNetApply(
      conditioning: CONDITIONING, control_net: CONTROL_NET, image: IMAGE,
      strength: FLOAT=1 0..10 /0.01
    ) -> CONDITIONING`,
    ],
    [
      `ControlNetApplyAdvanced(
      positive: CONDITIONING, negative: CONDITIONING, control_net: CONTROL_NET, image: IMAGE,
      strength: FLOAT=1 0..10 /0.01, start_percent: FLOAT=0 0..1 /0.001,
      end_percent: FLOAT=1 0..1 /0.001, vae?: VAE
    ) -> positive: CONDITIONING, negative: CONDITIONING`,
      undefined,
      { about: 'Steers both conditionings by a control picture.' },
    ],
  ]),
  ...nodeTable({ module: 'nodes', category: 'model/conditioning/gligen' }, [
    [
      `GLIGENTextBoxApply(
      conditioning_to: CONDITIONING, clip: CLIP, gligen_textbox_model: GLIGEN,
      text: STRING multiline dynamicPrompts, width: INT=64 8..16384 /8, height: INT=64 8..16384 /8,
      x: INT=0 0..16384 /8, y: INT=0 0..16384 /8
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_clip_sdxl', category: 'model/conditioning/stable diffusion' }, [
    [
      `CLIPTextEncodeSDXLRefiner(
      ascore: FLOAT=6 0..1000 /0.01, width: INT=1024 0..16384, height: INT=1024 0..16384,
      text: STRING multiline dynamicPrompts, clip: CLIP
    ) -> CONDITIONING`,
    ],
    [
      `CLIPTextEncodeSDXL(
      clip: CLIP, width: INT=1024 0..16384, height: INT=1024 0..16384, crop_w: INT=0 0..16384,
      crop_h: INT=0 0..16384, target_width: INT=1024 0..16384, target_height: INT=1024 0..16384,
      text_g: STRING multiline dynamicPrompts, text_l: STRING multiline dynamicPrompts
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable(
    { module: 'comfy_extras.nodes_sdupscale', category: 'model/conditioning/stable diffusion upscaler' },
    [
      [
        `SD_4XUpscale_Conditioning(
      images: IMAGE, positive: CONDITIONING, negative: CONDITIONING,
      scale_ratio: FLOAT=4 0..10 /0.01, noise_augmentation: FLOAT=0 0..1 /0.001
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT`,
      ],
    ],
  ),
  ...nodeTable({ module: 'comfy_extras.nodes_photomaker', category: 'model/conditioning/photomaker' }, [
    [
      `PhotoMakerEncode(
      photomaker: PHOTOMAKER, image: IMAGE, clip: CLIP,
      text: STRING="photograph of photomaker" multiline dynamicPrompts
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_pixart', category: 'model/conditioning/pixart' }, [
    [
      `CLIPTextEncodePixArtAlpha(
      width: INT=1024 0..16384, height: INT=1024 0..16384, text: STRING multiline dynamicPrompts,
      clip: CLIP
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable(
    { module: 'comfy_extras.nodes_stable_cascade', category: 'model/conditioning/stable cascade' },
    [[`StableCascade_StageB_Conditioning(conditioning: CONDITIONING, stage_c: LATENT) -> CONDITIONING`]],
  ),
  ...nodeTable({ module: 'comfy_extras.nodes_ip2p', category: 'model/conditioning/instructpix2pix' }, [
    [
      `InstructPixToPixConditioning(
      positive: CONDITIONING, negative: CONDITIONING, vae: VAE, pixels: IMAGE
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT`,
      conditionInpaint,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_sd3', category: 'model/conditioning/stable diffusion' }, [
    [
      `CLIPTextEncodeSD3(
      clip: CLIP, clip_l: STRING multiline dynamicPrompts, clip_g: STRING multiline dynamicPrompts,
      t5xxl: STRING multiline dynamicPrompts, empty_padding: COMBO[none|empty_prompt]
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_sd3', category: 'model/conditioning/controlnet' }, [
    [
      `ControlNetApplySD3(
      positive: CONDITIONING, negative: CONDITIONING, control_net: CONTROL_NET, vae: VAE,
      image: IMAGE, strength: FLOAT=1 0..10 /0.01, start_percent: FLOAT=0 0..1 /0.001,
      end_percent: FLOAT=1 0..1 /0.001
    ) -> positive: CONDITIONING, negative: CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_controlnet', category: 'model/conditioning/controlnet' }, [
    [
      `ControlNetInpaintingAliMamaApply(
      positive: CONDITIONING, negative: CONDITIONING, control_net: CONTROL_NET, vae: VAE,
      image: IMAGE, mask: MASK, strength: FLOAT=1 0..10 /0.01, start_percent: FLOAT=0 0..1 /0.001,
      end_percent: FLOAT=1 0..1 /0.001
    ) -> positive: CONDITIONING, negative: CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_flux', category: 'model/conditioning/flux' }, [
    [
      `CLIPTextEncodeFlux(
      clip: CLIP, clip_l: STRING multiline dynamicPrompts, t5xxl: STRING multiline dynamicPrompts,
      guidance: FLOAT=3.5 0..100 /0.1
    ) -> CONDITIONING`,
    ],
    [`FluxGuidance(conditioning: CONDITIONING, guidance: FLOAT=3.5 0..100 /0.1) -> CONDITIONING`],
    [`FluxDisableGuidance(conditioning: CONDITIONING) -> CONDITIONING`],
    [
      `FluxKontextMultiReferenceLatentMethod(
      conditioning: CONDITIONING,
      reference_latents_method: COMBO[offset|index|uxo/uno|index_timestep_zero]
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hooks', category: 'advanced/hooks/cond pair' }, [
    [
      `PairConditioningSetProperties(
      positive_NEW: CONDITIONING, negative_NEW: CONDITIONING, strength: FLOAT=1 0..10 /0.01,
      set_cond_area: [default|mask bounds], mask?: MASK, hooks?: HOOKS, timesteps?: TIMESTEPS_RANGE
    ) -> positive: CONDITIONING, negative: CONDITIONING`,
    ],
    [
      `PairConditioningSetPropertiesAndCombine(
      positive: CONDITIONING, negative: CONDITIONING, positive_NEW: CONDITIONING,
      negative_NEW: CONDITIONING, strength: FLOAT=1 0..10 /0.01,
      set_cond_area: [default|mask bounds], mask?: MASK, hooks?: HOOKS, timesteps?: TIMESTEPS_RANGE
    ) -> positive: CONDITIONING, negative: CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_lumina2', category: 'model/conditioning/lumina' }, [
    [
      `CLIPTextEncodeLumina2(
      system_prompt: COMBO[superior|alignment], user_prompt: STRING multiline dynamicPrompts,
      clip: CLIP
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_lotus', category: 'model/conditioning/lotus' }, [
    [`LotusConditioning() -> conditioning: CONDITIONING`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hidream', category: 'model/conditioning/hidream' }, [
    [
      `CLIPTextEncodeHiDream(
      clip: CLIP, clip_l: STRING multiline dynamicPrompts, clip_g: STRING multiline dynamicPrompts,
      t5xxl: STRING multiline dynamicPrompts, llama: STRING multiline dynamicPrompts
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_edit_model', category: 'model/conditioning' }, [
    [`ReferenceLatent(conditioning: CONDITIONING, latent?: LATENT) -> CONDITIONING`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_qwen', category: 'model/conditioning/qwen image' }, [
    [
      `TextEncodeQwenImageEdit(
      clip: CLIP, prompt: STRING multiline dynamicPrompts, vae?: VAE, image?: IMAGE
    ) -> CONDITIONING`,
    ],
    [
      `TextEncodeQwenImageEditPlus(
      clip: CLIP, prompt: STRING multiline dynamicPrompts, vae?: VAE, image1?: IMAGE, image2?: IMAGE,
      image3?: IMAGE
    ) -> CONDITIONING`,
    ],
  ]),
];
