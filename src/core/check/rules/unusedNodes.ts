import { idPlace, type NodeRule } from '../rule';
import { t } from '../../safety/localize';

/** Nodes that no output depends on: the server neither validates nor runs them. */
export const unusedNodes: NodeRule = (node, { reach, view, verdict }, report) => {
  if (!view.catalog || reach.isRun(node) || verdict?.error?.type === 'prompt_no_outputs') return;
  report({
    code: 'unused-node',
    ...idPlace(node),
    message: t`No output depends on this node, so it won't run. Connect it or remove it.`,
    tags: ['unnecessary'],
    counts: 'always',
    fix: { kind: 'removeNode', nodeId: node.id },
  });
};
