import { isExactList } from '../../json/exactValue';
import { unwrapLiteral } from '../convertLiteral';
import { typeAtSlot } from '../links';
import { loopsOf } from '../loops';
import { isSlot, type NodeView } from '../promptView';
import { PythonRaise } from '../pythonRaise';
import { classPlace, nodeName, type PromptRule, type Report, type RuleContext, valuePlace } from '../rule';
import { isFlexible, isOfPack } from '../flexibleClass';

/**
 * Links in inputs that the class does not have. The server checks none of them, and follows them all when the prompt
 * runs: the node fails, or the server itself stops for everybody (protocol 7.2).
 */
export const undeclaredLinks: PromptRule = (context, report) => {
  const { view } = context;
  const loops = new Map<NodeView, number>();
  const hasAny = [...view.nodes.values()].some(({ links }) => links.some(({ isDeclared }) => !isDeclared));
  if (!hasAny) return;
  loopsOf(view, () => true).forEach((members, index) => {
    for (const member of members) loops.set(member, index);
  });
  // First those that run: of very many only the first are kept.
  const nodes = [...view.nodes.values()];
  for (const isRun of [true, false])
    for (const node of nodes)
      if (context.reach.isRun(node) === isRun) checkNode(node, loops, context, report);
};

function checkNode(
  node: NodeView,
  loops: ReadonlyMap<NodeView, number>,
  { view, server, reach }: RuleContext,
  report: Report,
): void {
  for (const { input, isDeclared, isWrapped, targetId } of node.links) {
    const target = view.nodes.get(targetId);
    const place = valuePlace(node, input);
    const remove = { fix: { kind: 'removeInput', nodeId: node.id, input } } as const;
    if (isDeclared && (target || !reach.isRunUnchecked(node) || !isFollowed(node, input))) continue;
    const unknown = isDeclared
      ? `${nodeName(node)} runs for a link that ${server} does not check`
      : isWrapped
        ? `${server} takes the list in ${input} of ${nodeName(node)} for a link that it does not check`
        : `${node.classType ?? 'The node type'} has no input ${input}`;
    if (!target) {
      report({
        code: 'undeclared-link-to-missing-node',
        ...place,
        message: `${unknown}, and there is no node ${JSON.stringify(targetId)}. ${server} would accept this and then stop running anything, for anyone, until it is restarted. Remove the input.`,
        ...remove,
      });
      continue;
    }
    const related = [{ ...classPlace(target), message: `${nodeName(target)} is here.` }];
    const loop = loops.get(node);
    if (loop !== undefined && loops.get(target) === loop) {
      const message = `${unknown}, and the link closes a cycle: ${server} accepts it and fails when it runs. Remove the input.`;
      report({ code: 'undeclared-link-cycle', ...place, message, related, ...remove });
    } else if (!hasSlot(target, unwrapLiteral(node.values?.get(input) ?? null))) {
      const message = `${unknown}, and ${nodeName(target)} doesn't have that slot: ${server} accepts it and fails when it runs. Remove the input.`;
      report({ code: 'undeclared-link-slot', ...place, message, related, ...remove });
    } else if (!isWrapped && node.definition && !isFlexible(node.definition, input)) {
      // Functions of packs may take any name; those of the core never do.
      const mayTake = isOfPack(node.definition);
      report({
        code: 'undeclared-link',
        ...place,
        ...(mayTake ? { severity: 'warning' } : {}),
        message: mayTake
          ? `${unknown}. ${server} accepts the link, and the node fails when it runs unless it accepts any input. Remove the input.`
          : `${unknown}. ${server} accepts the link, and the node fails when it runs. Remove the input.`,
        related,
        ...remove,
      });
    }
  }
}

/** The server's executor takes a text and a number, or a Boolean, for a link, and nothing else. */
function isFollowed(node: NodeView, input: string): boolean {
  const value = node.values?.get(input);
  return isExactList(value) && isSlot(value[1]);
}

function hasSlot(target: NodeView, value: unknown): boolean {
  const slot: unknown = Array.isArray(value) ? value[1] : undefined;
  if (!target.definition || typeof slot !== 'bigint') return true;
  try {
    typeAtSlot(target.definition, slot, { nodeId: target.id, range: target.source.idNode });
    return true;
  } catch (error) {
    if (error instanceof PythonRaise) return false;
    throw error;
  }
}
