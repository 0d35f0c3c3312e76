import { exactValue } from '../../json/exactValue';
import type { LiveNode, LiveWidget, PlacedValue } from './liveGraph';

/** The widget of an inner node that stands behind an input of a subgraph instance. */
type Promoted = { readonly kind: 'widget'; readonly node: LiveNode; readonly widget: LiveWidget } | NestedPromoted;
interface NestedPromoted {
  readonly kind: 'nested';
  readonly node: LiveNode;
  readonly index: number;
}

const maxNesting = 50;

/**
 * The value that an unlinked input of a subgraph instance gives to the nodes inside; undefined for pure sockets.
 * Files that carry `proxyWidgets` keep the values inside; all others keep them at the instance, one element of
 * `widgets_values` per input that has a widget (workflows 1.4).
 */
export function promotedValue(instance: LiveNode, index: number, depth = 0): PlacedValue | undefined {
  const promoted = promotedAt(instance, index);
  if (!promoted || depth > maxNesting) return undefined;
  const own = ownValue(instance, index);
  if (own) return own;
  return promoted.kind === 'widget' ? promoted.widget.current : promotedValue(promoted.node, promoted.index, depth + 1);
}

function ownValue(instance: LiveNode, index: number): PlacedValue | undefined {
  const { widgetsValues, properties } = instance.source;
  if (properties?.property('proxyWidgets') || widgetsValues?.kind !== 'array') return undefined;
  const values = widgetsValues.items;
  const promoted = instance.inputs.map((_, each) => promotedAt(instance, each));
  // Some files repeat the layout of the inner node: an element for the control behind each seed.
  const hasControls = values.length > promoted.filter((each) => each !== undefined).length;
  let at = 0;
  for (const [each, source] of promoted.entries()) {
    if (!source) continue;
    if (each === index) {
      const place = values[at];
      return place ? { value: exactValue(place), place } : undefined;
    }
    at += hasControls && hasControl(source, 0) ? 2 : 1;
  }
  return undefined;
}

function hasControl(promoted: Promoted, depth: number): boolean {
  if (promoted.kind === 'nested') {
    const deeper = depth > maxNesting ? undefined : promotedAt(promoted.node, promoted.index);
    return deeper !== undefined && hasControl(deeper, depth + 1);
  }
  const { widgets } = promoted.node;
  const next = widgets[widgets.indexOf(promoted.widget) + 1]?.widget;
  return next?.spec === undefined && next?.name === 'control_after_generate';
}

/** The first inner widget that the links of a subgraph input lead to. */
function promotedAt(instance: LiveNode, index: number, depth = 0): Promoted | undefined {
  const { inside } = instance;
  const input = inside?.subgraph?.inputs[index];
  if (!inside || !input || depth > maxNesting) return undefined;
  for (const linkId of input.linkIds) {
    const link = inside.links.get(linkId);
    const node = link && inside.byId.get(link.targetId);
    const slot = node?.inputs.findIndex((each) => each.link === linkId) ?? -1;
    const target = node?.inputs[slot];
    if (!node || !target) continue;
    if (node.role === 'instance') {
      if (promotedAt(node, slot, depth + 1)) return { kind: 'nested', node, index: slot };
      continue;
    }
    const name = target.widget;
    const widget = name === undefined ? undefined : node.widgets.find((each) => each.widget.name === name);
    if (widget) return { kind: 'widget', node, widget };
  }
  return undefined;
}

