import { exactValue } from '../../json/exactValue';
import type { LiveLevel, LiveNode, LiveWidget, PlacedValue } from './liveGraph';

/** What stands behind an input of a subgraph: a widget inside, or an input of an instance inside. */
type Promoted =
  | { readonly kind: 'widget'; readonly node: LiveNode; readonly widget: LiveWidget }
  | { readonly kind: 'nested'; readonly node: LiveNode; readonly index: number };

/**
 * The value that an unlinked input of a subgraph instance gives to the nodes inside; undefined for pure sockets.
 * Files that carry `proxyWidgets` keep the values inside; all others keep them at the instance, one element of
 * `widgets_values` per input that has a widget (workflows 1.4).
 */
export function promotedValue(instance: LiveNode, index: number): PlacedValue | undefined {
  const promoted = promotedAt(instance.inside, index);
  if (!promoted) return undefined;
  const own = ownValues(instance)[index];
  if (own) return own;
  return promoted.kind === 'widget' ? promoted.widget.current : promotedValue(promoted.node, promoted.index);
}

const knownValues = new WeakMap<LiveNode, readonly (PlacedValue | undefined)[]>();

/** The values that an instance has itself, by input. */
function ownValues(instance: LiveNode): readonly (PlacedValue | undefined)[] {
  const known = knownValues.get(instance);
  if (known) return known;
  const values = readOwnValues(instance);
  knownValues.set(instance, values);
  return values;
}

function readOwnValues({ source, inputs, inside }: LiveNode): (PlacedValue | undefined)[] {
  if (source.properties?.property('proxyWidgets') || source.widgetsValues?.kind !== 'array') return [];
  const { items } = source.widgetsValues;
  const promoted = inputs.map((_, index) => promotedAt(inside, index));
  // Some files repeat the layout of the inner node: an element for the control behind each seed.
  const hasControls = items.length > promoted.filter((each) => each !== undefined).length;
  let at = 0;
  return promoted.map((each) => {
    if (!each) return undefined;
    const place = items[at];
    at += hasControls && hasControl(each) ? 2 : 1;
    return place && { value: exactValue(place), place };
  });
}

function hasControl(promoted: Promoted): boolean {
  if (promoted.kind === 'nested') {
    const inner = promotedAt(promoted.node.inside, promoted.index);
    return inner !== undefined && hasControl(inner);
  }
  const { widgets } = promoted.node;
  const next = widgets[widgets.indexOf(promoted.widget) + 1]?.widget;
  return next?.spec === undefined && next?.name === 'control_after_generate';
}

const knownPromotions = new WeakMap<LiveLevel, Map<number, Promoted | undefined>>();

/** The first widget that the links of a subgraph input lead to. A subgraph inside itself promotes nothing. */
function promotedAt(inside: LiveLevel | undefined, index: number): Promoted | undefined {
  if (!inside) return undefined;
  const known = knownPromotions.get(inside) ?? new Map<number, Promoted | undefined>();
  knownPromotions.set(inside, known);
  if (!known.has(index)) {
    known.set(index, undefined);
    known.set(index, findPromoted(inside, index));
  }
  return known.get(index);
}

function findPromoted(inside: LiveLevel, index: number): Promoted | undefined {
  for (const linkId of inside.subgraph?.inputs[index]?.linkIds ?? []) {
    const link = inside.links.get(linkId);
    const node = link && inside.byId.get(link.targetId);
    const slot = node?.inputs.findIndex((each) => each.link === linkId) ?? -1;
    const target = node?.inputs[slot];
    if (!node || !target) continue;
    if (node.role === 'instance') {
      if (promotedAt(node.inside, slot)) return { kind: 'nested', node, index: slot };
      continue;
    }
    const name = target.widget;
    const widget = name === undefined ? undefined : node.widgets.find((each) => each.widget.name === name);
    if (widget) return { kind: 'widget', node, widget };
  }
  return undefined;
}
