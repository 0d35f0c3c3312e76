const modelEnding = /\.(?:safetensors|sft|ckpt|pt2?|pth|bin|pkl|gguf|onnx|engine)$/i;
const quotedModel = /\.(?:safetensors|sft|ckpt|pt2?|pth|bin|pkl|gguf|onnx|engine)"/i;

export function isModelName(text: string): boolean {
  return modelEnding.test(text);
}

/** Whether a message quotes the name of a model file. */
export function mentionsModel(message: string): boolean {
  return quotedModel.test(message);
}

/** Where ComfyUI's loaders look below `models`: by input, or by node type where the name is not enough. */
const folders: ReadonlyMap<string, string> = new Map([
  ['ckpt_name', 'checkpoints'],
  ['vae_name', 'vae'],
  ['lora_name', 'loras'],
  ['unet_name', 'diffusion_models'],
  ['clip_name', 'text_encoders'],
  ['clip_name1', 'text_encoders'],
  ['clip_name2', 'text_encoders'],
  ['clip_name3', 'text_encoders'],
  ['clip_name4', 'text_encoders'],
  ['control_net_name', 'controlnet'],
  ['style_model_name', 'style_models'],
  ['gligen_name', 'gligen'],
  ['hypernetwork_name', 'hypernetworks'],
  ['photomaker_model_name', 'photomaker'],
  ['audio_encoder_name', 'audio_encoders'],
  ['CLIPVisionLoader.clip_name', 'clip_vision'],
  ['UpscaleModelLoader.model_name', 'upscale_models'],
  ['LatentUpscaleModelLoader.model_name', 'latent_upscale_models'],
  ['ModelPatchLoader.name', 'model_patches'],
]);

export function inputModelFolder(classType: string | undefined, input: string): string | undefined {
  const ofClass = classType === undefined ? undefined : folders.get(`${classType}.${input}`);
  return ofClass ?? folders.get(input);
}
