import { exactValue } from '../../json/exactValue';
import type { LiveLevel, LiveNode, PlacedValue } from './liveGraph';
import { isPrimitive } from './virtualNodes';

/**
 * Writes the value of every primitive into the widgets that it is linked to (workflows 2, D). `order` is the order in
 * which the editor does so; `replaceText` is what it makes of %Node.widget% where the primitive asks for it.
 */
export function applyPrimitives(
  level: LiveLevel,
  order: readonly LiveNode[],
  replaceText: (text: string) => string,
): void {
  const primitives = order.filter(({ type }) => isPrimitive(type));
  if (primitives.length === 0) return;
  const targets = new Map<string, [LiveNode, string][]>();
  for (const node of level.nodes) {
    for (const { link: linkId, widget } of node.inputs) {
      const link = linkId === undefined ? undefined : level.links.get(linkId);
      if (!link || widget === undefined || link.originSlot !== 0) continue;
      const list = targets.get(link.originId) ?? [];
      list.push([node, widget]);
      targets.set(link.originId, list);
    }
  }
  for (const primitive of primitives) {
    const value = valueOf(primitive, replaceText);
    if (!value) continue;
    for (const [node, name] of targets.get(primitive.id) ?? []) {
      const widget = node.widgets.find((each) => each.widget.name === name);
      if (widget) widget.current = value;
    }
  }
}

function valueOf({ source }: LiveNode, replaceText: (text: string) => string): PlacedValue | undefined {
  const place = source.widgetsValues?.kind === 'array' ? source.widgetsValues.items[0] : undefined;
  if (!place) return undefined;
  const value = exactValue(place);
  const asks = source.properties?.get('Run widget replace on values');
  const isReplaced = typeof value === 'string' && asks?.kind === 'boolean' && asks.value;
  return { value: isReplaced ? replaceText(value) : value, place };
}
