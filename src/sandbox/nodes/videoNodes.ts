import { nodeTable } from './nodeTable';
import type { SandboxNode } from './sandboxNode';
import { scheduleSteps } from './samplers';
import { createVideo, saveVideo } from './videoEdits';

/** What video models need; videos are drawn as batches of a few frames. */
export const videoNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'comfy_extras.nodes_video', category: 'video' }, [
    [
      `CreateVideo(images: IMAGE, fps: FLOAT=30 1..120 /1, audio?: AUDIO, bit_depth?: INT=8 8..10 /2) -> VIDEO`,
      createVideo,
      { about: 'Joins a batch to a video; the sandbox leaves out its sound.' },
    ],
    [
      `SaveVideo(
      video: VIDEO, filename_prefix: STRING="video/ComfyUI", format: COMBO[auto|mp4], codec?: COMBO[auto|h264]
    ) -> video: VIDEO`,
      saveVideo,
      { about: 'Saves a video as MP4 in the output folder.', output: true },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_video_model', category: 'model/conditioning/stable video' }, [
    [
      `SVD_img2vid_Conditioning(
      clip_vision: CLIP_VISION, init_image: IMAGE, vae: VAE, width: INT=1024 16..16384 /8,
      height: INT=576 16..16384 /8, video_frames: INT=14 1..4096, motion_bucket_id: INT=127 1..1023,
      fps: INT=6 1..1024, augmentation_level: FLOAT=0 0..10 /0.01
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_video_model', category: 'model/sampling/guiders' }, [
    [`VideoLinearCFGGuidance(model: MODEL, min_cfg: FLOAT=1 0..100 /0.5) -> MODEL`],
    [`VideoTriangleCFGGuidance(model: MODEL, min_cfg: FLOAT=1 0..100 /0.5) -> MODEL`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_stable3d', category: 'model/conditioning/stable zero123' }, [
    [
      `StableZero123_Conditioning(
      clip_vision: CLIP_VISION, init_image: IMAGE, vae: VAE, width: INT=256 16..16384 /8,
      height: INT=256 16..16384 /8, batch_size: INT=1 1..4096, elevation: FLOAT=0 -180..180 /0.1,
      azimuth: FLOAT=0 -180..180 /0.1
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hunyuan', category: 'model/conditioning/hunyuan image' }, [
    [
      `CLIPTextEncodeHunyuanDiT(
      clip: CLIP, bert: STRING multiline dynamicPrompts, mt5xl: STRING multiline dynamicPrompts
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hunyuan', category: 'model/conditioning/hunyuan video' }, [
    [
      `TextEncodeHunyuanVideo_ImageToVideo(
      clip: CLIP, clip_vision_output: CLIP_VISION_OUTPUT, prompt: STRING multiline dynamicPrompts,
      image_interleave?: INT=2 1..512
    ) -> CONDITIONING`,
    ],
    [
      `HunyuanImageToVideo(
      positive: CONDITIONING, vae: VAE, width: INT=848 16..16384 /16, height: INT=480 16..16384 /16,
      length: INT=53 1..16384 /4, batch_size: INT=1 1..4096,
      guidance_type?: COMBO[v1 (concat)|v2 (replace)|custom], start_image?: IMAGE
    ) -> positive: CONDITIONING, latent: LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hunyuan', category: 'model/latent/hunyuan video' }, [
    [
      `EmptyHunyuanLatentVideo(
      width: INT=848 16..16384 /16, height: INT=480 16..16384 /16, length: INT=25 1..16384 /4,
      batch_size: INT=1 1..4096
    ) -> LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_hunyuan', category: 'model/latent/hunyuan image' }, [
    [
      `EmptyHunyuanImageLatent(
      width: INT=2048 64..16384 /32, height: INT=2048 64..16384 /32, batch_size: INT=1 1..4096
    ) -> LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_mochi', category: 'model/latent/mochi' }, [
    [
      `EmptyMochiLatentVideo(
      width: INT=848 16..16384 /16, height: INT=480 16..16384 /16, length: INT=25 7..16384 /6,
      batch_size: INT=1 1..4096
    ) -> LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_lt_upsampler', category: 'model/latent/ltxv' }, [
    [`LTXVLatentUpsampler(samples: LATENT, upscale_model: LATENT_UPSCALE_MODEL, vae: VAE) -> LATENT`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_minimax_h3', category: 'model/conditioning/minimax' }, [
    [
      `MiniMaxH3ImageToVideo(
      clip: CLIP, vae: VAE, prompt: STRING multiline dynamicPrompts, width: INT=1344 32..16384 /32,
      height: INT=768 32..16384 /32, length: INT=124 5..3600 /17, first_frame?: IMAGE,
      last_frame?: IMAGE
    ) -> positive: CONDITIONING, LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_minimax_h3', category: 'model/patch/minimax' }, [
    [
      `MiniMaxH3SigmaShift(
      model: MODEL, shift_video: FLOAT=12 0.01..100 /0.01, shift_audio: FLOAT=3 0.01..100 /0.01
    ) -> MODEL`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_lt', category: 'model/latent/ltxv' }, [
    [
      `EmptyLTXVLatentVideo(
      width: INT=768 64..16384 /32, height: INT=512 64..16384 /32, length: INT=97 1..16384 /8,
      batch_size: INT=1 1..4096
    ) -> LATENT`,
    ],
    [`LTXVConcatAVLatent(video_latent: LATENT, audio_latent: LATENT) -> latent: LATENT`],
    [`LTXVSeparateAVLatent(av_latent: LATENT) -> video_latent: LATENT, audio_latent: LATENT`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_lt', category: 'model/conditioning/ltxv' }, [
    [
      `LTXVImgToVideo(
      positive: CONDITIONING, negative: CONDITIONING, vae: VAE, image: IMAGE,
      width: INT=768 64..16384 /32, height: INT=512 64..16384 /32, length: INT=97 9..16384 /8,
      batch_size: INT=1 1..4096, strength?: FLOAT=1 0..1
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT`,
    ],
    [
      `LTXVImgToVideoInplace(
      vae: VAE, image: IMAGE, latent: LATENT, strength: FLOAT=1 0..1, bypass: BOOLEAN=false
    ) -> latent: LATENT`,
    ],
    [
      `LTXVConditioning(
      positive: CONDITIONING, negative: CONDITIONING, frame_rate: FLOAT=25 0..1000 /0.01
    ) -> positive: CONDITIONING, negative: CONDITIONING`,
    ],
    [
      `LTXVCropGuides(
      positive: CONDITIONING, negative: CONDITIONING, latent: LATENT
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_lt', category: 'model/sampling/schedulers' }, [
    [
      `LTXVScheduler(
      steps: INT=20 1..10000, max_shift: FLOAT=2.05 0..100 /0.01,
      base_shift: FLOAT=0.95 0..100 /0.01, stretch: BOOLEAN=true, terminal: FLOAT=0.1 0..0.99 /0.01,
      latent?: LATENT
    ) -> SIGMAS`,
      scheduleSteps,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_lt', category: 'video/preprocessors' }, [
    [`LTXVPreprocess(image: IMAGE, img_compression: INT=35 0..100) -> output_image: IMAGE`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_cosmos', category: 'model/latent/cosmos' }, [
    [
      `EmptyCosmosLatentVideo(
      width: INT=1280 16..16384 /16, height: INT=704 16..16384 /16, length: INT=121 1..16384 /8,
      batch_size: INT=1 1..4096
    ) -> LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_wan', category: 'model/conditioning/wan' }, [
    [
      `WanImageToVideo(
      positive: CONDITIONING, negative: CONDITIONING, vae: VAE, width: INT=832 16..16384 /16,
      height: INT=480 16..16384 /16, length: INT=81 1..16384 /4, batch_size: INT=1 1..4096,
      clip_vision_output?: CLIP_VISION_OUTPUT, start_image?: IMAGE
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT`,
    ],
    [
      `WanFirstLastFrameToVideo(
      positive: CONDITIONING, negative: CONDITIONING, vae: VAE, width: INT=832 16..16384 /16,
      height: INT=480 16..16384 /16, length: INT=81 1..16384 /4, batch_size: INT=1 1..4096,
      clip_vision_start_image?: CLIP_VISION_OUTPUT, clip_vision_end_image?: CLIP_VISION_OUTPUT,
      start_image?: IMAGE, end_image?: IMAGE
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT`,
    ],
    [
      `Wan22ImageToVideoLatent(
      vae: VAE, width: INT=1280 32..16384 /32, height: INT=704 32..16384 /32,
      length: INT=49 1..16384 /4, batch_size: INT=1 1..4096, start_image?: IMAGE
    ) -> LATENT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_wan', category: 'model/conditioning/wan/vace' }, [
    [
      `WanVaceToVideo(
      positive: CONDITIONING, negative: CONDITIONING, vae: VAE, width: INT=832 16..16384 /16,
      height: INT=480 16..16384 /16, length: INT=81 1..16384 /4, batch_size: INT=1 1..4096,
      strength: FLOAT=1 0..1000 /0.01, control_video?: IMAGE, control_masks?: MASK,
      reference_image?: IMAGE
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT, trim_latent: INT`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_wan', category: 'model/conditioning/wan/camera' }, [
    [
      `WanCameraImageToVideo(
      positive: CONDITIONING, negative: CONDITIONING, vae: VAE, width: INT=832 16..16384 /16,
      height: INT=480 16..16384 /16, length: INT=81 1..16384 /4, batch_size: INT=1 1..4096,
      clip_vision_output?: CLIP_VISION_OUTPUT, start_image?: IMAGE,
      camera_conditions?: WAN_CAMERA_EMBEDDING
    ) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT`,
    ],
  ]),
  ...nodeTable(
    { module: 'comfy_extras.nodes_camera_trajectory', category: 'model/conditioning/wan/camera' },
    [
      [
        `WanCameraEmbedding(
  
      camera_pose: COMBO[Static|Pan Up|Pan Down|Pan Left|Pan Right|Zoom In|Zoom Out|Anti Clockwise (ACW)|ClockWise (CW)],
      width: INT=832 16..16384 /16, height: INT=480 16..16384 /16, length: INT=81 1..16384 /4,
      speed?: FLOAT=1 0..10 /0.1, fx?: FLOAT=0.5 0..1 /1e-09, fy?: FLOAT=0.5 0..1 /1e-09,
      cx?: FLOAT=0.5 0..1 /0.01, cy?: FLOAT=0.5 0..1 /0.01
    ) -> camera_embedding: WAN_CAMERA_EMBEDDING, width: INT, height: INT, length: INT`,
      ],
    ],
  ),
];
