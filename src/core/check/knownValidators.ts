import type { NodeValidators } from './validators';

type Row = readonly [classType: string, inputs: readonly string[], more?: Trait];
type Trait = 'all' | 'types' | 'files';

const rows: readonly Row[] = [
  ['LoadImage', ['image'], 'files'],
  ['LoadImageMask', ['image'], 'files'],
  ['LoadImageOutput', ['image'], 'files'],
  ['LoadLatent', ['latent'], 'files'],
  ['LoadAudio', ['audio'], 'files'],
  ['LoadVideo', ['file'], 'files'],
  ['WebcamCapture', ['image'], 'files'],
  ['ModelAttentionBackend', ['attention']],
  ['SelectModelDevice', ['device']],
  ['SelectCLIPDevice', ['device']],
  ['SelectVAEDevice', ['device']],
  ['FluxProUltraImageNode', ['aspect_ratio']],
  ['Load3D', ['model_file'], 'all'],
  ['Load3DAdvanced', ['model_file'], 'all'],
  ['CustomCombo', ['choice', 'index'], 'all'],
  ['TripoConversionNode', [], 'types'],
  // Of the most used packs.
  ['VHS_LoadVideo', ['video'], 'files'],
  ['ImageReceiver', ['image', 'link_id', 'save_to_workflow', 'image_data', 'trigger_always']],
];

/**
 * Classes that are known to check inputs themselves, so that the server's range and list checks are off for those
 * (workflows 4.8). No server tells this; a class that is missing here is judged by its definition alone.
 */
export const knownValidators: NodeValidators = new Map(
  rows.map(([classType, inputs, more]) => [
    classType,
    {
      inputs: new Set(inputs),
      takesAll: more === 'all',
      takesTypes: more === 'types',
      ...(more === 'files' && { opensFiles: true }),
      ...(classType === 'CustomCombo' && { optional: new Set(['index']) }),
    },
  ]),
);
