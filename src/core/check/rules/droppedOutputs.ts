import { classPlace, nodeName, type PromptRule } from '../rule';
import { t } from '../../safety/localize';

/** Outputs that the server silently drops when it accepts the others (workflows 4.1). */
export const droppedOutputs: PromptRule = ({ view, verdict, server }, report) => {
  if (!verdict?.valid || verdict.nodeErrors.size === 0) return;
  const good = new Set(verdict.goodOutputs);
  const faulty = [...verdict.nodeErrors.keys()].flatMap((id) => view.nodes.get(id) ?? []);
  for (const node of view.nodes.values()) {
    if (!node.definition?.isOutputNode || good.has(node.id)) continue;
    const related = faulty
      .slice(0, 10)
      .map((each) => ({ ...classPlace(each), message: t`A problem in ${nodeName(each)}.` }));
    report({
      code: 'output-dropped',
      ...classPlace(node),
      message: t`${server} would skip this output because of problems in nodes it depends on. Fix those first.`,
      related,
      counts: 'always',
    });
  }
};
