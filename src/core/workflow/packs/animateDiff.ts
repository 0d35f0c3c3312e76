import { storedNotSent } from '../graph/widget';
import type { NodePack } from './nodePack';

/** Widgets that only size the node or show a text. */
export const animateDiff: NodePack = {
  widgetTypes: { ADEAUTOSIZE: { ...storedNotSent, value: '' }, ADEWARN: { ...storedNotSent, value: '' } },
};
