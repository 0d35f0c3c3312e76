import { mapDefined } from '../../safety/lists';
import { linksFrom } from '../../workflow/graph/graphLinks';
import type { GraphInput, GraphNode } from '../../workflow/graph/graphNode';
import { groupByKey } from '../../workflow/graph/grouped';
import { isPrimitive, virtualNodeRole } from '../../workflow/graph/virtualNodes';
import { typeRange } from '../../workflow/promptPlaces';
import { type GraphRule, graphNodeLabel, hasOutput, type LevelView, linkHere } from '../graphRule';
import { type RuleFinding, textsFix } from '../rule';
import { replaceValue } from '../../json/textEdit';
import { listWithAnd } from '../wording';
import { t } from '../../safety/localize';

/** Inside a subgraph, the editor goes by the modes of a subgraph's inner nodes (workflows 2, E). */
export const inactiveSubgraphs: GraphRule = (view, report) => {
  if (!view.subgraph) return;
  for (const node of view.level.nodes) {
    if (node.mode === 'always' || !view.graph.subgraphs.has(node.type) || !hasOutput(view, node)) continue;
    const name = nameOf(view, node);
    report({
      code: 'inactive-subgraph-runs',
      range: node.node.get('mode') ?? typeRange(node.node),
      message:
        node.mode === 'muted'
          ? t`${name} is muted, but the ComfyUI editor still sends the nodes inside it, so its outputs run. Mute those nodes, or remove the subgraph.`
          : t`${name} is bypassed, but the ComfyUI editor still sends the nodes inside it, so its outputs run. Bypass those nodes, or remove the subgraph.`,
    });
  }
};

/** Primitives whose value goes nowhere: the editor writes it only into the widgets of nodes right behind the link. */
export const idlePrimitives: GraphRule = (view, report) => {
  const { level, nodes, graph } = view;
  for (const node of level.nodes) {
    if (!isPrimitive(node.type)) continue;
    for (const link of linksFrom(level, node.id, 0)) {
      const target = nodes.get(link.targetId);
      const isSubgraph = target !== undefined && graph.subgraphs.has(target.type);
      const isPassing =
        target !== undefined && !view.definitionOf(target) && virtualNodeRole(target) === 'passing';
      if (!isSubgraph && !isPassing) continue;
      const [name, through] = [graphNodeLabel(node), nameOf(view, target)];
      report({
        code: 'idle-primitive',
        range: typeRange(node.node),
        message: isSubgraph
          ? t`${name} changes nothing, because the ComfyUI editor doesn't pass the value of a primitive to the subgraph ${through}. Remove the link and enter the value in the subgraph node, or use a node such as Int.`
          : t`${name} changes nothing, because the ComfyUI editor doesn't pass the value of a primitive through ${through}. Connect it directly, or use a node such as Int.`,
        related: [linkHere(link)],
      });
      break;
    }
  }
};

/** Inputs of one name, of which the editor keeps only as many as the node has. */
export const repeatedInputs: GraphRule = (view, report) => {
  for (const node of view.level.nodes) {
    if (new Set(node.inputs.map(({ name }) => name)).size === node.inputs.length) continue;
    if (isVirtual(view, node)) continue;
    for (const [name, inputs] of groupByKey(node.inputs, (input) => input.name)) {
      const [first, ...others] = inputs;
      if (name === '' || !first || others.length === 0 || inputs.length <= declared(view, node, name))
        continue;
      report({
        code: 'duplicate-input',
        severity: inputs.some(({ link }) => link !== undefined) ? undefined : 'hint',
        range: nameRange(first),
        message: t`${name} is listed ${inputs.length} times in ${nameOf(view, node)}, but only one of them counts, so a link to another one is lost. Keep only one.`,
        explains: inputs.map((each) => each.node),
        related: others.map((each) => ({ range: nameRange(each), message: t`Listed again here.` })),
      });
    }
  }
};

/** How many inputs of a name a subgraph has; every other node has one at most. */
function declared({ graph }: LevelView, { type }: GraphNode, name: string): number {
  return graph.subgraphs.get(type)?.inputs.filter((input) => input.name === name).length ?? 1;
}

function isVirtual(view: LevelView, node: GraphNode): boolean {
  return (
    !view.definitionOf(node) && !view.graph.subgraphs.has(node.type) && virtualNodeRole(node) !== 'executed'
  );
}

function nameRange({ node }: GraphInput): RuleFinding['range'] {
  return node.get('name') ?? node;
}

/** A subgraph is named as people see it, not by its ID. */
function nameOf({ graph }: LevelView, node: GraphNode): string {
  return graphNodeLabel({ ...node, title: node.title ?? graph.subgraphs.get(node.type)?.name });
}

/** Reports a graph without an output that runs, if its output nodes are muted or bypassed. */
export function inactiveOutputs(levels: readonly LevelView[], server: string): RuleFinding | undefined {
  const silenced = levels.flatMap((view) =>
    // The mode of a subgraph inside another one has no effect.
    view.level.nodes.filter(
      (node) =>
        node.mode !== 'always' &&
        !(view.subgraph && view.graph.subgraphs.has(node.type)) &&
        hasOutput(view, node),
    ),
  );
  const [first, ...others] = silenced;
  if (!first) return undefined;
  const ids = listWithAnd(silenced.map(({ id }) => id));
  const modes = mapDefined(silenced, ({ node }) => node.get('mode'));
  return {
    code: 'no-output-node',
    nodeId: first.id,
    range: typeRange(first.node),
    message:
      others.length > 0
        ? t`Your output nodes ${ids} are muted or bypassed, so ${server} has nothing to run. Unmute one of them.`
        : first.mode === 'muted'
          ? t`Your output node ${ids} is muted, so ${server} has nothing to run. Unmute it.`
          : t`Your output node ${ids} is bypassed, so ${server} has nothing to run. Remove the bypass.`,
    related: others.map(({ node }) => ({
      range: typeRange(node),
      message: t`This output is inactive, too.`,
    })),
    counts: 'always',
    fix: textsFix(
      others.length > 0 ? t`Unmute All Outputs` : t`Unmute ${graphNodeLabel(first)}`,
      modes.map((mode) => replaceValue(mode, '0')),
      others.length > 0,
    ),
  };
}
