import { extraWidget, sent } from '../graph/widget';
import type { NodePack, PackNode } from './nodePack';

/** A button that the page stores and sends like a value. */
const growing: PackNode = { added: [extraWidget('Update inputs', null, sent)] };

export const kjNodes: NodePack = {
  roles: { SetNode: 'passing', GetNode: 'getter' },
  nodes: {
    ConditioningMultiCombine: growing,
    ImageBatchMulti: growing,
    ImageAddMulti: growing,
    ImageConcatMulti: growing,
    JoinStringMulti: growing,
    MaskBatchMulti: growing,
  },
};
