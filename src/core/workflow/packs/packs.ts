import type { NodePack, PackNode } from './nodePack';
import { kjNodes } from './kjNodes';
import { rgthree } from './rgthree';
import { videoHelperSuite } from './videoHelperSuite';

/** The node packs whose JavaScript changes what a workflow sends. */
export const packs: readonly NodePack[] = [kjNodes, rgthree, videoHelperSuite];

const byType: ReadonlyMap<string, PackNode> = new Map(
  packs.flatMap(({ nodes = {} }) => Object.entries(nodes)),
);
const byPrefix = packs.flatMap(({ prefixed = {} }) => Object.entries(prefixed));

/** What a pack does to the nodes of a type; undefined for most. */
export function packNodeOf(classType: string): PackNode | undefined {
  return byType.get(classType) ?? byPrefix.find(([prefix]) => classType.startsWith(prefix))?.[1];
}
