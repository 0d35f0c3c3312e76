import { isExactList, isExactObject } from '../../json/exactValue';
import { type InputRule, valuePlace } from '../rule';
import { fittingOutput, shown } from '../wording';
import { t } from '../../safety/localize';

/** Core types that only nodes can produce. The ComfyUI editor shows packs' own types as widgets. */
const madeByNodes = new Set(
  (
    'IMAGE MASK LATENT MODEL CLIP VAE CONDITIONING CONTROL_NET CLIP_VISION CLIP_VISION_OUTPUT STYLE_MODEL GLIGEN ' +
    'UPSCALE_MODEL SAMPLER SIGMAS GUIDER NOISE AUDIO VIDEO HOOKS HOOK_KEYFRAMES PHOTOMAKER TIMESTEPS_RANGE MESH VOXEL ' +
    'LATENT_OPERATION AUDIO_ENCODER AUDIO_ENCODER_OUTPUT MODEL_PATCH WEBCAM_IMAGE SVG LORA_MODEL'
  ).split(' '),
);

/** Values and null where only a node can provide what is needed: the server accepts them, and the node fails. */
export const literalOnSocket: InputRule = ({ node, declared, value }, { server }, report) => {
  const { spec, name, section } = declared;
  if (isExactList(value) || isExactObject(value)) return;
  const types = spec.kind === 'union' ? spec.types : spec.kind === 'socket' ? [spec.type] : [];
  if (types.length === 0 || spec.widgetType !== undefined || !types.every((type) => madeByNodes.has(type)))
    return;
  const isEmptyOption = value === null && section === 'optional';
  report({
    code: 'literal-on-socket',
    ...valuePlace(node, name),
    severity: isEmptyOption ? 'hint' : undefined,
    message: isEmptyOption
      ? t`${name} is optional. Remove it instead of setting it to null.`
      : t`${name} must be linked to ${fittingOutput(spec)}. ${server} accepts ${shown(value)}, but the node fails at run time.`,
    fix: isEmptyOption
      ? { kind: 'removeInput', nodeId: node.id, input: name }
      : { kind: 'chooseLink', nodeId: node.id, input: name, type: spec.type },
  });
};
