import type { Catalog } from '../catalog/catalog';
import type { Prompt } from '../workflow/prompt';
import type { NodeValidator, NodeValidators } from './validators';

type Row = readonly [classType: string, inputs: readonly string[], more?: Trait, definedIn?: string];
type Trait = 'all' | 'types' | 'files' | 'model' | 'default';

const rows: readonly Row[] = [
  ['LoadImage', ['image'], 'files'],
  ['LoadImageMask', ['image'], 'files'],
  ['LoadImageOutput', ['image'], 'files', 'LoadImage'],
  ['LoadLatent', ['latent'], 'files'],
  ['LoadAudio', ['audio'], 'files'],
  ['LoadVideo', ['file'], 'files'],
  ['WebcamCapture', ['image'], 'files', 'LoadImage'],
  ['ModelAttentionBackend', ['attention']],
  ['SelectModelDevice', ['device'], 'default'],
  ['SelectCLIPDevice', ['device'], 'default'],
  ['SelectVAEDevice', ['device'], 'default'],
  ['FluxProUltraImageNode', ['aspect_ratio']],
  ['Load3D', ['model_file'], 'model'],
  ['Load3DAdvanced', ['model_file'], 'model'],
  ['CustomCombo', ['choice', 'index'], 'all', 'CustomComboNode'],
  ['TripoConversionNode', [], 'types'],
  // Of the most used packs.
  ['VHS_LoadVideo', ['video'], 'files'],
  ['ImageReceiver', ['image', 'link_id', 'save_to_workflow', 'image_data', 'trigger_always']],
];

/**
 * Node types known to validate inputs themselves, so that the server's range and list checks are off for those
 * (workflows 4.8). No server says this; a node type missing here is judged by its definition alone.
 */
export const knownValidators: NodeValidators = new Map(
  rows.map(([classType, inputs, more, definedIn]) => [
    classType,
    {
      inputs: new Set(inputs),
      takesAll: more === 'all' || more === 'model',
      takesTypes: more === 'types',
      ...(definedIn !== undefined && { definedIn }),
      ...((more === 'files' || more === 'model') && { opensFiles: true }),
      ...(more === 'model' && { skipsEmpty: true }),
      ...(more === 'default' && { optional: new Set(inputs) }),
      ...(classType === 'CustomCombo' && { optional: new Set(['index']) }),
    },
  ]),
);

/**
 * A node type's own validation as a table has it, with what is known of the node type besides: that it opens files, or
 * does without an input. Without a table, as it is known.
 */
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
