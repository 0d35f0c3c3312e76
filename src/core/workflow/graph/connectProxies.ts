import { budgets } from '../../safety/budgets';
import { GraphRefusal } from './graphProblem';
import { grouped } from './grouped';
import type { LiveInput, LiveLevel, LiveNode } from './liveNode';
import { forgetProxied, proxiedInput, showPrimitive } from './promotedWidgets';
import { hasProxies, nodesOfFile, proxiesOf, type Proxy } from './proxyWidgets';
import { acceptsType } from './slotTypes';
import { isPrimitive } from './virtualNodes';
import { subgraphInputId } from './graph';
import { numberText, t } from '../../safety/localize';

/**
 * Older editors showed an inner node's widget on the instance without a link. The editor turns each into a subgraph
 * input, which replaces the widget's inner link. `instances` are all instances, inner ones first.
 */
export function connectProxies(instances: readonly LiveNode[]): void {
  const byInside = grouped(instances, ({ inside }) => inside);
  let count = 0;
  for (const instance of instances) {
    const { inside } = instance;
    if (!inside || !hasProxies(instance.source)) continue;
    for (const proxy of proxiesOf(instance)) {
      if (++count > budgets.proxyWidgets) refuse(instance);
      if (proxiedInput(instance, proxy.nodeId, proxy.name) >= 0) continue;
      const fed = inputsBehind(inside, proxy);
      if (fed.length > 0) connect(inside, proxy, fed, byInside.get(inside) ?? []);
    }
  }
}

function refuse({ source }: LiveNode): never {
  const most = numberText(budgets.proxyWidgets);
  const message = t`The subgraph nodes of this graph promote more than ${most} widgets. Save the graph again in a current version of ComfyUI.`;
  throw new GraphRefusal({ code: 'too-large', message, node: source.node });
}

interface Fed {
  readonly node: LiveNode;
  readonly input: LiveInput;
}

/** The inner inputs that get a link; none if the new link would change nothing. */
function inputsBehind(inside: LiveLevel, { nodeId, name, value }: Proxy): Fed[] {
  const [node] = nodesOfFile(inside, nodeId);
  if (!node) return [];
  if (isPrimitive(node.type)) return name === 'value' ? fedBy(node, inside) : [];
  const input = node.inputs.find((each) => (node.inside ? each.name : each.widget) === name);
  // A promoted curve is sent without its type.
  const isChanged = value !== undefined || input?.link !== undefined || input?.type === 'CURVE';
  return input && isChanged ? [{ node, input }] : [];
}

/**
 * The inputs that the instance feeds instead of an inner primitive. The editor follows the slot that each link names,
 * not the slot that names the link, and gives up if one of them is not a widget of the primitive's type.
 */
function fedBy(primitive: LiveNode, inside: LiveLevel): Fed[] {
  const [output] = primitive.source.outputs;
  const fed: Fed[] = [];
  for (const id of output?.links ?? []) {
    const link = inside.links.get(id);
    const node = link && inside.byId.get(link.targetId);
    const input = link && node?.inputs[link.targetSlot];
    if (!node || input?.widget === undefined || !acceptsType(output?.type ?? '*', input.type)) return [];
    fed.push({ node, input });
  }
  // From here on the primitive has no effect.
  for (const id of output?.links ?? []) inside.links.delete(id);
  for (const { node } of fed) {
    for (const input of node.inputs) {
      if (input.link !== undefined && output?.links.includes(input.link)) input.link = undefined;
    }
  }
  return fed;
}

function connect(inside: LiveLevel, proxy: Proxy, fed: readonly Fed[], instances: readonly LiveNode[]): void {
  const { subgraph } = inside;
  const { name, nodeId } = proxy;
  const [first] = fed;
  if (!subgraph || !first) return;
  const type = first.input.type;
  const slot = subgraph.inputs.length;
  if (fed.some(({ input }) => input.link !== undefined)) forgetProxied(inside);
  const linkIds = fed.map(({ node, input }, index) => {
    const id = `proxy ${slot} ${index}`;
    const ends = { originId: subgraphInputId, originSlot: slot, targetId: node.id, type };
    inside.links.set(id, { ...ends, targetSlot: node.inputs.indexOf(input), node: node.source.node });
    input.link = id;
    return id;
  });
  subgraph.inputs.push({ name, type, linkIds });
  if (first.node.source.id !== nodeId) showPrimitive(inside, nodeId, name, slot);
  for (const each of instances) {
    each.inputs.push({ name, type, link: undefined, widget: name, place: undefined });
  }
}
