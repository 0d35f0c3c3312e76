import { type ExactValue, exactValue } from '../../json/exactValue';
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
): void {
  const inputs = new LinkedInputs();
  // Collects all values before writing the first.
  const primitives = order
    .filter(({ type }) => isPrimitive(type))
    .map((primitive) => ({ primitive, targets: targetsOf(primitive, level, inputs) }))
    .map((each) => ({ ...each, value: valueOf(each.primitive, each.targets) }));
  for (const { primitive, targets, value } of primitives) {
    if (!value) continue;
    const written = replaced(primitive, value.value, replaceText);
    for (const { widget } of targets.filter((target) => target !== undefined)) {
      if (widget) widget.current = { ...value, value: heldValue(widget.widget, written) };
    }
  }
}

/** The inputs of nodes by their links; read once per node. */
class LinkedInputs {
  private readonly known = new Map<LiveNode, ReadonlyMap<string | undefined, LiveInput>>();

  of(node: LiveNode, link: string): LiveInput | undefined {
    let inputs = this.known.get(node);
    // Of two inputs with one link the first counts.
    if (!inputs)
      this.known.set(
        node,
        (inputs = new Map(node.inputs.map((each) => [each.link, each] as const).reverse())),
      );
    return inputs.get(link);
  }
}

/** The targets of its output's links, in the order of the output; undefined for lost links. */
function targetsOf({ source }: LiveNode, level: LiveLevel, inputs: LinkedInputs): (Target | undefined)[] {
  return (source.outputs[0]?.links ?? []).map((id) => {
    const link = level.links.get(id);
    const node = link && level.byId.get(link.targetId);
    const input = node && (inputs.of(node, id) ?? node.inputs[link.targetSlot]);
    if (!node || !input) return undefined;
    const widget = node.widgets.find((each) => each.widget.name === input.widget);
    return { node, input, widget };
  });
}

/** A primitive gets its widget from its first link; without one it has no value. */
function valueOf({ source }: LiveNode, targets: readonly (Target | undefined)[]): PlacedValue | undefined {
  const [first] = targets;
  if (!first || !makesWidget(first)) return undefined;
  const specs = targets.map((target) => target?.widget?.widget.spec);
  // A value that was saved for another type of widget does not count.
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
