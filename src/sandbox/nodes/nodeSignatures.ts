/**
 * Every node type of the sandbox with its inputs and outputs, one per line, written like a function (`parseSignature`
 * reads them). `# module: category` is the place of the lines below it, or of the line that it ends; after `--` comes
 * the title, if any. Lists come first: shared choices (`$`), and the model files that loaders offer (`@`), which are
 * the names most common in workflow files. The sandbox needs none of these files and accepts any other name as well.
 *
 *     ImageScale(image: IMAGE, upscale_method: $resizing, width: INT=512 0..16384, crop: [disabled|center]) -> IMAGE
 *
 * - `name?: …` is an optional input; `=…` the default, as JSON; `a..b` the limits (`a..` has no upper one); `/s` the step
 * - `[a|b]` is a choice, `$resizing` and `@checkpoints` one of a list, `@*` a file of the input area
 * - `SEED` is an integer up to 2^64-1 that can be randomized; words after the type are options set to true
 * - `COMBO` before a choice writes it in the newer form of node definitions
 * - an output is a type, or `name: TYPE`; `TYPE[]` gives a list
 *
 * Names, types and limits are those of ComfyUI 0.33. Inputs added by later versions are optional here, so that older
 * files still run. What a node type does, if anything, is in `behaviours.ts`.
 */
export const nodeSignatures = `
$samplers = euler|euler_cfg_pp|euler_ancestral|euler_ancestral_cfg_pp|heun|heunpp2|exp_heun_2_x0|exp_heun_2_x0_sde|dpm_2|dpm_2_ancestral|lms|dpm_fast|dpm_adaptive|dpmpp_2s_ancestral|dpmpp_2s_ancestral_cfg_pp|dpmpp_sde|dpmpp_sde_gpu|dpmpp_2m|dpmpp_2m_cfg_pp|dpmpp_2m_sde|dpmpp_2m_sde_gpu|dpmpp_2m_sde_heun|dpmpp_2m_sde_heun_gpu|dpmpp_3m_sde|dpmpp_3m_sde_gpu|ddpm|lcm|ipndm|ipndm_v|deis|res_multistep|res_multistep_cfg_pp|res_multistep_ancestral|res_multistep_ancestral_cfg_pp|gradient_estimation|gradient_estimation_cfg_pp|er_sde|seeds_2|seeds_3|sa_solver|sa_solver_pece|ddim|uni_pc|uni_pc_bh2
$schedulers = simple|sgm_uniform|karras|exponential|ddim_uniform|beta|normal|linear_quadratic|kl_optimal
$resizing = nearest-exact|bilinear|area|bicubic|lanczos
$latentResizing = nearest-exact|bilinear|area|bicubic|bislerp
@checkpoints = v1-5-pruned-emaonly.safetensors|v1-5-pruned-emaonly.ckpt|v1-5-pruned-emaonly-fp16.safetensors|sd_xl_base_1.0.safetensors|sd_xl_refiner_1.0.safetensors|sd_xl_turbo_1.0_fp16.safetensors|v2-1_768-ema-pruned.ckpt|v2-1_768-ema-pruned.safetensors|512-inpainting-ema.safetensors|sd-v1-5-inpainting.ckpt|dreamshaper_8.safetensors|Anything-V3.0.ckpt|flux1-dev-fp8.safetensors|flux1-schnell-fp8.safetensors|sd3_medium.safetensors|sd3.5_medium.safetensors|sd3.5_large.safetensors|stable_cascade_stage_b.safetensors|stable_cascade_stage_c.safetensors|ltx-video-2b-v0.9.5.safetensors|svd_xt.safetensors|ace_step_v1_3.5b.safetensors|stable-audio-open-1.0.safetensors
@diffusion_models = flux1-dev.safetensors|flux1-dev-fp8.safetensors|flux1-schnell.safetensors|flux1-fill-dev.safetensors|flux1-canny-dev.safetensors|flux1-kontext-dev.safetensors|qwen_image_fp8_e4m3fn.safetensors|omnigen2_fp16.safetensors|hidream_i1_full_fp8.safetensors|hidream_e1_full_bf16.safetensors|chroma-unlocked-v47-detail-calibrated.safetensors|hunyuan_video_t2v_720p_bf16.safetensors|hunyuan_video_image_to_video_720p_bf16.safetensors|wan2.1_t2v_1.3B_bf16.safetensors|cosmos_predict2_2B_t2i.pt|mochi_preview_bf16.safetensors
@vae = ae.safetensors|vae-ft-mse-840000-ema-pruned.safetensors|sdxl_vae.safetensors|qwen_image_vae.safetensors|wan_2.1_vae.safetensors|flux2-vae.safetensors|hunyuan_video_vae_bf16.safetensors|mochi_vae.safetensors|kl-f8-anime2.ckpt|blessed2.vae.pt|pixel_space
@loras = lcm_lora_sdxl.safetensors|flux1-depth-dev-lora.safetensors|Qwen-Image-Lightning-4steps-V1.0.safetensors|epiNoiseoffset_v2.safetensors|theovercomer8sContrastFix_sd15.safetensors
@text_encoders = clip_l.safetensors|clip_g.safetensors|t5xxl_fp16.safetensors|t5xxl_fp8_e4m3fn.safetensors|t5xxl_fp8_e4m3fn_scaled.safetensors|umt5_xxl_fp8_e4m3fn_scaled.safetensors|qwen_2.5_vl_7b_fp8_scaled.safetensors|qwen_3_4b.safetensors|llama_3.1_8b_instruct_fp8_scaled.safetensors|llava_llama3_fp8_scaled.safetensors|clip_l_hidream.safetensors|clip_g_hidream.safetensors
@controlnet = control_v11f1e_sd15_tile.pth|control_v11p_sd15_canny.pth|control_openpose.safetensors|control_scribble.safetensors|t2iadapter_depth_sd14v1.pth|instantx_flux_canny.safetensors|sd3_controlnet_canny.safetensors
@upscale_models = RealESRGAN_x4plus.pth|RealESRGAN_x2.pth|RealESRGAN_x8.pth|4x-UltraSharp.pth|4x_NMKD-Superscale-SP_178000_G.pth|4x-lollypop.pth|2x-PSNR.pth
@clip_vision = clip_vision_h.safetensors|clip_vision_g.safetensors|sigclip_vision_patch14_384.safetensors|llava_llama3_vision.safetensors
@style_models = flux1-redux-dev.safetensors
@gligen = gligen_sd14_textbox_pruned.safetensors
@hypernetworks = style.pt
@model_patches = qwen_image_canny_diffsynth_controlnet.safetensors
@latent_upscale_models = ltx-2-spatial-upscaler-x2.safetensors
@frame_interpolation = rife.safetensors
# comfy_extras.nodes_audio: model/latent
EmptyLatentAudio(seconds: FLOAT=47.6 1..1000 /0.1, batch_size: INT=1 1..4096) -> LATENT
VAEEncodeAudio(audio: AUDIO, vae: VAE) -> LATENT
VAEDecodeAudio(samples: LATENT, vae: VAE) -> AUDIO
# comfy_extras.nodes_audio: audio
SaveAudio(audio: AUDIO, filename_prefix: STRING="audio/ComfyUI") -> audio: AUDIO
LoadAudio(audio: COMBO@* audio_upload) -> AUDIO
PreviewAudio(audio: AUDIO) -> audio: AUDIO
TrimAudioDuration(audio: AUDIO, start_index: FLOAT=0 -18446744073709551615..18446744073709551615 /0.01, duration: FLOAT=60 0.. /0.01) -> AUDIO
AudioConcat(audio1: AUDIO, audio2: AUDIO, direction: COMBO[after|before]) -> AUDIO
AudioMerge(audio1: AUDIO, audio2: AUDIO, merge_method: COMBO[add|mean|subtract|multiply]) -> AUDIO
AudioAdjustVolume(audio: AUDIO, volume: INT=1 -100..100) -> AUDIO
EmptyAudio(duration: FLOAT=60 0..18446744073709551615 /0.01, sample_rate: INT=44100 1..192000, channels: INT=2 1..2) -> AUDIO
# comfy_extras.nodes_lt_audio: model/latent/ltxv
LTXVAudioVAEEncode(audio: AUDIO, audio_vae: VAE) -> Audio Latent: LATENT
LTXVAudioVAEDecode(samples: LATENT, audio_vae: VAE) -> Audio: AUDIO
LTXVEmptyLatentAudio(frames_number: INT=97 1..1000, frame_rate: FLOAT,INT=25 1..1000 /0.01, batch_size: INT=1 1..4096, audio_vae: VAE) -> Latent: LATENT
TextEncodeAceStepAudio(clip: CLIP, tags: STRING multiline dynamicPrompts, lyrics: STRING multiline dynamicPrompts, lyrics_strength: FLOAT=1 0..10 /0.01) -> CONDITIONING # comfy_extras.nodes_ace: model/conditioning/ace
EmptyAceStepLatentAudio(seconds: FLOAT=120 1..1000 /0.1, batch_size: INT=1 1..4096) -> LATENT # comfy_extras.nodes_ace: model/latent/ace
# nodes: model/conditioning
CLIPTextEncode(text: STRING multiline dynamicPrompts, clip: CLIP) -> CONDITIONING -- CLIP Text Encode (Prompt)
CLIPVisionEncode(clip_vision: CLIP_VISION, image: IMAGE, crop?: [center|none]) -> CLIP_VISION_OUTPUT
StyleModelApply(conditioning: CONDITIONING, style_model: STYLE_MODEL, clip_vision_output: CLIP_VISION_OUTPUT, strength: FLOAT=1 0..10 /0.001, strength_type: [multiply|attn_bias]) -> CONDITIONING
unCLIPConditioning(conditioning: CONDITIONING, clip_vision_output: CLIP_VISION_OUTPUT, strength: FLOAT=1 -10..10 /0.01, noise_augmentation: FLOAT=0 0..1 /0.01) -> CONDITIONING
InpaintModelConditioning(positive: CONDITIONING, negative: CONDITIONING, vae: VAE, pixels: IMAGE, mask: MASK, noise_mask: BOOLEAN=true) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT
CLIPSetLastLayer(clip: CLIP, stop_at_clip_layer: INT=-1 -24..-1) -> CLIP
# nodes: model/conditioning/transform
ConditioningCombine(conditioning_1: CONDITIONING, conditioning_2: CONDITIONING) -> CONDITIONING
ConditioningConcat(conditioning_to: CONDITIONING, conditioning_from: CONDITIONING) -> CONDITIONING
ConditioningSetArea(conditioning: CONDITIONING, width: INT=64 64..16384 /8, height: INT=64 64..16384 /8, x: INT=0 0..16384 /8, y: INT=0 0..16384 /8, strength: FLOAT=1 0..10 /0.01) -> CONDITIONING
ConditioningSetMask(conditioning: CONDITIONING, mask: MASK, strength: FLOAT=1 0..10 /0.01, set_cond_area: [default|mask bounds]) -> CONDITIONING
ConditioningZeroOut(conditioning: CONDITIONING) -> CONDITIONING
ConditioningSetTimestepRange(conditioning: CONDITIONING, start: FLOAT=0 0..1 /0.001, end: FLOAT=1 0..1 /0.001) -> CONDITIONING
# nodes: model/conditioning/controlnet
ControlNetApply(conditioning: CONDITIONING, control_net: CONTROL_NET, image: IMAGE, strength: FLOAT=1 0..10 /0.01) -> CONDITIONING
ControlNetApplyAdvanced(positive: CONDITIONING, negative: CONDITIONING, control_net: CONTROL_NET, image: IMAGE, strength: FLOAT=1 0..10 /0.01, start_percent: FLOAT=0 0..1 /0.001, end_percent: FLOAT=1 0..1 /0.001, vae?: VAE) -> positive: CONDITIONING, negative: CONDITIONING
GLIGENTextBoxApply(conditioning_to: CONDITIONING, clip: CLIP, gligen_textbox_model: GLIGEN, text: STRING multiline dynamicPrompts, width: INT=64 8..16384 /8, height: INT=64 8..16384 /8, x: INT=0 0..16384 /8, y: INT=0 0..16384 /8) -> CONDITIONING # nodes: model/conditioning/gligen
# comfy_extras.nodes_clip_sdxl: model/conditioning/stable diffusion
CLIPTextEncodeSDXLRefiner(ascore: FLOAT=6 0..1000 /0.01, width: INT=1024 0..16384, height: INT=1024 0..16384, text: STRING multiline dynamicPrompts, clip: CLIP) -> CONDITIONING
CLIPTextEncodeSDXL(clip: CLIP, width: INT=1024 0..16384, height: INT=1024 0..16384, crop_w: INT=0 0..16384, crop_h: INT=0 0..16384, target_width: INT=1024 0..16384, target_height: INT=1024 0..16384, text_g: STRING multiline dynamicPrompts, text_l: STRING multiline dynamicPrompts) -> CONDITIONING
StableCascade_StageB_Conditioning(conditioning: CONDITIONING, stage_c: LATENT) -> CONDITIONING # comfy_extras.nodes_stable_cascade: model/conditioning/stable cascade
InstructPixToPixConditioning(positive: CONDITIONING, negative: CONDITIONING, vae: VAE, pixels: IMAGE) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT # comfy_extras.nodes_ip2p: model/conditioning/instructpix2pix
CLIPTextEncodeSD3(clip: CLIP, clip_l: STRING multiline dynamicPrompts, clip_g: STRING multiline dynamicPrompts, t5xxl: STRING multiline dynamicPrompts, empty_padding: COMBO[none|empty_prompt]) -> CONDITIONING # comfy_extras.nodes_sd3: model/conditioning/stable diffusion
ControlNetApplySD3(positive: CONDITIONING, negative: CONDITIONING, control_net: CONTROL_NET, vae: VAE, image: IMAGE, strength: FLOAT=1 0..10 /0.01, start_percent: FLOAT=0 0..1 /0.001, end_percent: FLOAT=1 0..1 /0.001) -> positive: CONDITIONING, negative: CONDITIONING # comfy_extras.nodes_sd3: model/conditioning/controlnet
# comfy_extras.nodes_controlnet: model/conditioning/controlnet
ControlNetInpaintingAliMamaApply(positive: CONDITIONING, negative: CONDITIONING, control_net: CONTROL_NET, vae: VAE, image: IMAGE, mask: MASK, strength: FLOAT=1 0..10 /0.01, start_percent: FLOAT=0 0..1 /0.001, end_percent: FLOAT=1 0..1 /0.001) -> positive: CONDITIONING, negative: CONDITIONING
SetUnionControlNetType(control_net: CONTROL_NET, type: COMBO[auto|openpose|depth|hed/pidi/scribble/ted|canny/lineart/anime_lineart/mlsd|normal|segment|tile|repaint]) -> CONTROL_NET
# comfy_extras.nodes_flux: model/conditioning/flux
CLIPTextEncodeFlux(clip: CLIP, clip_l: STRING multiline dynamicPrompts, t5xxl: STRING multiline dynamicPrompts, guidance: FLOAT=3.5 0..100 /0.1) -> CONDITIONING
FluxGuidance(conditioning: CONDITIONING, guidance: FLOAT=3.5 0..100 /0.1) -> CONDITIONING
FluxKontextMultiReferenceLatentMethod(conditioning: CONDITIONING, reference_latents_method: COMBO[offset|index|uxo/uno|index_timestep_zero]) -> CONDITIONING
FluxKontextImageScale(image: IMAGE) -> IMAGE
# comfy_extras.nodes_hooks: advanced/hooks/cond pair
PairConditioningSetProperties(positive_NEW: CONDITIONING, negative_NEW: CONDITIONING, strength: FLOAT=1 0..10 /0.01, set_cond_area: [default|mask bounds], mask?: MASK, hooks?: HOOKS, timesteps?: TIMESTEPS_RANGE) -> positive: CONDITIONING, negative: CONDITIONING
PairConditioningSetPropertiesAndCombine(positive: CONDITIONING, negative: CONDITIONING, positive_NEW: CONDITIONING, negative_NEW: CONDITIONING, strength: FLOAT=1 0..10 /0.01, set_cond_area: [default|mask bounds], mask?: MASK, hooks?: HOOKS, timesteps?: TIMESTEPS_RANGE) -> positive: CONDITIONING, negative: CONDITIONING
LotusConditioning() -> conditioning: CONDITIONING # comfy_extras.nodes_lotus: model/conditioning/lotus
ReferenceLatent(conditioning: CONDITIONING, latent?: LATENT) -> CONDITIONING # comfy_extras.nodes_edit_model: model/conditioning
# comfy_extras.nodes_qwen: model/conditioning/qwen image
TextEncodeQwenImageEdit(clip: CLIP, prompt: STRING multiline dynamicPrompts, vae?: VAE, image?: IMAGE) -> CONDITIONING
TextEncodeQwenImageEditPlus(clip: CLIP, prompt: STRING multiline dynamicPrompts, vae?: VAE, image1?: IMAGE, image2?: IMAGE, image3?: IMAGE) -> CONDITIONING
# nodes: model/latent
VAEDecode(samples: LATENT, vae: VAE) -> IMAGE -- VAE Decode
VAEEncode(pixels: IMAGE, vae: VAE) -> LATENT -- VAE Encode
VAEEncodeForInpaint(pixels: IMAGE, vae: VAE, mask: MASK, grow_mask_by: INT=6 0..64) -> LATENT
EmptyLatentImage(width: INT=512 16..16384 /8, height: INT=512 16..16384 /8, batch_size: INT=1 1..4096) -> LATENT -- Empty Latent Image
LatentUpscale(samples: LATENT, upscale_method: $latentResizing, width: INT=512 0..16384 /8, height: INT=512 0..16384 /8, crop: [disabled|center]) -> LATENT
LatentUpscaleBy(samples: LATENT, upscale_method: $latentResizing, scale_by: FLOAT=1.5 0.01..8 /0.01) -> LATENT
SetLatentNoiseMask(samples: LATENT, mask: MASK) -> LATENT
LatentComposite(samples_to: LATENT, samples_from: LATENT, x: INT=0 0..16384 /8, y: INT=0 0..16384 /8, feather: INT=0 0..16384 /8) -> LATENT
VAEDecodeTiled(samples: LATENT, vae: VAE, tile_size: INT=512 64..4096 /32, overlap?: INT=64 0..4096 /32, temporal_size?: INT=64 8..4096 /4, temporal_overlap?: INT=8 4..4096 /4) -> IMAGE
VAEEncodeTiled(pixels: IMAGE, vae: VAE, tile_size: INT=512 64..4096 /64, overlap?: INT=64 0..4096 /32, temporal_size?: INT=64 8..4096 /4, temporal_overlap?: INT=8 4..4096 /4) -> LATENT
SaveLatent(samples: LATENT, filename_prefix: STRING="latents/ComfyUI") -> samples: LATENT
# nodes: model/latent/batch
LatentFromBatch(samples: LATENT, batch_index: INT=0 -16384..16384, length: INT=1 1..64) -> LATENT
RepeatLatentBatch(samples: LATENT, amount: INT=1 1..64) -> LATENT
LatentCrop(samples: LATENT, width: INT=512 64..16384 /8, height: INT=512 64..16384 /8, x: INT=0 0..16384 /8, y: INT=0 0..16384 /8) -> LATENT # nodes: model/latent/transform
LatentConcat(samples1: LATENT, samples2: LATENT, dim: COMBO[x|-x|y|-y|t|-t]) -> LATENT # comfy_extras.nodes_latent: model/latent/advanced
LatentCompositeMasked(destination: LATENT, source: LATENT, x: INT=0 0..16384 /8, y: INT=0 0..16384 /8, resize_source: BOOLEAN=false, mask?: MASK) -> LATENT # comfy_extras.nodes_mask: model/latent
# comfy_extras.nodes_stable_cascade: model/latent/stable cascade
StableCascade_EmptyLatentImage(width: INT=1024 256..16384 /8, height: INT=1024 256..16384 /8, compression: INT=42 4..128, batch_size: INT=1 1..4096) -> stage_c: LATENT, stage_b: LATENT
StableCascade_StageC_VAEEncode(image: IMAGE, vae: VAE, compression: INT=42 4..128) -> stage_c: LATENT, stage_b: LATENT
EmptySD3LatentImage(width: INT=1024 16..16384 /16, height: INT=1024 16..16384 /16, batch_size: INT=1 1..4096) -> LATENT # comfy_extras.nodes_sd3: model/latent/stable diffusion
EmptyFlux2LatentImage(width: INT=1024 16..16384 /16, height: INT=1024 16..16384 /16, batch_size: INT=1 1..4096) -> LATENT # comfy_extras.nodes_flux: model/latent/flux
EmptyQwenImageLayeredLatentImage(width: INT=640 16..16384 /16, height: INT=640 16..16384 /16, layers: INT=3 0..16384, batch_size: INT=1 1..4096) -> LATENT # comfy_extras.nodes_qwen: model/latent/qwen
EmptyChromaRadianceLatentImage(width: INT=1024 16..16384 /16, height: INT=1024 16..16384 /16, batch_size: INT=1 1..4096) -> LATENT # comfy_extras.nodes_chroma_radiance: model/latent/chroma radiance
# nodes: model/loaders
CheckpointLoaderSimple(ckpt_name: @checkpoints) -> MODEL, CLIP, VAE -- Load Checkpoint
VAELoader(vae_name: @vae) -> VAE -- Load VAE
LoraLoader(model: MODEL, clip: CLIP, lora_name: @loras, strength_model: FLOAT=1 -100..100 /0.01, strength_clip: FLOAT=1 -100..100 /0.01) -> MODEL, CLIP -- Load LoRA
CLIPLoader(clip_name: @text_encoders, type: [stable_diffusion|stable_cascade|sd3|stable_audio|mochi|ltxv|pixart|cosmos|lumina2|wan|hidream|chroma|ace|omnigen2|qwen_image|hunyuan_image|flux2|ovis|longcat_image|cogvideox|lens|pixeldit|ideogram4|boogu|krea2|joyimage|mage|minimax], device?: [default|cpu]) -> CLIP -- Load CLIP
UNETLoader(unet_name: @diffusion_models, weight_dtype: [default|fp8_e4m3fn|fp8_e4m3fn_fast|fp8_e5m2]) -> MODEL -- Load Diffusion Model
DualCLIPLoader(clip_name1: @text_encoders, clip_name2: @text_encoders, type: [sdxl|sd3|flux|hunyuan_video|hidream|hunyuan_image|hunyuan_video_15|kandinsky5|kandinsky5_image|ltxv|newbie|ace], device?: [default|cpu]) -> CLIP
ControlNetLoader(control_net_name: @controlnet) -> CONTROL_NET -- Load ControlNet Model
DiffControlNetLoader(model: MODEL, control_net_name: @controlnet) -> CONTROL_NET
StyleModelLoader(style_model_name: @style_models) -> STYLE_MODEL
CLIPVisionLoader(clip_name: @clip_vision) -> CLIP_VISION
unCLIPCheckpointLoader(ckpt_name: @checkpoints) -> MODEL, CLIP, VAE, CLIP_VISION
GLIGENLoader(gligen_name: @gligen) -> GLIGEN
CheckpointLoader(config_name: [anything_v3.yaml|v1-inference.yaml|v1-inference_clip_skip_2.yaml|v1-inference_clip_skip_2_fp16.yaml|v1-inference_fp16.yaml|v1-inpainting-inference.yaml|v2-inference-v.yaml|v2-inference-v_fp32.yaml|v2-inference.yaml|v2-inference_fp32.yaml|v2-inpainting-inference.yaml], ckpt_name: @checkpoints) -> MODEL, CLIP, VAE
LoadLoraModel(model: MODEL, loras: COMFY_DYNAMICGROUP_V3) -> MODEL
LoraLoaderModelOnly(model: MODEL, lora_name: @loras, strength_model: FLOAT=1 -100..100 /0.01) -> MODEL
HypernetworkLoader(model: MODEL, hypernetwork_name: COMBO@hypernetworks, strength: FLOAT=1 -10..10 /0.01) -> MODEL # comfy_extras.nodes_hypernetwork: model/loaders
UpscaleModelLoader(model_name: COMBO@upscale_models) -> UPSCALE_MODEL -- Load Upscale Model # comfy_extras.nodes_upscale_model: model/loaders
ImageOnlyCheckpointLoader(ckpt_name: @checkpoints) -> MODEL, CLIP_VISION, VAE # comfy_extras.nodes_video_model: model/loaders
TripleCLIPLoader(clip_name1: COMBO@text_encoders, clip_name2: COMBO@text_encoders, clip_name3: COMBO@text_encoders) -> CLIP # comfy_extras.nodes_sd3: model/loaders
LatentUpscaleModelLoader(model_name: COMBO@latent_upscale_models) -> LATENT_UPSCALE_MODEL # comfy_extras.nodes_hunyuan: model/loaders
# comfy_extras.nodes_lt_audio: model/loaders
LTXVAudioVAELoader(ckpt_name: COMBO@checkpoints) -> Audio VAE: VAE
LTXAVTextEncoderLoader(text_encoder: COMBO@text_encoders, ckpt_name: COMBO@checkpoints, device: COMBO[default|cpu]) -> CLIP
QuadrupleCLIPLoader(clip_name1: COMBO@text_encoders, clip_name2: COMBO@text_encoders, clip_name3: COMBO@text_encoders, clip_name4: COMBO@text_encoders) -> CLIP # comfy_extras.nodes_hidream: model/loaders
ModelPatchLoader(name: @model_patches) -> MODEL_PATCH # comfy_extras.nodes_model_patch: model/loaders
FrameInterpolationModelLoader(model_name: COMBO@frame_interpolation) -> INTERP_MODEL # comfy_extras.nodes_frame_interpolation: model/loaders
# nodes: image
LoadImageMask(image: @* image_upload, channel: [alpha|red|green|blue]) -> MASK
SaveImage(images: IMAGE, filename_prefix: STRING="ComfyUI") -> images: IMAGE
PreviewImage(images: IMAGE) -> images: IMAGE
LoadImage(image: @* image_upload) -> IMAGE, MASK -- Load Image
LoadImageOutput(image: COMBO@* image_upload) -> IMAGE, MASK
EmptyImage(width: INT=512 1..16384, height: INT=512 1..16384, batch_size: INT=1 1..4096, color: INT=0 0..16777215) -> IMAGE
# comfy_extras.nodes_mask: image/mask
MaskToImage(mask: MASK) -> IMAGE
ImageToMask(image: IMAGE, channel: COMBO[red|green|blue|alpha]) -> MASK
SolidMask(value: FLOAT=1 0..1 /0.01, width: INT=512 1..16384, height: INT=512 1..16384) -> MASK
InvertMask(mask: MASK) -> MASK
MaskComposite(destination: MASK, source: MASK, x: INT=0 0..16384, y: INT=0 0..16384, operation: COMBO[multiply|add|subtract|and|or|xor]) -> MASK
FeatherMask(mask: MASK, left: INT=0 0..16384, top: INT=0 0..16384, right: INT=0 0..16384, bottom: INT=0 0..16384) -> MASK
GrowMask(mask: MASK, expand: INT=0 -16384..16384, tapered_corners: BOOLEAN=true) -> MASK
ThresholdMask(mask: MASK, value: FLOAT=0.5 0..1 /0.01) -> MASK
MaskPreview(mask: MASK) -> mask: MASK
# comfy_extras.nodes_model_merging: model/merging
ModelMergeSimple(model1: MODEL, model2: MODEL, ratio: FLOAT=1 0..1 /0.01) -> MODEL
ModelMergeBlocks(model1: MODEL, model2: MODEL, input: FLOAT=1 0..1 /0.01, middle: FLOAT=1 0..1 /0.01, out: FLOAT=1 0..1 /0.01) -> MODEL
ModelMergeSubtract(model1: MODEL, model2: MODEL, multiplier: FLOAT=1 -10..10 /0.01) -> MODEL
ModelMergeAdd(model1: MODEL, model2: MODEL) -> MODEL
CLIPMergeSubtract(clip1: CLIP, clip2: CLIP, multiplier: FLOAT=1 -10..10 /0.01) -> CLIP
CLIPMergeAdd(clip1: CLIP, clip2: CLIP) -> CLIP
# comfy_extras.nodes_freelunch: model/patch/unet
FreeU(model: MODEL, b1: FLOAT=1.1 0..10 /0.01, b2: FLOAT=1.2 0..10 /0.01, s1: FLOAT=0.9 0..10 /0.01, s2: FLOAT=0.2 0..10 /0.01) -> MODEL
FreeU_V2(model: MODEL, b1: FLOAT=1.3 0..10 /0.01, b2: FLOAT=1.4 0..10 /0.01, s1: FLOAT=0.9 0..10 /0.01, s2: FLOAT=0.2 0..10 /0.01) -> MODEL
# comfy_extras.nodes_model_advanced: model/patch
ModelSamplingDiscrete(model: MODEL, sampling: [eps|v_prediction|lcm|x0|img_to_img|img_to_img_flow], zsnr: BOOLEAN=false) -> MODEL
ModelSamplingContinuousEDM(model: MODEL, sampling: [v_prediction|edm|edm_playground_v2.5|eps|cosmos_rflow], sigma_max: FLOAT=120 0..1000 /0.001, sigma_min: FLOAT=0.002 0..1000 /0.001) -> MODEL
ModelSamplingAuraFlow(model: MODEL, shift: FLOAT=1.73 0..100 /0.01) -> MODEL
ModelSamplingSD3(model: MODEL, shift: FLOAT=3 0..100 /0.01) -> MODEL # comfy_extras.nodes_model_advanced: model/patch/stable diffusion
ModelSamplingFlux(model: MODEL, max_shift: FLOAT=1.15 0..100 /0.01, base_shift: FLOAT=0.5 0..100 /0.01, width: INT=1024 16..16384 /8, height: INT=1024 16..16384 /8) -> MODEL # comfy_extras.nodes_model_advanced: model/patch/flux
T5TokenizerOptions(clip: CLIP, min_padding: INT=0 0..10000, min_length: INT=0 0..10000) -> CLIP # comfy_extras.nodes_cond: model/conditioning
DifferentialDiffusion(model: MODEL, strength?: FLOAT=1 0..1 /0.01) -> MODEL # comfy_extras.nodes_differential_diffusion: experimental
ModelMergeSDXL(model1: MODEL, model2: MODEL, time_embed.: FLOAT=1 0..1 /0.01, label_emb.: FLOAT=1 0..1 /0.01, input_blocks.0: FLOAT=1 0..1 /0.01, input_blocks.1: FLOAT=1 0..1 /0.01, input_blocks.2: FLOAT=1 0..1 /0.01, input_blocks.3: FLOAT=1 0..1 /0.01, input_blocks.4: FLOAT=1 0..1 /0.01, input_blocks.5: FLOAT=1 0..1 /0.01, input_blocks.6: FLOAT=1 0..1 /0.01, input_blocks.7: FLOAT=1 0..1 /0.01, input_blocks.8: FLOAT=1 0..1 /0.01, middle_block.0: FLOAT=1 0..1 /0.01, middle_block.1: FLOAT=1 0..1 /0.01, middle_block.2: FLOAT=1 0..1 /0.01, output_blocks.0: FLOAT=1 0..1 /0.01, output_blocks.1: FLOAT=1 0..1 /0.01, output_blocks.2: FLOAT=1 0..1 /0.01, output_blocks.3: FLOAT=1 0..1 /0.01, output_blocks.4: FLOAT=1 0..1 /0.01, output_blocks.5: FLOAT=1 0..1 /0.01, output_blocks.6: FLOAT=1 0..1 /0.01, output_blocks.7: FLOAT=1 0..1 /0.01, output_blocks.8: FLOAT=1 0..1 /0.01, out.: FLOAT=1 0..1 /0.01) -> MODEL # comfy_extras.nodes_model_merging_model_specific: model/merging/model specific
PerturbedAttentionGuidance(model: MODEL, scale: FLOAT=3 0..100 /0.01) -> MODEL # comfy_extras.nodes_pag: model/patch/unet
UNetTemporalAttentionMultiply(model: MODEL, self_structural: FLOAT=1 0..10 /0.01, self_temporal: FLOAT=1 0..10 /0.01, cross_structural: FLOAT=1 0..10 /0.01, cross_temporal: FLOAT=1 0..10 /0.01) -> MODEL # comfy_extras.nodes_attention_multiply: experimental/attention_experiments
TorchCompileModel(model: MODEL, backend: COMBO[inductor|cudagraphs]) -> MODEL # comfy_extras.nodes_torch_compile: experimental
SkipLayerGuidanceDiT(model: MODEL, double_layers: STRING="7, 8, 9", single_layers: STRING="7, 8, 9", scale: FLOAT=3 0..10 /0.1, start_percent: FLOAT=0.01 0..1 /0.001, end_percent: FLOAT=0.15 0..1 /0.001, rescaling_scale: FLOAT=0 0..10 /0.01) -> MODEL # comfy_extras.nodes_slg: advanced/guidance
# comfy_extras.nodes_hooks: advanced/hooks/create
CreateHookLora(lora_name: @loras, strength_model: FLOAT=1 -20..20 /0.01, strength_clip: FLOAT=1 -20..20 /0.01, prev_hooks?: HOOKS) -> HOOKS
CreateHookModelAsLora(ckpt_name: @checkpoints, strength_model: FLOAT=1 -20..20 /0.01, strength_clip: FLOAT=1 -20..20 /0.01, prev_hooks?: HOOKS) -> HOOKS
# comfy_extras.nodes_hooks: advanced/hooks/scheduling
SetHookKeyframes(hooks: HOOKS, hook_kf?: HOOK_KEYFRAMES) -> HOOKS
CreateHookKeyframesInterpolated(strength_start: FLOAT=1 0..10 /0.001, strength_end: FLOAT=1 0..10 /0.001, interpolation: [linear|ease_in|ease_out|ease_in_out], start_percent: FLOAT=0 0..1 /0.001, end_percent: FLOAT=1 0..1 /0.001, keyframes_count: INT=5 2..100, print_keyframes: BOOLEAN=false, prev_hook_kf?: HOOK_KEYFRAMES) -> HOOK_KF: HOOK_KEYFRAMES
CombineHooks2(hooks_A?: HOOKS, hooks_B?: HOOKS) -> HOOKS # comfy_extras.nodes_hooks: advanced/hooks/combine
SetClipHooks(clip: CLIP, apply_to_conds: BOOLEAN=true, schedule_clip: BOOLEAN=false, hooks?: HOOKS) -> CLIP # comfy_extras.nodes_hooks: advanced/hooks/clip
# comfy_extras.nodes_cfg: advanced/guidance
CFGZeroStar(model: MODEL) -> patched_model: MODEL
CFGNorm(model: MODEL, strength: FLOAT=1 0..100 /0.01, pre_cfg?: BOOLEAN=false) -> patched_model: MODEL
FreSca(model: MODEL, scale_low: FLOAT=1 0..10 /0.01, scale_high: FLOAT=1.25 0..10 /0.01, freq_cutoff: INT=20 1..10000) -> MODEL # comfy_extras.nodes_fresca: experimental
QwenImageDiffsynthControlnet(model: MODEL, model_patch: MODEL_PATCH, vae: VAE, image: IMAGE, strength: FLOAT=1 -10..10 /0.01, mask?: MASK) -> MODEL # comfy_extras.nodes_model_patch: model/patch/qwen
EasyCache(model: MODEL, reuse_threshold: FLOAT=0.2 0..3 /0.01, start_percent: FLOAT=0.15 0..1 /0.01, end_percent: FLOAT=0.95 0..1 /0.01, verbose: BOOLEAN=false) -> MODEL # comfy_extras.nodes_easycache: advanced/debug
# custom_nodes.was-node-suite-comfyui: WAS Suite/Text
Text Multiline(text: STRING="" multiline dynamicPrompts) -> STRING
Text String(text: STRING="", text_b?: STRING="", text_c?: STRING="", text_d?: STRING="") -> TEXT: STRING, TEXT_B: STRING, TEXT_C: STRING, TEXT_D: STRING
Text to Conditioning(clip: CLIP, text: STRING forceInput) -> CONDITIONING
Load Text File(file_path: STRING="", dictionary_name?: STRING="[filename]") -> STRING, DICT
Text Concatenate(delimiter?: STRING=", ", clean_whitespace?: [true|false]="true", text_a?: STRING forceInput, text_b?: STRING forceInput, text_c?: STRING forceInput, text_d?: STRING forceInput) -> STRING
Text to Console(text: STRING forceInput, label: STRING="Text Output") -> STRING
LatentUpscaleFactor _O(samples: LATENT, upscale_method: $latentResizing, WidthFactor: FLOAT=1.25 0..10 /0.1, HeightFactor: FLOAT=1.25 0..10 /0.1, crop: [disabled|center]) -> LATENT # custom_nodes.quality-of-life-suit: O/latent
# comfy_api_nodes.nodes_bfl: partner/image/BFL
FluxKontextProImageNode(prompt: STRING="" multiline, aspect_ratio: STRING="16:9", guidance: FLOAT=3 0.1..99 /0.1, steps: INT=50 1..150, seed: SEED, prompt_upsampling: BOOLEAN=false, input_image?: IMAGE) -> IMAGE
FluxKontextMaxImageNode(prompt: STRING="" multiline, aspect_ratio: STRING="16:9", guidance: FLOAT=3 0.1..99 /0.1, steps: INT=50 1..150, seed: SEED, prompt_upsampling: BOOLEAN=false, input_image?: IMAGE) -> IMAGE
IdeogramV3(prompt: STRING="" multiline, image?: IMAGE, mask?: MASK, aspect_ratio?: COMBO[1:3|3:1|1:2|2:1|9:16|16:9|10:16|16:10|2:3|3:2|3:4|4:3|4:5|5:4|1:1]="1:1", resolution?: COMBO[Auto|512x1536|576x1408|576x1472|576x1536|640x1344|640x1408|640x1472|640x1536|704x1152|704x1216|704x1280|704x1344|704x1408|704x1472|736x1312|768x1088|768x1216|768x1280|768x1344|800x1280|832x960|832x1024|832x1088|832x1152|832x1216|832x1248|864x1152|896x960|896x1024|896x1088|896x1120|896x1152|960x832|960x896|960x1024|960x1088|1024x832|1024x896|1024x960|1024x1024|1088x768|1088x832|1088x896|1088x960|1120x896|1152x704|1152x832|1152x864|1152x896|1216x704|1216x768|1216x832|1248x832|1280x704|1280x768|1280x800|1312x736|1344x640|1344x704|1344x768|1408x576|1408x640|1408x704|1472x576|1472x640|1472x704|1536x512|1536x576|1536x640], magic_prompt_option?: COMBO[AUTO|ON|OFF], seed?: INT=0 0..2147483647, num_images?: INT=1 1..8, rendering_speed?: COMBO[DEFAULT|TURBO|QUALITY], character_image?: IMAGE, character_mask?: MASK) -> IMAGE # comfy_api_nodes.nodes_ideogram: partner/image/Ideogram
KlingOmniProImageNode(model_name: COMBO[kling-v3-omni|kling-image-o1], prompt: STRING multiline, resolution: COMBO[1K|2K|4K], aspect_ratio: COMBO[16:9|9:16|1:1|4:3|3:4|3:2|2:3|21:9], series_amount: COMBO[disabled|2|3|4|5|6|7|8|9], reference_images?: IMAGE, seed?: INT=0 0..2147483647) -> IMAGE # comfy_api_nodes.nodes_kling: partner/image/Kling
LumaImageModifyNode(image: IMAGE, prompt: STRING="" multiline, image_weight: FLOAT=0.1 0..0.98 /0.01, model: COMBO[photon-1|photon-flash-1], seed: SEED) -> IMAGE # comfy_api_nodes.nodes_luma: partner/image/Luma
# comfy_api_nodes.nodes_openai: partner/image/OpenAI
OpenAIDalle2(prompt: STRING="" multiline, seed?: INT=0 0..2147483647, size?: COMBO[256x256|512x512|1024x1024]="1024x1024", n?: INT=1 1..8, image?: IMAGE, mask?: MASK) -> IMAGE
OpenAIDalle3(prompt: STRING="" multiline, seed?: INT=0 0..2147483647, quality?: COMBO[standard|hd], style?: COMBO[natural|vivid], size?: COMBO[1024x1024|1024x1792|1792x1024]) -> IMAGE
OpenAIGPTImage1(prompt: STRING="" multiline, seed?: INT=0 0..2147483647, quality?: COMBO[low|medium|high], background?: COMBO[auto|opaque|transparent], size?: COMBO[auto|1024x1024|1024x1536|1536x1024|2048x2048|2048x1152|1152x2048|3840x2160|2160x3840|Custom], n?: INT=1 1..8, image?: IMAGE, mask?: MASK, model?: COMBO[gpt-image-1|gpt-image-1.5|gpt-image-2]="gpt-image-2", custom_width?: INT=1024 1024..3840 /16, custom_height?: INT=1024 1024..3840 /16) -> IMAGE
# comfy_api_nodes.nodes_recraft: partner/image/Recraft
RecraftTextToImageNode(prompt: STRING="" multiline, size: COMBO[1024x1024|1365x1024|1024x1365|1536x1024|1024x1536|1820x1024|1024x1820|1024x2048|2048x1024|1434x1024|1024x1434|1024x1280|1280x1024|1024x1707|1707x1024], n: INT=1 1..6, seed: SEED, recraft_style?: RECRAFT_V3_STYLE, negative_prompt?: STRING="" forceInput, recraft_controls?: RECRAFT_CONTROLS) -> IMAGE
RecraftStyleV3DigitalIllustration(substyle: COMBO[None|2d_art_poster|2d_art_poster_2|antiquarian|bold_fantasy|child_book|child_books|cover|crosshatch|digital_engraving|engraving_color|expressionism|freehand_details|grain|grain_20|graphic_intensity|hand_drawn|hand_drawn_outline|handmade_3d|hard_comics|infantile_sketch|long_shadow|modern_folk|multicolor|neon_calm|noir|nostalgic_pastel|outline_details|pastel_gradient|pastel_sketch|pixel_art|plastic|pop_art|pop_renaissance|seamless|street_art|tablet_sketch|urban_glow|urban_sketching|vanilla_dreams|young_adult_book|young_adult_book_2]) -> recraft_style: RECRAFT_V3_STYLE
RunwayTextToImageNode(prompt: STRING="" multiline, ratio: COMBO[1920:1080|1080:1920|1024:1024|1360:768|1080:1080|1168:880|1440:1080|1080:1440|1808:768|2112:912], reference_image?: IMAGE) -> IMAGE # comfy_api_nodes.nodes_runway: partner/image/Runway
# nodes: image/upscaling
ImageScale(image: IMAGE, upscale_method: $resizing, width: INT=512 0..16384, height: INT=512 0..16384, crop: [disabled|center]) -> IMAGE -- Upscale Image
ImageScaleBy(image: IMAGE, upscale_method: $resizing, scale_by: FLOAT=1 0.01..8 /0.01) -> IMAGE
ImageInvert(image: IMAGE) -> IMAGE # nodes: image/color
ImageBatch(image1: IMAGE, image2: IMAGE) -> IMAGE # nodes: image/batch
ImagePadForOutpaint(image: IMAGE, left: INT=0 0..16384 /8, top: INT=0 0..16384 /8, right: INT=0 0..16384 /8, bottom: INT=0 0..16384 /8, feathering: INT=40 0..16384) -> IMAGE, MASK -- Pad Image for Outpainting # nodes: image/transform
ImageUpscaleWithModel(upscale_model: UPSCALE_MODEL, image: IMAGE) -> IMAGE -- Upscale Image (using Model) # comfy_extras.nodes_upscale_model: image/upscaling
# comfy_extras.nodes_post_processing: image/filters
ImageBlend(image1: IMAGE, image2: IMAGE, blend_factor: FLOAT=0.5 0..1 /0.01, blend_mode: COMBO[normal|multiply|screen|overlay|soft_light|difference]) -> IMAGE
ImageBlur(image: IMAGE, blur_radius: INT=1 1..31, sigma: FLOAT=1 0.1..10 /0.1) -> IMAGE
ImageSharpen(image: IMAGE, sharpen_radius: INT=1 1..31, sigma: FLOAT=1 0.1..10 /0.01, alpha: FLOAT=1 0..5 /0.01) -> IMAGE
ImageScaleToTotalPixels(image: IMAGE, upscale_method: COMBO$resizing, megapixels: FLOAT=1 0.01..16 /0.01, resolution_steps?: INT=1 1..256) -> IMAGE # comfy_extras.nodes_post_processing: image/upscaling
ImageCompositeMasked(destination: IMAGE, source: IMAGE, x: INT=0 0..16384, y: INT=0 0..16384, resize_source: BOOLEAN=false, mask?: MASK) -> IMAGE # comfy_extras.nodes_mask: image/compositing
# comfy_extras.nodes_compositing: image/compositing
SplitImageWithAlpha(image: IMAGE) -> IMAGE, MASK
JoinImageWithAlpha(image: IMAGE, alpha: MASK) -> IMAGE
RebatchImages(images: IMAGE, batch_size: INT=1 1..4096) -> IMAGE[] # comfy_extras.nodes_rebatch: image/batch
Canny(image: IMAGE, low_threshold: FLOAT=0.4 0.01..0.99 /0.01, high_threshold: FLOAT=0.8 0.01..0.99 /0.01) -> IMAGE # comfy_extras.nodes_canny: image/filters
# comfy_extras.nodes_images: image/transform
ImageCrop(image: IMAGE, width: INT=512 1..16384, height: INT=512 1..16384, x: INT=0 0..16384, y: INT=0 0..16384) -> IMAGE
ImageStitch(image1: IMAGE, direction: COMBO[right|down|left|up], match_image_size: BOOLEAN=true, spacing_width: INT=0 0..1024 /2, spacing_color: COMBO[white|black|red|green|blue], image2?: IMAGE) -> IMAGE
ResizeAndPadImage(image: IMAGE, target_width: INT=512 1..16384, target_height: INT=512 1..16384, padding_color: COMBO[white|black], interpolation: COMBO[area|bicubic|nearest-exact|bilinear|lanczos]) -> IMAGE
# comfy_extras.nodes_images: image/batch
RepeatImageBatch(image: IMAGE, amount: INT=1 1..4096) -> IMAGE
ImageFromBatch(image: IMAGE, batch_index: INT=0 -16384..16384, length: INT=1 1..4096) -> IMAGE
# comfy_extras.nodes_images: image
SaveAnimatedWEBP(images: IMAGE, filename_prefix: STRING="ComfyUI", fps: FLOAT=6 0.01..1000 /0.01, lossless: BOOLEAN=true, quality: INT=80 0..100, method: COMBO[default|fastest|slowest]) -> images: IMAGE
SaveAnimatedPNG(images: IMAGE, filename_prefix: STRING="ComfyUI", fps: FLOAT=6 0.01..1000 /0.01, compress_level: INT=4 0..9) -> images: IMAGE
GetImageSize(image: IMAGE) -> width: INT, height: INT, batch_size: INT
ImageScaleToMaxDimension(image: IMAGE, upscale_method: COMBO[area|lanczos|bilinear|nearest-exact|bilinear|bicubic], largest_size: INT=512 0..16384) -> IMAGE # comfy_extras.nodes_images: image/upscaling
ResizeImagesByLongerEdge(images: IMAGE, longer_edge: INT=1024 1..8192) -> images: IMAGE # comfy_extras.nodes_dataset: image/transform
FrameInterpolate(interp_model: INTERP_MODEL, images: IMAGE, multiplier: INT=2 2..16) -> IMAGE # comfy_extras.nodes_frame_interpolation: video
BatchImagesNode(images: COMFY_AUTOGROW_V3) -> IMAGE -- Batch Images # comfy_extras.nodes_post_processing: image/batch
# nodes: model/sampling
KSampler(model: MODEL, seed: SEED, steps: INT=20 1..10000, cfg: FLOAT=8 0..100 /0.1, sampler_name: $samplers, scheduler: $schedulers, positive: CONDITIONING, negative: CONDITIONING, latent_image: LATENT, denoise: FLOAT=1 0..1 /0.01) -> LATENT -- KSampler
KSamplerAdvanced(model: MODEL, add_noise: [enable|disable], noise_seed: SEED, steps: INT=20 1..10000, cfg: FLOAT=8 0..100 /0.1, sampler_name: $samplers, scheduler: $schedulers, positive: CONDITIONING, negative: CONDITIONING, latent_image: LATENT, start_at_step: INT=0 0..10000, end_at_step: INT=10000 0..10000, return_with_leftover_noise: [disable|enable]) -> LATENT -- KSampler (Advanced)
# comfy_extras.nodes_custom_sampler: model/sampling/custom
SamplerCustom(model: MODEL, add_noise: BOOLEAN=true, noise_seed: SEED, cfg: FLOAT=8 0..100 /0.1, positive: CONDITIONING, negative: CONDITIONING, sampler: SAMPLER, sigmas: SIGMAS, latent_image: LATENT) -> output: LATENT, denoised_output: LATENT
SamplerCustomAdvanced(noise: NOISE, guider: GUIDER, sampler: SAMPLER, sigmas: SIGMAS, latent_image: LATENT) -> output: LATENT, denoised_output: LATENT
# comfy_extras.nodes_custom_sampler: model/sampling/schedulers
BasicScheduler(model: MODEL, scheduler: COMBO$schedulers, steps: INT=20 1..10000, denoise: FLOAT=1 0..1 /0.01) -> SIGMAS
BetaSamplingScheduler(model: MODEL, steps: INT=20 1..10000, alpha: FLOAT=0.6 0..50 /0.01, beta: FLOAT=0.6 0..50 /0.01) -> SIGMAS
SDTurboScheduler(model: MODEL, steps: INT=1 1..10, denoise?: FLOAT=1 0..1 /0.01) -> SIGMAS
# comfy_extras.nodes_custom_sampler: model/sampling/samplers
KSamplerSelect(sampler_name: COMBO$samplers) -> SAMPLER
SamplerEulerAncestral(eta: FLOAT=1 0..100 /0.01, s_noise: FLOAT=1 0..100 /0.01) -> SAMPLER
# comfy_extras.nodes_custom_sampler: model/sampling/sigmas
SplitSigmas(sigmas: SIGMAS, step: INT=0 0..10000) -> high_sigmas: SIGMAS, low_sigmas: SIGMAS
SplitSigmasDenoise(sigmas: SIGMAS, denoise: FLOAT=1 0..1 /0.01) -> high_sigmas: SIGMAS, low_sigmas: SIGMAS
FlipSigmas(sigmas: SIGMAS) -> SIGMAS
SetFirstSigma(sigmas: SIGMAS, sigma: FLOAT=136 0..20000 /0.001) -> SIGMAS
ManualSigmas(sigmas: STRING="1, 0.5") -> SIGMAS
# comfy_extras.nodes_custom_sampler: model/sampling/guiders
CFGGuider(model: MODEL, positive: CONDITIONING, negative: CONDITIONING, cfg: FLOAT=8 0..100 /0.1) -> GUIDER
DualCFGGuider(model: MODEL, cond1: CONDITIONING, cond2: CONDITIONING, negative: CONDITIONING, cfg_conds: FLOAT=8 0..100 /0.1, cfg_cond2_negative: FLOAT=8 0..100 /0.1, style?: COMBO[regular|nested]) -> GUIDER
BasicGuider(model: MODEL, conditioning: CONDITIONING) -> GUIDER
# comfy_extras.nodes_custom_sampler: model/sampling/noise
RandomNoise(noise_seed: SEED) -> NOISE
DisableNoise() -> NOISE
AlignYourStepsScheduler(model_type: COMBO[SD1|SDXL|SVD], steps: INT=10 1..10000, denoise: FLOAT=1 0..1 /0.01) -> SIGMAS # comfy_extras.nodes_align_your_steps: model/sampling/schedulers
Flux2Scheduler(steps: INT=20 1..4096, width: INT=1024 16..16384, height: INT=1024 16..16384) -> SIGMAS # comfy_extras.nodes_flux: model/sampling/schedulers
# custom_nodes.sandbox: sandbox
SandboxFail(value: *, how: [value|memory|type|credits|ValidationError|ModelDownloadError|ImageDownloadError|OOMError|InsufficientFundsError|InactiveSubscriptionError], message?: STRING) -> * -- Fail
SandboxSlow(value: *, steps: INT=20 1..10000) -> * -- Slow
SandboxExpand(image: IMAGE, count: INT=3 1..16) -> IMAGE -- Expand
SandboxBlock(value: *, block: BOOLEAN=true, message: STRING="held back") -> * -- Block
# comfy_extras.nodes_primitive: utilities/primitive
PrimitiveString(value: STRING) -> STRING
PrimitiveStringMultiline(value: STRING multiline) -> STRING
PrimitiveInt(value: INT -9223372036854775807..9223372036854775807) -> INT
PrimitiveFloat(value: FLOAT -9223372036854775807..9223372036854775807 /0.1) -> FLOAT
PrimitiveBoolean(value: BOOLEAN) -> BOOLEAN
PreviewAny(source: *) -> STRING # comfy_extras.nodes_preview_any: utilities
# comfy_extras.nodes_string: text
StringConcatenate(string_a: STRING multiline, string_b: STRING multiline, delimiter: STRING="") -> STRING
StringReplace(string: STRING multiline, find: STRING multiline, replace: STRING multiline) -> STRING
StringCompare(string_a: STRING multiline, string_b: STRING multiline, mode: COMBO[Starts With|Ends With|Equal], case_sensitive: BOOLEAN=true) -> BOOLEAN
RegexExtract(string: STRING multiline, regex_pattern: STRING multiline, mode: COMBO[First Match|All Matches|First Group|All Groups], case_insensitive: BOOLEAN=true, multiline: BOOLEAN=false, dotall: BOOLEAN=false, group_index: INT=1 0..100) -> STRING
RegexReplace(string: STRING multiline, regex_pattern: STRING multiline, replace: STRING multiline, case_insensitive?: BOOLEAN=true, multiline?: BOOLEAN=false, dotall?: BOOLEAN=false, count?: INT=0 0..100) -> STRING
ResolutionSelector(aspect_ratio: COMBO[1:1 (Square)|2:3 (Portrait Photo)|3:2 (Photo)|3:4 (Portrait Standard)|4:3 (Standard)|9:16 (Portrait Widescreen)|16:9 (Widescreen)|21:9 (Ultrawide)], megapixels: FLOAT=1 0.1..16 /0.1, multiple: INT=8 8..128 /4) -> width: INT, height: INT # comfy_extras.nodes_resolution: utilities
ComfySwitchNode(switch: BOOLEAN, on_false: COMFY_MATCHTYPE_V3, on_true: COMFY_MATCHTYPE_V3) -> output: COMFY_MATCHTYPE_V3 -- Switch # comfy_extras.nodes_logic: utilities/logic
# comfy_extras.nodes_loop: utilities/looping
StartLoop(mode: COMFY_DYNAMICCOMBO_V3, cache_iterations: BOOLEAN=false advanced, parent_iteration?: INT forceInput, initial_iteration_value?: COMFY_MATCHTYPE_V3) -> iteration_index: INT, is_first: BOOLEAN, is_last: BOOLEAN, list_item: COMFY_MATCHTYPE_V3, current_iteration_value: COMFY_MATCHTYPE_V3
EndLoop(accumulate: BOOLEAN=false, output_value?: COMFY_MATCHTYPE_V3, next_iteration_value?: COMFY_MATCHTYPE_V3, terminations?: COMFY_AUTOGROW_V3) -> outputs: COMFY_MATCHTYPE_V3[]
LoopIteration(iteration_index: INT, is_first: BOOLEAN, is_last: BOOLEAN, list_item?: *, current_iteration_value?: *, after?: COMFY_AUTOGROW_V3) -> INT, BOOLEAN, BOOLEAN, *, *[]
LoopProgress(start_id: STRING, position: INT, total: INT, after?: COMFY_AUTOGROW_V3) -> INT
LoopResult(output?: COMFY_AUTOGROW_V3, after?: COMFY_AUTOGROW_V3) -> *[]
# comfy_extras.nodes_video: video
CreateVideo(images: IMAGE, fps: FLOAT=30 1..120 /1, audio?: AUDIO, bit_depth?: INT=8 8..10 /2) -> VIDEO
VideoTrim(video: VIDEO, trim: VIDEO_EDIT, strict_duration: BOOLEAN=false) -> VIDEO -- Trim Video (Advanced)
SaveVideo(video: VIDEO, filename_prefix: STRING="video/ComfyUI", format: COMBO[auto|mp4], codec?: COMBO[auto|h264]) -> video: VIDEO
SVD_img2vid_Conditioning(clip_vision: CLIP_VISION, init_image: IMAGE, vae: VAE, width: INT=1024 16..16384 /8, height: INT=576 16..16384 /8, video_frames: INT=14 1..4096, motion_bucket_id: INT=127 1..1023, fps: INT=6 1..1024, augmentation_level: FLOAT=0 0..10 /0.01) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT # comfy_extras.nodes_video_model: model/conditioning/stable video
VideoLinearCFGGuidance(model: MODEL, min_cfg: FLOAT=1 0..100 /0.5) -> MODEL # comfy_extras.nodes_video_model: model/sampling/guiders
StableZero123_Conditioning(clip_vision: CLIP_VISION, init_image: IMAGE, vae: VAE, width: INT=256 16..16384 /8, height: INT=256 16..16384 /8, batch_size: INT=1 1..4096, elevation: FLOAT=0 -180..180 /0.1, azimuth: FLOAT=0 -180..180 /0.1) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT # comfy_extras.nodes_stable3d: model/conditioning/stable zero123
# comfy_extras.nodes_hunyuan: model/conditioning/hunyuan video
TextEncodeHunyuanVideo_ImageToVideo(clip: CLIP, clip_vision_output: CLIP_VISION_OUTPUT, prompt: STRING multiline dynamicPrompts, image_interleave?: INT=2 1..512) -> CONDITIONING
HunyuanImageToVideo(positive: CONDITIONING, vae: VAE, width: INT=848 16..16384 /16, height: INT=480 16..16384 /16, length: INT=53 1..16384 /4, batch_size: INT=1 1..4096, guidance_type?: COMBO[v1 (concat)|v2 (replace)|custom], start_image?: IMAGE) -> positive: CONDITIONING, latent: LATENT
EmptyHunyuanLatentVideo(width: INT=848 16..16384 /16, height: INT=480 16..16384 /16, length: INT=25 1..16384 /4, batch_size: INT=1 1..4096) -> LATENT # comfy_extras.nodes_hunyuan: model/latent/hunyuan video
EmptyMochiLatentVideo(width: INT=848 16..16384 /16, height: INT=480 16..16384 /16, length: INT=25 7..16384 /6, batch_size: INT=1 1..4096) -> LATENT # comfy_extras.nodes_mochi: model/latent/mochi
LTXVLatentUpsampler(samples: LATENT, upscale_model: LATENT_UPSCALE_MODEL, vae: VAE) -> LATENT # comfy_extras.nodes_lt_upsampler: model/latent/ltxv
MiniMaxH3ImageToVideo(clip: CLIP, vae: VAE, prompt: STRING multiline dynamicPrompts, width: INT=1344 32..16384 /32, height: INT=768 32..16384 /32, length: INT=124 5..3600 /17, first_frame?: IMAGE, last_frame?: IMAGE) -> positive: CONDITIONING, LATENT # comfy_extras.nodes_minimax_h3: model/conditioning/minimax
MiniMaxH3SigmaShift(model: MODEL, shift_video: FLOAT=12 0.01..100 /0.01, shift_audio: FLOAT=3 0.01..100 /0.01) -> MODEL # comfy_extras.nodes_minimax_h3: model/patch/minimax
# comfy_extras.nodes_lt: model/latent/ltxv
EmptyLTXVLatentVideo(width: INT=768 64..16384 /32, height: INT=512 64..16384 /32, length: INT=97 1..16384 /8, batch_size: INT=1 1..4096) -> LATENT
LTXVConcatAVLatent(video_latent: LATENT, audio_latent: LATENT) -> latent: LATENT
LTXVSeparateAVLatent(av_latent: LATENT) -> video_latent: LATENT, audio_latent: LATENT
# comfy_extras.nodes_lt: model/conditioning/ltxv
LTXVImgToVideo(positive: CONDITIONING, negative: CONDITIONING, vae: VAE, image: IMAGE, width: INT=768 64..16384 /32, height: INT=512 64..16384 /32, length: INT=97 9..16384 /8, batch_size: INT=1 1..4096, strength?: FLOAT=1 0..1) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT
LTXVImgToVideoInplace(vae: VAE, image: IMAGE, latent: LATENT, strength: FLOAT=1 0..1, bypass: BOOLEAN=false) -> latent: LATENT
LTXVConditioning(positive: CONDITIONING, negative: CONDITIONING, frame_rate: FLOAT=25 0..1000 /0.01) -> positive: CONDITIONING, negative: CONDITIONING
LTXVCropGuides(positive: CONDITIONING, negative: CONDITIONING, latent: LATENT) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT
LTXVScheduler(steps: INT=20 1..10000, max_shift: FLOAT=2.05 0..100 /0.01, base_shift: FLOAT=0.95 0..100 /0.01, stretch: BOOLEAN=true, terminal: FLOAT=0.1 0..0.99 /0.01, latent?: LATENT) -> SIGMAS # comfy_extras.nodes_lt: model/sampling/schedulers
LTXVPreprocess(image: IMAGE, img_compression: INT=35 0..100) -> output_image: IMAGE # comfy_extras.nodes_lt: video/preprocessors
EmptyCosmosLatentVideo(width: INT=1280 16..16384 /16, height: INT=704 16..16384 /16, length: INT=121 1..16384 /8, batch_size: INT=1 1..4096) -> LATENT # comfy_extras.nodes_cosmos: model/latent/cosmos
# comfy_extras.nodes_wan: model/conditioning/wan
WanImageToVideo(positive: CONDITIONING, negative: CONDITIONING, vae: VAE, width: INT=832 16..16384 /16, height: INT=480 16..16384 /16, length: INT=81 1..16384 /4, batch_size: INT=1 1..4096, clip_vision_output?: CLIP_VISION_OUTPUT, start_image?: IMAGE) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT
WanFirstLastFrameToVideo(positive: CONDITIONING, negative: CONDITIONING, vae: VAE, width: INT=832 16..16384 /16, height: INT=480 16..16384 /16, length: INT=81 1..16384 /4, batch_size: INT=1 1..4096, clip_vision_start_image?: CLIP_VISION_OUTPUT, clip_vision_end_image?: CLIP_VISION_OUTPUT, start_image?: IMAGE, end_image?: IMAGE) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT
Wan22ImageToVideoLatent(vae: VAE, width: INT=1280 32..16384 /32, height: INT=704 32..16384 /32, length: INT=49 1..16384 /4, batch_size: INT=1 1..4096, start_image?: IMAGE) -> LATENT
WanVaceToVideo(positive: CONDITIONING, negative: CONDITIONING, vae: VAE, width: INT=832 16..16384 /16, height: INT=480 16..16384 /16, length: INT=81 1..16384 /4, batch_size: INT=1 1..4096, strength: FLOAT=1 0..1000 /0.01, control_video?: IMAGE, control_masks?: MASK, reference_image?: IMAGE) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT, trim_latent: INT # comfy_extras.nodes_wan: model/conditioning/wan/vace
WanCameraImageToVideo(positive: CONDITIONING, negative: CONDITIONING, vae: VAE, width: INT=832 16..16384 /16, height: INT=480 16..16384 /16, length: INT=81 1..16384 /4, batch_size: INT=1 1..4096, clip_vision_output?: CLIP_VISION_OUTPUT, start_image?: IMAGE, camera_conditions?: WAN_CAMERA_EMBEDDING) -> positive: CONDITIONING, negative: CONDITIONING, latent: LATENT # comfy_extras.nodes_wan: model/conditioning/wan/camera
WanCameraEmbedding(camera_pose: COMBO[Static|Pan Up|Pan Down|Pan Left|Pan Right|Zoom In|Zoom Out|Anti Clockwise (ACW)|ClockWise (CW)], width: INT=832 16..16384 /16, height: INT=480 16..16384 /16, length: INT=81 1..16384 /4, speed?: FLOAT=1 0..10 /0.1, fx?: FLOAT=0.5 0..1 /1e-09, fy?: FLOAT=0.5 0..1 /1e-09, cx?: FLOAT=0.5 0..1 /0.01, cy?: FLOAT=0.5 0..1 /0.01) -> camera_embedding: WAN_CAMERA_EMBEDDING, width: INT, height: INT, length: INT # comfy_extras.nodes_camera_trajectory: model/conditioning/wan/camera
`;
