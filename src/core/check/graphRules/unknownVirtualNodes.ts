import { groupNodeName } from '../../workflow/graph/graph';
import { virtualNodeRole } from '../../workflow/graph/virtualNodes';
import { type GraphRule, graphNodeLabel } from '../graphRule';
import { typeRange } from '../../workflow/promptPlaces';
import { t } from '../../safety/localize';

/** The ComfyUI editor writes the node type's name into the properties of every node that a server has: these lack it. */
export const unknownVirtualNodes: GraphRule = ({ level, graph, catalog, definitionOf }, report) => {
  if (!catalog) return;
  for (const node of level.nodes) {
    if (node.mode !== 'always' || definitionOf(node) || graph.subgraphs.has(node.type)) continue;
    if (groupNodeName(node.type) !== undefined || virtualNodeRole(node) !== 'executed') continue;
    if (node.properties?.property('Node name for S&R') !== undefined) continue;
    report({
      code: 'unknown-virtual-node',
      range: typeRange(node.node),
      message: t`${graphNodeLabel(node)} may exist only in the ComfyUI editor, so it won't run on the server. Replace it with links.`,
    });
  }
};
