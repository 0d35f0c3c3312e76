import { exactEquals } from '../../json/exactEquals';
import { type WidgetValue, nodeWidgetValues } from '../../workflow/graph/widgetValues';
import { type GraphRule, graphNodeLabel } from '../graphRule';
import { t } from '../../safety/localize';

/** Values shift when a node type gains or loses a widget. One wrong value isn't a shift, two are. */
export const widgetValues: GraphRule = ({ level, definitionOf }, report) => {
  for (const node of level.nodes) {
    const definition = definitionOf(node);
    const list = node.widgetsValues;
    if (!definition || list?.kind !== 'array' || list.items.length === 0) continue;
    const widgets = nodeWidgetValues(node, definition).filter(({ widget }) => widget.isStored);
    const wrong = widgets.filter(isOutOfPlace);
    const first = wrong[0];
    // If the values have names, too, `widget-names` reports the shift.
    if (first?.valueNode && wrong.length > 1 && !node.namedValues) {
      report({
        code: 'widget-shifted',
        range: first.valueNode,
        // Those after it are shifted as well, whether they look like it or not.
        explains: [
          { offset: first.valueNode.offset, length: list.offset + list.length - first.valueNode.offset },
        ],
        message: t`The widget values of ${graphNodeLabel(node)} seem to be shifted. ${wrong.length} of them don't fit, starting at ${first.widget.name}. The node type may have changed. Set them again.`,
      });
    }
    // Values missing at the end get their defaults; only those without one are lost.
    const missing = widgets.filter(
      ({ widget, value }) => widget.isSent && widget.spec && value === undefined,
    );
    if (missing.length === 0) continue;
    const linked = new Set(node.inputs.flatMap((slot) => (slot.link === undefined ? [] : [slot.name])));
    const names = missing.map(({ widget }) => widget.name).filter((name) => !linked.has(name));
    if (names.length === 0) continue;
    report({
      code: 'widget-count',
      range: list,
      message: t`${graphNodeLabel(node)} has no value for ${names.slice(0, 6).join(', ')}, and there is no default. Choose a value.`,
    });
  }
};

function isOutOfPlace({ widget, valueNode, value }: WidgetValue): boolean {
  if (!valueNode || !widget.spec) return false;
  // Lists of models are long, and nearly all values of combos are texts.
  if (widget.spec.kind === 'combo' && valueNode.kind === 'string') return false;
  // As it was read: a pack may make something else of the element at this position.
  if (value === undefined || value === null) return false;
  switch (widget.spec.kind) {
    case 'int':
    case 'float':
      return typeof value === 'string' ? !Number.isFinite(Number(value)) : typeof value === 'boolean';
    case 'boolean':
      return typeof value === 'string' && !/^(?:true|false)$/i.test(value);
    case 'combo': {
      const { choices } = widget.spec;
      const isText = choices.length > 0 && choices.every((choice) => typeof choice === 'string');
      return isText && !choices.some((choice) => exactEquals(choice, value));
    }
    case 'string':
      return typeof value === 'boolean';
    default:
      return false;
  }
}
