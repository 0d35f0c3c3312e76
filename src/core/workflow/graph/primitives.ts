import { type ExactValue, exactValue } from '../../json/exactValue';
import { type LinkTargets, targetsByOrigin } from './executionOrder';
import type { LiveInput, LiveLevel, LiveNode, LiveWidget, PlacedValue } from './liveNode';
import { settledNumber } from './primitiveNumbers';
import { isPrimitive } from './virtualNodes';
import { heldValue } from './widgetValues';
import { isWidgetType, widgetTypeOf } from './widgets';

/** The target of a primitive's link. */
interface Target {
  readonly node: LiveNode;
  readonly input: LiveInput;
  /** Undefined if the input belongs to no widget. */
  readonly widget: LiveWidget | undefined;
}

/**
 * Writes the value of every primitive into the widgets it is linked to (workflows 2, D). `order` is the editor's
 * order; `replaceText` replaces %Node.widget% as the editor does, if the primitive needs it.
 */
export function applyPrimitives(
  level: LiveLevel,
  order: readonly LiveNode[],
  replaceText: (text: string) => string,
  known?: LinkTargets,
): void {
  const primitives = order.filter(({ type }) => isPrimitive(type));
  if (primitives.length === 0) return;
  const byOrigin = known ?? targetsByOrigin(level);
  // Collects all values before writing the first.
  const collected = primitives.map((primitive) => {
    const targets = targetsOf(primitive, byOrigin);
    return { primitive, targets, value: valueOf(primitive, targets) };
  });
  for (const { primitive, targets, value } of collected) {
    if (!value) continue;
    const written = replaced(primitive, value.value, replaceText);
    for (const { widget } of targets) {
      if (!widget) continue;
      // Ranges that are not alike are not merged: each widget keeps to its own.
      const own = written === null ? null : settledNumber(written, [widget.widget.spec]);
      widget.current = { ...value, value: heldValue(widget.widget, own) };
    }
  }
}

/** The inputs that the first output is linked to. */
function targetsOf({ id }: LiveNode, targets: LinkTargets): Target[] {
  return (targets.get(id) ?? []).flatMap(({ slot, target: node, input }) => {
    if (slot !== 0) return [];
    return { node, input, widget: node.widgets.find((each) => each.widget.name === input.widget) };
  });
}

/**
 * A primitive gets its widget from its first link; without one it has no value. It keeps its saved value only if it was
 * saved with an output of the widget's type.
 */
function valueOf({ source }: LiveNode, targets: readonly Target[]): PlacedValue | undefined {
  const [first] = targets;
  if (!first || !makesWidget(first)) return undefined;
  const specs = targets.map(({ widget }) => widget?.widget.spec);
  const [spec] = specs;
  const { widgetsValues: values, namedValues, outputs } = source;
  const saved = values?.kind === 'array' ? values.items[0] : namedValues?.get('value');
  const place = outputs[0]?.type === (spec ? widgetTypeOf({ spec }) : first.input.type) ? saved : undefined;
  const start = place ? { value: exactValue(place), place } : first.widget?.current;
  return start && { value: settledNumber(start.value, specs), place: start.place };
}

function makesWidget({ node, input, widget }: Target): boolean {
  if (widget) return widget.widget.spec !== undefined;
  return input.widget === undefined ? isWidgetType(input.type) : node.role === 'instance';
}

function replaced(
  { source }: LiveNode,
  value: ExactValue | undefined,
  replaceText: (text: string) => string,
): ExactValue | undefined {
  const asks = source.properties?.get('Run widget replace on values');
  const isReplaced = typeof value === 'string' && asks?.kind === 'boolean' && asks.value;
  return isReplaced ? replaceText(value) : value;
}
