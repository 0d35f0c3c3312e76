import { mapDefined, countAt } from '../safety/lists';
import type { JsonNode } from '../json/node';
import type { Prompt } from '../workflow/prompt';
import type { CheckContext } from './checkContext';
import type { RuleFinding } from './rule';
import { findLinkLoops } from './loops';
import { type NodeView, type PromptView, viewPrompt } from './promptView';
import { reachFromOutputs } from './promptView';
import { checkedNodeName, type RuleContext, valuePlace, classPlace } from './rule';
import { structuralLinks } from './rules/linkForm';
import { undeclaredLinks } from './rules/undeclaredLinks';
import { t } from '../safety/localize';

/** Python ends recursion at about 1000 calls: one for each link, two for each list in another. */
const longestChain = 950;
const deepestValue = 400;

/** What the server accepts and then stops on, for everyone (protocol 7.2). Unlike the findings, this has no limit. */
export function stopsServer(
  prompt: Prompt,
  {
    catalog,
    replacements = new Map(),
    targets = [],
  }: Pick<CheckContext, 'catalog' | 'replacements' | 'targets'>,
): RuleFinding | undefined {
  const view = viewPrompt(prompt, catalog, replacements);
  const context: RuleContext = {
    view,
    reach: reachFromOutputs(view, targets),
    verdict: undefined,
    validators: new Map(),
    replacements,
    server: t`the server`,
    isLocal: undefined,
    similar: () => [],
  };
  return linkToNothing(context) ?? deepValue(view) ?? longChain(view);
}

function linkToNothing(context: RuleContext): RuleFinding | undefined {
  const { view, reach } = context;
  let found: RuleFinding | undefined;
  const note = (ruleFinding: RuleFinding): void => {
    const { nodeId } = ruleFinding;
    const node = nodeId === undefined ? undefined : view.nodes.get(nodeId);
    if (!found && isDeadly(ruleFinding, view) && node && reach.isRun(node)) found = ruleFinding;
  };
  if (view.catalog) undeclaredLinks(context, note);
  else for (const node of view.nodes.values()) structuralLinks(node, context, note);
  return found;
}

function isDeadly({ code }: RuleFinding, { catalog }: PromptView): boolean {
  return code === (catalog ? 'undeclared-link-to-missing-node' : 'link-to-missing-node');
}

/** Whether or not an output depends on the node: the server makes a key of every value before it runs anything. */
function deepValue({ nodes }: PromptView): RuleFinding | undefined {
  for (const node of nodes.values()) {
    for (const { name, valueNode } of node.source.inputs) {
      if (valueNode.kind !== 'array' && valueNode.kind !== 'object') continue;
      if (depthOf(valueNode) <= deepestValue) continue;
      const message = t`The value of ${name} of ${checkedNodeName(node)} is nested deeper than ${deepestValue} levels. Remove the input.`;
      return { code: 'server-crash', message, ...valuePlace(node, name) };
    }
  }
  return undefined;
}

function depthOf(value: JsonNode): number {
  let depth = 0;
  for (let level: readonly JsonNode[] = [value]; level.length > 0; depth++) {
    level = level.flatMap((node) => {
      if (node.kind === 'array') return node.items;
      return node.kind === 'object' ? mapDefined(node.properties, (each) => each.value) : [];
    });
  }
  return depth;
}

/** Does the same for every chain of links. Nodes of a cycle count as one chain. */
function longChain(view: PromptView): RuleFinding | undefined {
  if (view.nodes.size <= longestChain) return undefined;
  const groups = groupsOf(view);
  const lengths = new Map<NodeGroup, number>();
  for (const [node, start] of groups) {
    const open = [start];
    for (let group = open.at(-1); group; group = open.at(-1)) {
      let longest = 0;
      let isKnown = true;
      for (const target of lengths.has(group) ? [] : targetsOf(group, view, groups)) {
        const length = lengths.get(target);
        if (length === undefined) {
          open.push(target);
          isKnown = false;
        } else longest = Math.max(longest, length);
      }
      if (!isKnown) continue;
      if (!lengths.has(group)) lengths.set(group, longest + group.length);
      open.pop();
    }
    if (countAt(lengths, start) <= longestChain) continue;
    const message = t`${checkedNodeName(node)} depends on a chain of more than ${longestChain} nodes. Split the workflow.`;
    return { code: 'server-crash', message, ...classPlace(node) };
  }
  return undefined;
}

type NodeGroup = readonly NodeView[];

function groupsOf(view: PromptView): ReadonlyMap<NodeView, NodeGroup> {
  const groups = new Map<NodeView, NodeGroup>([...view.nodes.values()].map((node) => [node, [node]]));
  for (const loop of findLinkLoops(view, () => true)) for (const member of loop) groups.set(member, loop);
  return groups;
}

function targetsOf(
  group: NodeGroup,
  { nodes }: PromptView,
  groups: ReadonlyMap<NodeView, NodeGroup>,
): NodeGroup[] {
  return group.flatMap(({ links }) =>
    links.flatMap(({ targetId }) => {
      const target = nodes.get(targetId);
      const found = target && groups.get(target);
      return found && found !== group ? [found] : [];
    }),
  );
}
