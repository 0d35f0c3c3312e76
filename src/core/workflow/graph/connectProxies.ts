import { budgets } from '../../safety/budgets';
import { type LinkTarget, targetsByOrigin } from './executionOrder';
import { GraphRefusal } from './graphProblem';
import { grouped } from './grouped';
import type { LiveLevel, LiveNode } from './liveNode';
import { forgetProxied, proxiedInput, showPrimitive } from './promotedWidgets';
import { hasProxies, nodesOfFile, proxiesOf, type Proxy } from './proxyWidgets';
import { acceptsType } from './slotTypes';
import { isPrimitive } from './virtualNodes';
import { subgraphInputId } from './graphLinks';
import { numberText, t } from '../../safety/localize';

/**
 * Older editors showed an inner node's widget on the instance without a link. The editor turns each into a subgraph
 * input, which replaces the widget's inner link. `instances` are all instances, inner ones first.
 * @param unchangedToo connects widgets whose value the instance leaves alone, as the editor shows them
 */
export function connectProxies(instances: readonly LiveNode[], unchangedToo: boolean): void {
  const byInside = grouped(instances, ({ inside }) => inside);
  const targets = new Map<LiveLevel, ReadonlyMap<string, readonly LinkTarget[]>>();
  const targetsOf = (inside: LiveLevel, id: string): readonly LinkTarget[] => {
    const known = targets.get(inside) ?? targetsByOrigin(inside);
    targets.set(inside, known);
    return known.get(id) ?? [];
  };
  let count = 0;
  for (const instance of instances) {
    const { inside } = instance;
    if (!inside || !hasProxies(instance.source)) continue;
    for (const proxy of proxiesOf(instance)) {
      if (++count > budgets.proxyWidgets) refuse(instance);
      if (proxiedInput(instance, proxy.nodeId, proxy.name) >= 0) continue;
      const fed = inputsBehind(inside, proxy, targetsOf, unchangedToo);
      if (fed.length > 0) connect(inside, proxy, fed, byInside.get(inside) ?? []);
    }
  }
}

function refuse({ source }: LiveNode): never {
  const most = numberText(budgets.proxyWidgets);
  const message = t`The subgraph nodes of this graph promote more than ${most} widgets. Save the graph again in a current version of ComfyUI.`;
  throw new GraphRefusal({ code: 'too-large', message, node: source.node });
}

type Fed = Pick<LinkTarget, 'target' | 'input'>;

/** The inner inputs that get a link; none if the new link would change nothing. */
function inputsBehind(
  inside: LiveLevel,
  { nodeId, name, value }: Proxy,
  targetsOf: (inside: LiveLevel, id: string) => readonly LinkTarget[],
  unchangedToo: boolean,
): Fed[] {
  const [node] = nodesOfFile(inside, nodeId);
  if (!node) return [];
  if (isPrimitive(node.type)) return name === 'value' ? fedBy(node, targetsOf(inside, node.id)) : [];
  const input = node.inputs.find((each) => (node.inside ? each.name : each.widget) === name);
  // A promoted curve is sent without its type.
  const isChanged =
    unchangedToo || value !== undefined || input?.link !== undefined || input?.type === 'CURVE';
  return input && isChanged ? [{ target: node, input }] : [];
}

/**
 * The inputs that the instance feeds instead of an inner primitive, which has no effect from then on. The editor gives
 * up if one of them is not a widget of the primitive's type.
 */
function fedBy({ source }: LiveNode, targets: readonly LinkTarget[]): Fed[] {
  const type = source.outputs[0]?.type ?? '*';
  // Another promoted widget may have replaced a link.
  const linked = targets.filter(({ slot, linkId, input }) => slot === 0 && input.link === linkId);
  const isFit = linked.every(({ input }) => input.widget !== undefined && acceptsType(type, input.type));
  if (!isFit) return [];
  for (const { input } of linked) input.link = undefined;
  return linked;
}

function connect(inside: LiveLevel, proxy: Proxy, fed: readonly Fed[], instances: readonly LiveNode[]): void {
  const { subgraph } = inside;
  const { name, nodeId } = proxy;
  const [first] = fed;
  if (!subgraph || !first) return;
  const type = first.input.type;
  const slot = subgraph.inputs.length;
  if (fed.some(({ input }) => input.link !== undefined)) forgetProxied(inside);
  const linkIds = fed.map(({ target, input }, index) => {
    const id = `proxy ${slot} ${index}`;
    const ends = { originId: subgraphInputId, originSlot: slot, targetId: target.id, type };
    inside.links.set(id, { ...ends, targetSlot: target.inputs.indexOf(input), node: target.source.node });
    input.link = id;
    return id;
  });
  const label = first.target.source.inputs.find((each) => each.name === first.input.name)?.label;
  subgraph.inputs.push({ name, type, label, linkIds });
  if (first.target.source.id !== nodeId) showPrimitive(inside, nodeId, name, slot);
  for (const each of instances) {
    each.inputs.push({ name, type, link: undefined, widget: name, place: undefined });
  }
}
