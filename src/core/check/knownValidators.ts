import type { Catalog } from '../catalog/catalog';
import type { Prompt } from '../workflow/prompt';
import type { NodeValidator, NodeValidators } from './validators';

type Row = readonly [
  classType: string,
  inputs: readonly string[],
  traits?: readonly Trait[],
  definedIn?: string,
];

/**
 * `all`: it accepts every input; `types`: it receives the types of links; `files`: it looks up the files that its inputs
 * name; `empty`: also without a file; `default`: it does without its inputs.
 */
type Trait = 'all' | 'types' | 'files' | 'empty' | 'default';

/** By pack, from its Python code: the inputs that the validation names, and the Python class if named otherwise. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  core: [
    ['LoadImage', ['image'], ['files']],
    ['LoadImageMask', ['image'], ['files']],
    ['LoadImageOutput', ['image'], ['files'], 'LoadImage'],
    ['LoadLatent', ['latent'], ['files']],
    ['LoadAudio', ['audio'], ['files']],
    ['LoadVideo', ['file'], ['files']],
    ['WebcamCapture', ['image'], ['files'], 'LoadImage'],
    ['ModelAttentionBackend', ['attention']],
    ['SelectModelDevice', ['device'], ['default']],
    ['SelectCLIPDevice', ['device'], ['default']],
    ['SelectVAEDevice', ['device'], ['default']],
    ['FluxProUltraImageNode', ['aspect_ratio']],
    ['Load3D', ['model_file'], ['all', 'files', 'empty']],
    ['Load3DAdvanced', ['model_file'], ['all', 'files', 'empty']],
    ['CustomCombo', ['choice', 'index'], ['all'], 'CustomComboNode'],
    ['TripoConversionNode', [], ['types']],
  ],
  'comfyui-videohelpersuite': [
    ['VHS_LoadVideo', ['video'], ['files'], 'LoadVideoUpload'],
    ['VHS_LoadVideoFFmpeg', ['video'], ['files'], 'LoadVideoFFmpegUpload'],
    ['VHS_LoadVideoPath', ['video'], [], 'LoadVideoPath'],
    ['VHS_LoadVideoFFmpegPath', ['video'], [], 'LoadVideoFFmpegPath'],
    ['VHS_LoadImagePath', ['image'], [], 'LoadImagePath'],
    ['VHS_LoadImages', ['directory'], ['all', 'files'], 'LoadImagesFromDirectoryUpload'],
    ['VHS_LoadImagesPath', ['directory'], ['all'], 'LoadImagesFromDirectoryPath'],
    ['VHS_LoadAudio', ['audio_file'], ['all'], 'LoadAudio'],
    ['VHS_LoadAudioUpload', ['audio'], ['all', 'files'], 'LoadAudioUpload'],
    ['VHS_Unbatch', [], ['types'], 'Unbatch'],
  ],
  'comfyui-impact-pack': [
    ['ImageReceiver', ['image', 'link_id', 'save_to_workflow', 'image_data', 'trigger_always']],
    ['LatentReceiver', ['latent', 'link_id', 'trigger_always']],
  ],
  'comfyui-custom-scripts': [
    ['LoadText|pysssss', ['root_dir', 'file'], ['all'], 'TextFileNode'],
    ['SaveText|pysssss', ['root_dir', 'file'], ['all'], 'TextFileNode'],
    ['ReroutePrimitive|pysssss', [], ['all'], 'ReroutePrimitive'],
  ],
  'comfyui-kjnodes': [['LoadAndResizeImage', ['image'], ['files']]],
  'ComfyUI-Crystools': [
    ['Load image with metadata [Crystools]', ['image'], ['files'], 'CImageLoadWithMetadata'],
  ],
  'ComfyUI-mxToolkit': [['mxStop', [], ['all']]],
  'cg-use-everywhere': [['Combo Clone', [], ['all'], 'ComboClone']],
};

/**
 * Node types known to validate inputs themselves, so that the server's range and list checks are off for those
 * (workflows 4.8). No server says this; a node type missing here is judged by its definition alone.
 */
export const knownValidators: NodeValidators = new Map(
  Object.values(rows).flatMap((pack) =>
    pack.map(([classType, inputs, traits = [], definedIn]) => [
      classType,
      {
        inputs: new Set(inputs),
        takesAll: traits.includes('all'),
        takesTypes: traits.includes('types'),
        ...(definedIn !== undefined && { definedIn }),
        ...(traits.includes('files') && { opensFiles: true }),
        ...(traits.includes('empty') && { skipsEmpty: true }),
        ...(traits.includes('default') && { optional: new Set(inputs) }),
        ...(classType === 'CustomCombo' && { optional: new Set(['index']) }),
      },
    ]),
  ),
);

/** Without a table, a node type's validation is the one that is known here. */
export function validatorIn(
  validators: NodeValidators | undefined,
  classType: string,
): NodeValidator | undefined {
  const known = knownValidators.get(classType);
  const given = validators ? validators.get(classType) : known;
  return given && { ...known, ...given };
}

/**
 * The known validators for the node types of a prompt, and for inputs that accept uploads: the list in the definitions
 * does not say whether such a file is on the server, as it may have been uploaded since, or be written with its folder
 * (workflows 4.8).
 */
export function validatorsFor(prompt: Prompt, catalog: Catalog): NodeValidators {
  const table = new Map<string, NodeValidator>();
  for (const { classType } of prompt.nodes) {
    const definition = classType === undefined ? undefined : catalog.get(classType);
    if (classType === undefined || !definition || table.has(classType)) continue;
    const known = knownValidators.get(classType);
    const uploads = definition.inputs
      .filter(({ spec }) => spec.kind === 'combo' && spec.upload !== undefined)
      .map(({ name }) => name);
    if (uploads.length === 0 && !known) continue;
    // For unknown node types, it is unknown whether they validate an input at all.
    const base = known ?? { takesAll: false, takesTypes: false, optional: new Set(uploads) };
    table.set(classType, { ...base, inputs: new Set([...(known?.inputs ?? []), ...uploads]) });
  }
  return table;
}
