import type { InputSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { type ExactValue, exactValue } from '../../json/exactValue';
import type { JsonNode } from '../../json/node';
import type { GraphNode } from './graphNode';
import { isForced, layOut, type NodeLayout } from './widgets';
import type { Widget } from './widget';

/** A widget of a node in a file, with its value in the file. */
export interface WidgetValue {
  readonly widget: Widget;
  /** The element of `widgets_values`; undefined if the file has none and the default applies. */
  readonly valueNode: JsonNode | undefined;
  /** Undefined without a value or default. */
  readonly value: ExactValue | undefined;
}

/** The widgets and slots of a node as the editor has them after loading. */
export interface LoadedLayout extends Pick<NodeLayout, 'slots' | 'growing'> {
  readonly widgets: readonly WidgetValue[];
}

/** Finds the widget of `widgets_values[i]`: the widgets of a node in order, each with its value (workflows 2, B). */
export function widgetsOf(graphNode: GraphNode, definition: NodeDefinition): readonly WidgetValue[] {
  return loadLayout(graphNode, definition).widgets;
}

/** Checks, compilation and hints all ask for the same nodes of a file. */
const layouts = new WeakMap<
  GraphNode,
  { readonly definition: NodeDefinition; readonly layout: LoadedLayout }
>();

export function loadLayout(graphNode: GraphNode, definition: NodeDefinition): LoadedLayout {
  const known = layouts.get(graphNode);
  if (known?.definition === definition) return known.layout;
  const layout = readLayout(graphNode, definition);
  layouts.set(graphNode, { definition, layout });
  return layout;
}

/** Reads the values from left to right, since the key of a dynamic combo decides which widgets follow it. */
function readLayout(graphNode: GraphNode, definition: NodeDefinition): LoadedLayout {
  const widgets: WidgetValue[] = [];
  const next = valueSource(graphNode, definition);
  const layout = layOut(definition, (widget) => {
    const valueNode = widget.isStored ? next(widget.name) : undefined;
    const value = valueNode
      ? loadedValue(graphNode.type, widget, exactValue(valueNode))
      : widget.defaultValue;
    widgets.push({ widget, valueNode, value });
    return value;
  });
  return { widgets, slots: layout.slots, growing: layout.growing };
}

/** Returns the stored values of the widgets one after the other. */
function valueSource(
  graphNode: GraphNode,
  definition: NodeDefinition,
): (name: string) => JsonNode | undefined {
  const { widgetsValues, namedValues } = graphNode;
  if (widgetsValues?.kind === 'array') {
    const values = withoutForcedInputs(widgetsValues.items, definition);
    let index = 0;
    return () => values[index++];
  }
  // Some packs save an object by name, and read it back in their own code.
  const named = widgetsValues?.kind === 'object' ? widgetsValues : namedValues;
  return (name) => named?.get(name);
}

/**
 * Before version 1.16 the editor also stored a value for inputs without a widget; a list of exactly that length loses
 * these positions (workflows 2, B).
 */
function withoutForcedInputs(values: readonly JsonNode[], definition: NodeDefinition): readonly JsonNode[] {
  if (!definition.inputs.some(isForced)) return values;
  const widgetNames = new Set(layOut(definition, () => undefined).widgets.map(({ name }) => name));
  const forced = definition.inputs
    .filter((input) => isForced(input) || widgetNames.has(input.name))
    .flatMap((input) => (hasControl(input.spec) ? [isForced(input), false] : [isForced(input)]));
  return forced.length === values.length ? values.filter((_, index) => forced[index] !== true) : values;
}

function hasControl({ options }: InputSpec): boolean {
  const control = options.get('control_after_generate');
  return control !== undefined && control !== false && control !== null && control !== '';
}

const samplers = new Set(['KSampler', 'KSamplerAdvanced']);

/** What values of old files mean (workflows 2, A5). */
function loadedValue(classType: string, widget: Widget, value: ExactValue): ExactValue | undefined {
  const { name, spec } = widget;
  if (samplers.has(classType) && name === 'sampler_name' && typeof value === 'string') {
    return value.startsWith('sample_') ? value.slice('sample_'.length) : value;
  }
  // A text field cannot contain null.
  if (value === null && spec?.kind === 'string' && spec.multiline) return '';
  if (value === null && (spec?.kind === 'combo' || spec?.kind === 'dynamicCombo')) {
    return spec.kind === 'combo' ? (spec.choices[0] ?? null) : (spec.branches[0]?.key ?? null);
  }
  return value;
}
