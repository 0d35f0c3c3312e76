import { extraWidget, storedNotSent } from '../graph/widget';
import type { NodePack } from './nodePack';

export const crystools: NodePack = {
  roles: { 'Show Metadata [Crystools]': 'silent' },
  nodes: {
    // The text that was shown last comes after the widgets and isn't sent.
    'Show any [Crystools]': { added: [extraWidget('text', '', storedNotSent)] },
  },
};
