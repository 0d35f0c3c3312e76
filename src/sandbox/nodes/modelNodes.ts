import { nodeTable } from './nodeTable';
import type { SandboxNode } from './sandboxNode';

/** Patches and mixtures of models: pictures change with their settings, in no way that has a meaning. */
export const modelNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'nodes', category: 'model/conditioning' }, [
    [`CLIPSetLastLayer(clip: CLIP, stop_at_clip_layer: INT=-1 -24..-1) -> CLIP`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_model_merging', category: 'model/merging' }, [
    [`ModelMergeSimple(model1: MODEL, model2: MODEL, ratio: FLOAT=1 0..1 /0.01) -> MODEL`],
    [
      `ModelMergeBlocks(
      model1: MODEL, model2: MODEL, input: FLOAT=1 0..1 /0.01, middle: FLOAT=1 0..1 /0.01,
      out: FLOAT=1 0..1 /0.01
    ) -> MODEL`,
    ],
    [`ModelMergeSubtract(model1: MODEL, model2: MODEL, multiplier: FLOAT=1 -10..10 /0.01) -> MODEL`],
    [`ModelMergeAdd(model1: MODEL, model2: MODEL) -> MODEL`],
    [`CLIPMergeSimple(clip1: CLIP, clip2: CLIP, ratio: FLOAT=1 0..1 /0.01) -> CLIP`],
    [`CLIPMergeSubtract(clip1: CLIP, clip2: CLIP, multiplier: FLOAT=1 -10..10 /0.01) -> CLIP`],
    [`CLIPMergeAdd(clip1: CLIP, clip2: CLIP) -> CLIP`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_tomesd', category: 'model/patch/unet' }, [
    [`TomePatchModel(model: MODEL, ratio: FLOAT=0.3 0..1 /0.01) -> MODEL`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_freelunch', category: 'model/patch/unet' }, [
    [
      `FreeU(
      model: MODEL, b1: FLOAT=1.1 0..10 /0.01, b2: FLOAT=1.2 0..10 /0.01, s1: FLOAT=0.9 0..10 /0.01,
      s2: FLOAT=0.2 0..10 /0.01
    ) -> MODEL`,
    ],
    [
      `FreeU_V2(
      model: MODEL, b1: FLOAT=1.3 0..10 /0.01, b2: FLOAT=1.4 0..10 /0.01, s1: FLOAT=0.9 0..10 /0.01,
      s2: FLOAT=0.2 0..10 /0.01
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hypertile', category: 'model/patch/unet' }, [
    [
      `HyperTile(
      model: MODEL, tile_size: INT=256 1..2048, swap_size: INT=2 1..128, max_depth: INT=0 0..10,
      scale_depth: BOOLEAN=false
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_model_advanced', category: 'model/patch' }, [
    [
      `ModelSamplingDiscrete(
      model: MODEL, sampling: [eps|v_prediction|lcm|x0|img_to_img|img_to_img_flow],
      zsnr: BOOLEAN=false
    ) -> MODEL`,
    ],
    [
      `ModelSamplingContinuousEDM(
      model: MODEL, sampling: [v_prediction|edm|edm_playground_v2.5|eps|cosmos_rflow],
      sigma_max: FLOAT=120 0..1000 /0.001, sigma_min: FLOAT=0.002 0..1000 /0.001
    ) -> MODEL`,
    ],
    [
      `ModelSamplingContinuousV(
      model: MODEL, sampling: [v_prediction], sigma_max: FLOAT=500 0..1000 /0.001,
      sigma_min: FLOAT=0.03 0..1000 /0.001
    ) -> MODEL`,
    ],
    [`ModelSamplingAuraFlow(model: MODEL, shift: FLOAT=1.73 0..100 /0.01) -> MODEL`],
    [`RescaleCFG(model: MODEL, multiplier: FLOAT=0.7 0..1 /0.01) -> MODEL`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_model_advanced', category: 'model/patch/stable cascade' }, [
    [`ModelSamplingStableCascade(model: MODEL, shift: FLOAT=2 0..100 /0.01) -> MODEL`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_model_advanced', category: 'model/patch/stable diffusion' }, [
    [`ModelSamplingSD3(model: MODEL, shift: FLOAT=3 0..100 /0.01) -> MODEL`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_model_advanced', category: 'model/patch/flux' }, [
    [
      `ModelSamplingFlux(
      model: MODEL, max_shift: FLOAT=1.15 0..100 /0.01, base_shift: FLOAT=0.5 0..100 /0.01,
      width: INT=1024 16..16384 /8, height: INT=1024 16..16384 /8
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_model_advanced', category: 'advanced/debug' }, [
    [`ModelComputeDtype(model: MODEL, dtype: [default|fp32|fp16|bf16]) -> MODEL`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_model_downscale', category: 'model/patch/unet' }, [
    [
      `PatchModelAddDownscale(
      model: MODEL, block_number: INT=3 1..32, downscale_factor: FLOAT=2 0.1..9 /0.001,
      start_percent: FLOAT=0 0..1 /0.001, end_percent: FLOAT=0.35 0..1 /0.001,
      downscale_after_skip: BOOLEAN=true,
      downscale_method: COMBO[bicubic|nearest-exact|bilinear|area|bislerp],
      upscale_method: COMBO[bicubic|nearest-exact|bilinear|area|bislerp]
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_sag', category: 'experimental' }, [
    [
      `SelfAttentionGuidance(
      model: MODEL, scale: FLOAT=0.5 -2..5 /0.01, blur_sigma: FLOAT=2 0..10 /0.1
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_cond', category: 'model/conditioning' }, [
    [`T5TokenizerOptions(clip: CLIP, min_padding: INT=0 0..10000, min_length: INT=0 0..10000) -> CLIP`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_differential_diffusion', category: 'experimental' }, [
    [`DifferentialDiffusion(model: MODEL, strength?: FLOAT=1 0..1 /0.01) -> MODEL`],
  ]),
  ...nodeTable(
    { module: 'comfy_extras.nodes_model_merging_model_specific', category: 'model/merging/model specific' },
    [
      [
        `ModelMergeSDXL(
      model1: MODEL, model2: MODEL, time_embed.: FLOAT=1 0..1 /0.01, label_emb.: FLOAT=1 0..1 /0.01,
      input_blocks.0: FLOAT=1 0..1 /0.01, input_blocks.1: FLOAT=1 0..1 /0.01,
      input_blocks.2: FLOAT=1 0..1 /0.01, input_blocks.3: FLOAT=1 0..1 /0.01,
      input_blocks.4: FLOAT=1 0..1 /0.01, input_blocks.5: FLOAT=1 0..1 /0.01,
      input_blocks.6: FLOAT=1 0..1 /0.01, input_blocks.7: FLOAT=1 0..1 /0.01,
      input_blocks.8: FLOAT=1 0..1 /0.01, middle_block.0: FLOAT=1 0..1 /0.01,
      middle_block.1: FLOAT=1 0..1 /0.01, middle_block.2: FLOAT=1 0..1 /0.01,
      output_blocks.0: FLOAT=1 0..1 /0.01, output_blocks.1: FLOAT=1 0..1 /0.01,
      output_blocks.2: FLOAT=1 0..1 /0.01, output_blocks.3: FLOAT=1 0..1 /0.01,
      output_blocks.4: FLOAT=1 0..1 /0.01, output_blocks.5: FLOAT=1 0..1 /0.01,
      output_blocks.6: FLOAT=1 0..1 /0.01, output_blocks.7: FLOAT=1 0..1 /0.01,
      output_blocks.8: FLOAT=1 0..1 /0.01, out.: FLOAT=1 0..1 /0.01
    ) -> MODEL`,
      ],
    ],
  ),
  ...nodeTable({ module: 'comfy_extras.nodes_pag', category: 'model/patch/unet' }, [
    [`PerturbedAttentionGuidance(model: MODEL, scale: FLOAT=3 0..100 /0.01) -> MODEL`],
  ]),
  ...nodeTable(
    { module: 'comfy_extras.nodes_attention_multiply', category: 'experimental/attention_experiments' },
    [
      [
        `UNetSelfAttentionMultiply(
      model: MODEL, q: FLOAT=1 0..10 /0.01, k: FLOAT=1 0..10 /0.01, v: FLOAT=1 0..10 /0.01,
      out: FLOAT=1 0..10 /0.01
    ) -> MODEL`,
      ],
      [
        `UNetCrossAttentionMultiply(
      model: MODEL, q: FLOAT=1 0..10 /0.01, k: FLOAT=1 0..10 /0.01, v: FLOAT=1 0..10 /0.01,
      out: FLOAT=1 0..10 /0.01
    ) -> MODEL`,
      ],
      [
        `UNetTemporalAttentionMultiply(
      model: MODEL, self_structural: FLOAT=1 0..10 /0.01, self_temporal: FLOAT=1 0..10 /0.01,
      cross_structural: FLOAT=1 0..10 /0.01, cross_temporal: FLOAT=1 0..10 /0.01
    ) -> MODEL`,
      ],
    ],
  ),
  ...nodeTable({ module: 'comfy_extras.nodes_sd3', category: 'advanced/guidance' }, [
    [
      `SkipLayerGuidanceSD3(
      model: MODEL, layers: STRING="7, 8, 9", scale: FLOAT=3 0..10 /0.1,
      start_percent: FLOAT=0.01 0..1 /0.001, end_percent: FLOAT=0.15 0..1 /0.001
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_controlnet', category: 'model/conditioning/controlnet' }, [
    [
      `SetUnionControlNetType(
      control_net: CONTROL_NET,
      type: COMBO[auto|openpose|depth|hed/pidi/scribble/ted|canny/lineart/anime_lineart/mlsd|normal|segment|tile|repaint]
    ) -> CONTROL_NET`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_torch_compile', category: 'experimental' }, [
    [`TorchCompileModel(model: MODEL, backend: COMBO[inductor|cudagraphs]) -> MODEL`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_slg', category: 'advanced/guidance' }, [
    [
      `SkipLayerGuidanceDiT(
      model: MODEL, double_layers: STRING="7, 8, 9", single_layers: STRING="7, 8, 9",
      scale: FLOAT=3 0..10 /0.1, start_percent: FLOAT=0.01 0..1 /0.001,
      end_percent: FLOAT=0.15 0..1 /0.001, rescaling_scale: FLOAT=0 0..10 /0.01
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_mahiro', category: 'experimental' }, [
    [`Mahiro(model: MODEL) -> patched_model: MODEL`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hooks', category: 'advanced/hooks/create' }, [
    [
      `CreateHookLora(
      lora_name: @loras, strength_model: FLOAT=1 -20..20 /0.01, strength_clip: FLOAT=1 -20..20 /0.01,
      prev_hooks?: HOOKS
    ) -> HOOKS`,
    ],
    [
      `CreateHookModelAsLora(
      ckpt_name: @checkpoints, strength_model: FLOAT=1 -20..20 /0.01,
      strength_clip: FLOAT=1 -20..20 /0.01, prev_hooks?: HOOKS
    ) -> HOOKS`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hooks', category: 'advanced/hooks/scheduling' }, [
    [`SetHookKeyframes(hooks: HOOKS, hook_kf?: HOOK_KEYFRAMES) -> HOOKS`],
    [
      `CreateHookKeyframesInterpolated(
      strength_start: FLOAT=1 0..10 /0.001, strength_end: FLOAT=1 0..10 /0.001,
      interpolation: [linear|ease_in|ease_out|ease_in_out], start_percent: FLOAT=0 0..1 /0.001,
      end_percent: FLOAT=1 0..1 /0.001, keyframes_count: INT=5 2..100,
      print_keyframes: BOOLEAN=false, prev_hook_kf?: HOOK_KEYFRAMES
    ) -> HOOK_KF: HOOK_KEYFRAMES`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hooks', category: 'advanced/hooks/combine' }, [
    [`CombineHooks2(hooks_A?: HOOKS, hooks_B?: HOOKS) -> HOOKS`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hooks', category: 'advanced/hooks/clip' }, [
    [
      `SetClipHooks(
      clip: CLIP, apply_to_conds: BOOLEAN=true, schedule_clip: BOOLEAN=false, hooks?: HOOKS
    ) -> CLIP`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_cfg', category: 'advanced/guidance' }, [
    [`CFGZeroStar(model: MODEL) -> patched_model: MODEL`],
    [
      `CFGNorm(
      model: MODEL, strength: FLOAT=1 0..100 /0.01, pre_cfg?: BOOLEAN=false
    ) -> patched_model: MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_fresca', category: 'experimental' }, [
    [
      `FreSca(
      model: MODEL, scale_low: FLOAT=1 0..10 /0.01, scale_high: FLOAT=1.25 0..10 /0.01,
      freq_cutoff: INT=20 1..10000
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_apg', category: 'model/sampling/custom' }, [
    [
      `APG(
      model: MODEL, eta: FLOAT=1 -10..10 /0.01, norm_threshold: FLOAT=5 0..50 /0.1,
      momentum: FLOAT=0 -5..1 /0.01
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_tcfg', category: 'advanced/guidance' }, [
    [`TCFG(model: MODEL) -> patched_model: MODEL`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_model_patch', category: 'model/patch/qwen' }, [
    [
      `QwenImageDiffsynthControlnet(
      model: MODEL, model_patch: MODEL_PATCH, vae: VAE, image: IMAGE,
      strength: FLOAT=1 -10..10 /0.01, mask?: MASK
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_easycache', category: 'advanced/debug' }, [
    [
      `EasyCache(
      model: MODEL, reuse_threshold: FLOAT=0.2 0..3 /0.01, start_percent: FLOAT=0.15 0..1 /0.01,
      end_percent: FLOAT=0.95 0..1 /0.01, verbose: BOOLEAN=false
    ) -> MODEL`,
    ],
    [
      `LazyCache(
      model: MODEL, reuse_threshold: FLOAT=0.2 0..3 /0.01, start_percent: FLOAT=0.15 0..1 /0.01,
      end_percent: FLOAT=0.95 0..1 /0.01, verbose: BOOLEAN=false
    ) -> MODEL`,
    ],
  ]),
];
