import { mapDefined } from '../../safety/lists';
import { classPlace, idPlace, checkedNodeName, type NodeRule, type PromptRule } from '../rule';
import { t } from '../../safety/localize';

/** Outputs that the server silently drops when it accepts the others (workflows 4.1). */
export const droppedOutputs: PromptRule = ({ view, verdict, server }, report) => {
  if (!verdict?.valid || verdict.nodeErrors.size === 0) return;
  const good = new Set(verdict.goodOutputs);
  const faulty = mapDefined([...verdict.nodeErrors.keys()], (id) => view.nodes.get(id));
  for (const node of view.nodes.values()) {
    if (!node.definition?.isOutputNode || good.has(node.id)) continue;
    const related = faulty
      .slice(0, 10)
      .map((each) => ({ ...classPlace(each), message: t`A problem in ${checkedNodeName(each)}.` }));
    report({
      code: 'output-dropped',
      ...classPlace(node),
      message: t`${server} would skip this output because of problems in nodes it depends on. Fix those first.`,
      related,
      counts: 'always',
    });
  }
};

export const noOutputs: PromptRule = ({ view, verdict, server }, report) => {
  const { root } = view.prompt;
  if (!root || verdict?.error?.type !== 'prompt_no_outputs') return;
  report({
    code: 'no-output-node',
    range: { offset: root.offset, length: 1 },
    message: t`The workflow has no output node, so ${server} has nothing to run. Add one, such as Save Image.`,
    counts: 'always',
    fix: { kind: 'addOutput' },
  });
};

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
