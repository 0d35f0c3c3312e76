import { t } from '../../safety/localize';
import type { LinkView, NodeView } from '../promptView';
import { nodeName } from '../rule';

/** A link that the server follows without validating it, and how messages name the server. */
export interface UncheckedLink {
  readonly node: NodeView;
  readonly link: LinkView;
  readonly server: string;
}

export function toNoNode({ node, link, server }: UncheckedLink): string {
  const { input } = link;
  const id = JSON.stringify(link.targetId);
  if (link.isDeclared)
    return t`${nodeName(node)} follows a link that ${server} doesn't check, and there is no node ${id}. ${server} would accept this and then stop running jobs for everyone until it's restarted. Remove the input.`;
  return link.isWrapped
    ? t`${server} reads the list in ${input} of ${nodeName(node)} as a link without checking it, and there is no node ${id}. ${server} would accept this and then stop running jobs for everyone until it's restarted. Remove the input.`
    : t`${classOf(node)} has no input ${input}, and there is no node ${id}. ${server} would accept this and then stop running jobs for everyone until it's restarted. Remove the input.`;
}

export function inCycle({ node, link, server }: UncheckedLink): string {
  const { input } = link;
  return link.isWrapped
    ? t`${server} reads the list in ${input} of ${nodeName(node)} as a link without checking it, and the link creates a cycle. ${server} accepts this but fails at run time. Remove the input.`
    : t`${classOf(node)} has no input ${input}, and the link creates a cycle. ${server} accepts this but fails at run time. Remove the input.`;
}

export function toNoSlot({ node, link, server }: UncheckedLink, target: NodeView): string {
  const { input } = link;
  return link.isWrapped
    ? t`${server} reads the list in ${input} of ${nodeName(node)} as a link without checking it, and ${nodeName(target)} doesn't have that slot. ${server} accepts this but fails at run time. Remove the input.`
    : t`${classOf(node)} has no input ${input}, and ${nodeName(target)} doesn't have that slot. ${server} accepts this but fails at run time. Remove the input.`;
}

/** @param mayTake whether the node may accept inputs of any name */
export function toUnknownInput({ node, link, server }: UncheckedLink, mayTake: boolean): string {
  const { input } = link;
  return mayTake
    ? t`${classOf(node)} has no input ${input}. ${server} accepts the link, but the node fails at run time unless it accepts any input. Remove the input.`
    : t`${classOf(node)} has no input ${input}. ${server} accepts the link, but the node fails at run time. Remove the input.`;
}

function classOf({ classType }: NodeView): string {
  return classType ?? t`The node type`;
}
