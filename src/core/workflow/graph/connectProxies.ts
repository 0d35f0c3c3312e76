import { budgets } from '../../safety/budgets';
import { GraphRefusal } from './graphProblem';
import { grouped } from './grouped';
import type { LiveInput, LiveLevel, LiveNode } from './liveGraph';
import { forgetProxied, proxiedInput } from './promotedWidgets';
import { hasProxies, nodesOfFile, proxiesOf, type Proxy } from './proxyWidgets';
import { isPrimitive } from './virtualNodes';
import { subgraphInputId } from './graph';

/**
 * Older editors showed a widget of a node inside at the instance without a link. The editor makes an input of the
 * subgraph of each, which takes the place of what the widget was linked to inside. `instances` are all there are, inner
 * ones first.
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
      if (fed.length > 0) connect(inside, proxy.name, fed, byInside.get(inside) ?? []);
    }
  }
}

function refuse({ source }: LiveNode): never {
  const most = budgets.proxyWidgets.toLocaleString('en');
  const message = `The subgraph instances of this graph show more than ${most} inner widgets. Save it again in a current version of ComfyUI.`;
  throw new GraphRefusal({ code: 'too-large', message, node: source.node });
}

interface Fed {
  readonly node: LiveNode;
  readonly input: LiveInput;
}

/** The inner inputs that get a link; none where the new link would change nothing. */
function inputsBehind(inside: LiveLevel, { nodeId, name, value }: Proxy): Fed[] {
  const [node] = nodesOfFile(inside, nodeId);
  if (!node) return [];
  const isGiven = value !== undefined && value.kind !== 'null';
  if (isPrimitive(node.type)) return isGiven ? fedBy(node, inside) : [];
  const input = node.inputs.find((each) => (node.inside ? each.name : each.widget) === name);
  return input && (isGiven || input.link !== undefined) ? [{ node, input }] : [];
}

/** What the inner primitive fed gets its value from the instance. */
function fedBy(primitive: LiveNode, inside: LiveLevel): Fed[] {
  return (primitive.source.outputs[0]?.links ?? []).flatMap((id) => {
    const link = inside.links.get(id);
    const node = link && inside.byId.get(link.targetId);
    const input = node?.inputs.find((each) => each.link === id);
    return node && input ? [{ node, input }] : [];
  });
}

function connect(inside: LiveLevel, name: string, fed: readonly Fed[], instances: readonly LiveNode[]): void {
  const { subgraph } = inside;
  const [first] = fed;
  if (!subgraph || !first) return;
  const type = first.input.type;
  const slot = subgraph.inputs.length;
  if (fed.some(({ input }) => input.link !== undefined)) forgetProxied(inside);
  const linkIds = fed.map(({ node, input }) => {
    const id = `proxy ${inside.links.size}`;
    const ends = { originId: subgraphInputId, originSlot: slot, targetId: node.id, type };
    inside.links.set(id, { ...ends, targetSlot: node.inputs.indexOf(input), node: node.source.node });
    input.link = id;
    return id;
  });
  subgraph.inputs.push({ name, type, linkIds });
  for (const each of instances) {
    each.inputs.push({ name, type, link: undefined, widget: name, place: undefined });
  }
}
