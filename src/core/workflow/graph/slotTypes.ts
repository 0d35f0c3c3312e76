/**
 * Whether the editor connects two slots: "*" and a missing type fit everything, lists of types fit if they share a
 * member; case does not matter (workflows 2, G).
 */
export function acceptsType(one: string, other: string): boolean {
  if (isAny(one) || isAny(other) || one === other) return true;
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  if (!left.includes(',') && !right.includes(',')) return left === right;
  const rights = new Set(right.split(','));
  return [...rights].some(isAny) || left.split(',').some((each) => isAny(each) || rights.has(each));
}

function isAny(type: string): boolean {
  return type === '*' || type === '' || type === '0';
}

/** Core types that only nodes can produce. The ComfyUI editor shows packs' own types as widgets. */
export const typesMadeByNodes = new Set(
  (
    'IMAGE MASK LATENT MODEL CLIP VAE CONDITIONING CONTROL_NET CLIP_VISION CLIP_VISION_OUTPUT STYLE_MODEL GLIGEN ' +
    'UPSCALE_MODEL SAMPLER SIGMAS GUIDER NOISE AUDIO VIDEO HOOKS HOOK_KEYFRAMES PHOTOMAKER TIMESTEPS_RANGE MESH VOXEL ' +
    'LATENT_OPERATION AUDIO_ENCODER AUDIO_ENCODER_OUTPUT MODEL_PATCH WEBCAM_IMAGE SVG LORA_MODEL'
  ).split(' '),
);
