import { isExactList } from '../../json/exactValue';
import { unwrapLiteral } from '../convertLiteral';
import { hasSlot } from '../links';
import { loopsOf } from '../loops';
import { isSlot, type NodeView } from '../promptView';
import { classPlace, nodeName, type PromptRule, type Report, type RuleContext, valuePlace } from '../rule';
import { isFlexible, mayTakeAnyName } from '../flexibleClass';
import { t } from '../../safety/localize';
import { inCycle, toNoNode, toNoSlot, toUnknownInput } from './undeclaredLinkWords';

/**
 * Links at inputs that the node type lacks. The server validates none of them, but follows them all when the prompt
 * runs: the node fails, or the server itself stops for everyone (protocol 7.2).
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
  for (const link of node.links) {
    const { input, isDeclared, isWrapped, targetId } = link;
    const target = view.nodes.get(targetId);
    const place = valuePlace(node, input);
    const remove = { fix: { kind: 'removeInput', nodeId: node.id, input } } as const;
    if (isDeclared && (target || !reach.isRunUnchecked(node) || !isFollowed(node, input))) continue;
    const unchecked = { node, link, server };
    if (!target) {
      report({
        code: 'undeclared-link-to-missing-node',
        ...place,
        message: toNoNode(unchecked),
        ...remove,
      });
      continue;
    }
    const related = [{ ...classPlace(target), message: t`${nodeName(target)} is here.` }];
    const cycle = loops.get(node);
    if (cycle !== undefined && loops.get(target) === cycle) {
      report({ code: 'undeclared-link-cycle', ...place, message: inCycle(unchecked), related, ...remove });
    } else if (!reaches(target, unwrapLiteral(node.values?.get(input) ?? null))) {
      const message = toNoSlot(unchecked, target);
      report({ code: 'undeclared-link-slot', ...place, message, related, ...remove });
    } else if (!isWrapped && node.definition && !isFlexible(node.definition, input)) {
      const mayTake = mayTakeAnyName(node.definition);
      report({
        code: 'undeclared-link',
        ...place,
        severity: mayTake ? 'warning' : undefined,
        message: toUnknownInput(unchecked, mayTake),
        related,
        ...remove,
      });
    }
  }
}

/** The server's executor treats only a string with a number or a Boolean as a link. */
function isFollowed(node: NodeView, input: string): boolean {
  const value = node.values?.get(input);
  return isExactList(value) && isSlot(value[1]);
}

function reaches(target: NodeView, value: unknown): boolean {
  const slot: unknown = Array.isArray(value) ? value[1] : undefined;
  return typeof slot !== 'bigint' || hasSlot(target, slot);
}
