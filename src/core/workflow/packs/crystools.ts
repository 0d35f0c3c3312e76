import { extraWidget, storedNotSent } from '../graph/widget';
import type { NodePack } from './nodePack';

export const crystools: NodePack = {
  roles: { 'Show Metadata [Crystools]': 'silent' },
  nodes: {
    // What was shown last stands after the widgets; it is not sent.
    'Show any [Crystools]': { added: [extraWidget('text', '', storedNotSent)] },
  },
};
