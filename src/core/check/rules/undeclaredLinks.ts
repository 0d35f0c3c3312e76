import { isNumeric } from '../../json/exactEquals';
import { isExactList } from '../../json/exactValue';
import { unwrapLiteral } from '../convertLiteral';
import { hasSlot } from '../links';
import { findLinkLoops } from '../loops';
import type { LinkView, NodeView } from '../promptView';
import {
  classPlace,
  checkedNodeName,
  type PromptRule,
  type Report,
  type RuleContext,
  valuePlace,
} from '../rule';
import { isFlexible, mayTakeAnyName } from '../flexibleClass';
import { startOfSentence } from '../../safety/endSentence';
import { t } from '../../safety/localize';

/** The server doesn't validate such links, but follows them: the node fails, or the server stops (protocol 7.2). */
export const undeclaredLinks: PromptRule = (context, report) => {
  const { view } = context;
  const loops = new Map<NodeView, number>();
  const hasAny = [...view.nodes.values()].some(({ links }) => links.some(({ isDeclared }) => !isDeclared));
  if (!hasAny) return;
  findLinkLoops(view, () => true).forEach((members, index) => {
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
    const related = [{ ...classPlace(target), message: t`${checkedNodeName(target)} is here.` }];
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
  return isExactList(value) && isNumeric(value[1]);
}

function reaches(target: NodeView, value: unknown): boolean {
  const slot: unknown = Array.isArray(value) ? value[1] : undefined;
  return typeof slot !== 'bigint' || hasSlot(target, slot);
}

interface UncheckedLink {
  readonly node: NodeView;
  readonly link: LinkView;
  readonly server: string;
}

function toNoNode({ node, link, server }: UncheckedLink): string {
  const { input } = link;
  const id = JSON.stringify(link.targetId);
  if (link.isDeclared)
    return t`${checkedNodeName(node)} follows a link that ${server} doesn't check, and there is no node ${id}. ${server} would accept this and then stop running jobs for everyone until it's restarted. Remove the input.`;
  return link.isWrapped
    ? t`${server} reads the list in ${input} of ${checkedNodeName(node)} as a link without checking it, and there is no node ${id}. ${server} would accept this and then stop running jobs for everyone until it's restarted. Remove the input.`
    : t`${classOf(node)} has no input ${input}, and there is no node ${id}. ${server} would accept this and then stop running jobs for everyone until it's restarted. Remove the input.`;
}

function inCycle({ node, link, server }: UncheckedLink): string {
  const { input } = link;
  return link.isWrapped
    ? t`${server} reads the list in ${input} of ${checkedNodeName(node)} as a link without checking it, and the link creates a cycle. ${server} accepts this but fails at run time. Remove the input.`
    : t`${classOf(node)} has no input ${input}, and the link creates a cycle. ${server} accepts this but fails at run time. Remove the input.`;
}

function toNoSlot({ node, link, server }: UncheckedLink, target: NodeView): string {
  const { input } = link;
  return link.isWrapped
    ? t`${server} reads the list in ${input} of ${checkedNodeName(node)} as a link without checking it, and ${checkedNodeName(target)} doesn't have that slot. ${server} accepts this but fails at run time. Remove the input.`
    : t`${classOf(node)} has no input ${input}, and ${checkedNodeName(target)} doesn't have that slot. ${server} accepts this but fails at run time. Remove the input.`;
}

/** @param mayTake whether the node may accept inputs of any name */
function toUnknownInput({ node, link, server }: UncheckedLink, mayTake: boolean): string {
  const { input } = link;
  return mayTake
    ? t`${classOf(node)} has no input ${input}. ${server} accepts the link, but the node fails at run time unless it accepts any input. Remove the input.`
    : t`${classOf(node)} has no input ${input}. ${server} accepts the link, but the node fails at run time. Remove the input.`;
}

function classOf({ classType }: NodeView): string {
  return classType ?? startOfSentence(t`the node type`);
}
