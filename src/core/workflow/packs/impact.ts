import type { ExactValue } from '../../json/exactValue';
import type { LiveNode } from '../graph/liveNode';
import { extraWidget, storedAndSent, type Widget } from '../graph/widget';
import type { NodePack, PackNode } from './nodePack';

/** Lists from which a click adds something to a text. */
export const pickers = {
  'Select to add LoRA': 'Select the LoRA to add to the text',
  'Select to add Wildcard': 'Select the Wildcard to add to the text',
};

/** Before there were more than two modes, it was a boolean. */
export function wildcardMode({ name, spec }: Widget, value: ExactValue): ExactValue {
  const isMode = name === 'mode' || name === 'wildcard_mode';
  if (!isMode || spec?.kind !== 'combo' || typeof value !== 'boolean') return value;
  return value ? 'populate' : 'fixed';
}

/** The preview that the server keeps for the node. */
function sentPreview(name: string, value: ExactValue, { id }: LiveNode): ExactValue {
  return name === 'image' ? `$${id}-0` : value;
}

function sentImage(name: string, value: ExactValue, { widgets }: LiveNode): ExactValue {
  if (name !== 'image_data') return value;
  const save = widgets.find(({ widget }) => widget.name === 'save_to_workflow');
  return save?.current.value === true && value !== '[IMAGE DATA]' ? value : '';
}

const picking: PackNode = { always: pickers };
const populated: PackNode = { always: pickers, loadedValue: wildcardMode };

export const impactPack: NodePack = {
  nodes: {
    BasicPipeToDetailerPipe: picking,
    BasicPipeToDetailerPipeSDXL: picking,
    EditDetailerPipe: picking,
    EditDetailerPipeSDXL: picking,
    ToDetailerPipe: picking,
    ToDetailerPipeSDXL: picking,
    ImpactWildcardEncode: populated,
    ImpactWildcardProcessor: populated,
    ImageReceiver: { sentValue: sentImage },
    ImpactSEGSPicker: { added: [extraWidget('pick', 'image', storedAndSent)] },
    MaskPainter: { added: [extraWidget('Edit mask', null, storedAndSent)] },
    PreviewBridge: { sentValue: sentPreview },
    PreviewBridgeLatent: { sentValue: sentPreview },
  },
};
