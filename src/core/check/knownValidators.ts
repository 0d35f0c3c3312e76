import type { NodeValidators } from './validators';

type Row = readonly [classType: string, inputs: readonly string[], takesMore?: 'all' | 'types'];

const rows: readonly Row[] = [
  ['LoadImage', ['image']],
  ['LoadImageMask', ['image']],
  ['LoadImageOutput', ['image']],
  ['LoadLatent', ['latent']],
  ['LoadAudio', ['audio']],
  ['LoadVideo', ['file']],
  ['WebcamCapture', ['image']],
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
  ['VHS_LoadVideo', ['video']],
  ['ImageReceiver', ['image', 'link_id', 'save_to_workflow', 'image_data', 'trigger_always']],
];

/**
 * Classes that are known to check inputs themselves, so that the server's range and list checks are off for those
 * (workflows 4.8). No server tells this; a class that is missing here is judged by its definition alone.
 */
export const knownValidators: NodeValidators = new Map(
  rows.map(([classType, inputs, takesMore]) => [
    classType,
    { inputs: new Set(inputs), takesAll: takesMore === 'all', takesTypes: takesMore === 'types' },
  ]),
);
