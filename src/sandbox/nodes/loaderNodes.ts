import { nodeTable } from './nodeTable';
import { loadUpscaler } from './pictureScaling';
import type { SandboxNode } from './sandboxNode';

/** Loaders of models: any file name will do. */
export const loaderNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'nodes', category: 'model/loaders' }, [
    [
      `CheckpointLoaderSimple(ckpt_name: @checkpoints) -> MODEL, CLIP, VAE`,
      undefined,
      {
        title: 'Load Checkpoint',
        about: 'Opens a checkpoint: the model, its text encoder and its VAE.',
        pythonFunction: 'CheckpointLoaderSimple.load_checkpoint',
      },
    ],
    [`VAELoader(vae_name: @vae) -> VAE`, undefined, { title: 'Load VAE', about: 'Opens a VAE.' }],
    [
      `LoraLoader(
      model: MODEL, clip: CLIP, lora_name: @loras, strength_model: FLOAT=1 -100..100 /0.01,
      strength_clip: FLOAT=1 -100..100 /0.01
    ) -> MODEL, CLIP`,
      undefined,
      { title: 'Load LoRA', about: 'Opens a LoRA and adds it to a model and its text encoder.' },
    ],
    [
      `CLIPLoader(
      clip_name: @text_encoders,
      type: [stable_diffusion|stable_cascade|sd3|stable_audio|mochi|ltxv|pixart|cosmos|lumina2|wan|hidream|chroma|ace|omnigen2|qwen_image|hunyuan_image|flux2|ovis|longcat_image|cogvideox|lens|pixeldit|ideogram4|boogu|krea2|joyimage|mage|minimax],
      device?: [default|cpu]
    ) -> CLIP`,
      undefined,
      { title: 'Load CLIP', about: 'Opens a text encoder.' },
    ],
    [
      `UNETLoader(
      unet_name: @diffusion_models, weight_dtype: [default|fp8_e4m3fn|fp8_e4m3fn_fast|fp8_e5m2]
    ) -> MODEL`,
      undefined,
      {
        title: 'Load Diffusion Model',
        about: 'Opens a diffusion model that comes without text encoder and VAE.',
      },
    ],
    [
      `DualCLIPLoader(
      clip_name1: @text_encoders, clip_name2: @text_encoders,
      type: [sdxl|sd3|flux|hunyuan_video|hidream|hunyuan_image|hunyuan_video_15|kandinsky5|kandinsky5_image|ltxv|newbie|ace],
      device?: [default|cpu]
    ) -> CLIP`,
    ],
    [
      `ControlNetLoader(control_net_name: @controlnet) -> CONTROL_NET`,
      undefined,
      { title: 'Load ControlNet Model' },
    ],
    [`DiffControlNetLoader(model: MODEL, control_net_name: @controlnet) -> CONTROL_NET`],
    [`StyleModelLoader(style_model_name: @style_models) -> STYLE_MODEL`],
    [`CLIPVisionLoader(clip_name: @clip_vision) -> CLIP_VISION`],
    [`unCLIPCheckpointLoader(ckpt_name: @checkpoints) -> MODEL, CLIP, VAE, CLIP_VISION`],
    [`GLIGENLoader(gligen_name: @gligen) -> GLIGEN`],
    [
      `CheckpointLoader(
  
      config_name: [anything_v3.yaml|v1-inference.yaml|v1-inference_clip_skip_2.yaml|v1-inference_clip_skip_2_fp16.yaml|v1-inference_fp16.yaml|v1-inpainting-inference.yaml|v2-inference-v.yaml|v2-inference-v_fp32.yaml|v2-inference.yaml|v2-inference_fp32.yaml|v2-inpainting-inference.yaml],
      ckpt_name: @checkpoints
    ) -> MODEL, CLIP, VAE`,
    ],
    [
      `LoraLoaderModelOnly(
      model: MODEL, lora_name: @loras, strength_model: FLOAT=1 -100..100 /0.01
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hypernetwork', category: 'model/loaders' }, [
    [
      `HypernetworkLoader(
      model: MODEL, hypernetwork_name: COMBO@hypernetworks, strength: FLOAT=1 -10..10 /0.01
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_upscale_model', category: 'model/loaders' }, [
    [
      `UpscaleModelLoader(model_name: COMBO@upscale_models) -> UPSCALE_MODEL`,
      loadUpscaler,
      { title: 'Load Upscale Model' },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_video_model', category: 'model/loaders' }, [
    [`ImageOnlyCheckpointLoader(ckpt_name: @checkpoints) -> MODEL, CLIP_VISION, VAE`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_photomaker', category: 'model/loaders' }, [
    [`PhotoMakerLoader(photomaker_model_name: COMBO@photomaker) -> PHOTOMAKER`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_sd3', category: 'model/loaders' }, [
    [
      `TripleCLIPLoader(
      clip_name1: COMBO@text_encoders, clip_name2: COMBO@text_encoders,
      clip_name3: COMBO@text_encoders
    ) -> CLIP`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hunyuan', category: 'model/loaders' }, [
    [`LatentUpscaleModelLoader(model_name: COMBO@latent_upscale_models) -> LATENT_UPSCALE_MODEL`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_lt_audio', category: 'model/loaders' }, [
    [`LTXVAudioVAELoader(ckpt_name: COMBO@checkpoints) -> Audio VAE: VAE`],
    [
      `LTXAVTextEncoderLoader(
      text_encoder: COMBO@text_encoders, ckpt_name: COMBO@checkpoints, device: COMBO[default|cpu]
    ) -> CLIP`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hidream', category: 'model/loaders' }, [
    [
      `QuadrupleCLIPLoader(
      clip_name1: COMBO@text_encoders, clip_name2: COMBO@text_encoders,
      clip_name3: COMBO@text_encoders, clip_name4: COMBO@text_encoders
    ) -> CLIP`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_model_patch', category: 'model/loaders' }, [
    [`ModelPatchLoader(name: @model_patches) -> MODEL_PATCH`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_frame_interpolation', category: 'model/loaders' }, [
    [`FrameInterpolationModelLoader(model_name: COMBO@frame_interpolation) -> INTERP_MODEL`],
  ]),
];
