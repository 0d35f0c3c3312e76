import { classPlace, nodeName, type PromptRule } from '../rule';

/** Outputs that the server drops without a word when it accepts the others (workflows 4.1). */
export const droppedOutputs: PromptRule = ({ view, verdict, server }, report) => {
  if (!verdict?.valid || verdict.nodeErrors.size === 0) return;
  const good = new Set(verdict.goodOutputs);
  const faulty = [...verdict.nodeErrors.keys()].flatMap((id) => view.nodes.get(id) ?? []);
  for (const node of view.nodes.values()) {
    if (!node.definition?.isOutputNode || good.has(node.id)) continue;
    const related = faulty
      .slice(0, 10)
      .map((each) => ({ ...classPlace(each), message: `A fault of ${nodeName(each)}.` }));
    report({
      code: 'output-dropped',
      ...classPlace(node),
      message: `${server} accepts the workflow but leaves this output out, because of faults in what it depends on. Repair those first.`,
      related,
      counts: 'always',
    });
  }
};
