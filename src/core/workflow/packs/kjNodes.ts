import { extraWidget, storedAndSent } from '../graph/widget';
import type { NodePack, PackNode } from './nodePack';

/** Buttons, which the page stores and sends like values. */
function withButtons(...names: readonly string[]): PackNode {
  return { added: names.map((each) => extraWidget(each, null, storedAndSent)) };
}

const growing = withButtons('Update inputs');
const blocks = withButtons('Set all');

export const kjNodes: NodePack = {
  roles: { SetNode: 'passing', GetNode: 'getter' },
  nodes: {
    ConditioningMultiCombine: growing,
    CrossFadeImagesMulti: growing,
    ImageAddMulti: growing,
    ImageBatchMulti: growing,
    ImageConcatMulti: growing,
    JoinStringMulti: growing,
    MaskBatchMulti: growing,
    TransitionImagesMulti: growing,
    FluxBlockLoraSelect: blocks,
    HunyuanVideoBlockLoraSelect: blocks,
    LTX2BlockLoraSelect: blocks,
    Wan21BlockLoraSelect: blocks,
    SoundReactive: withButtons('Start mic capture', 'Stop mic capture'),
    ModelSaveKJ: { replacedText: 'filename_prefix' },
    SaveImageKJ: { replacedText: 'filename_prefix' },
    SaveImageWithAlpha: { replacedText: 'filename_prefix' },
    SaveStringKJ: { replacedText: 'filename_prefix' },
    DecodeAndSaveVideo: { replacedText: 'filename_prefix' },
    LoraExtractKJ: { replacedText: 'filename_prefix' },
  },
};
