import type { DynamicGroupSpec, InputSpec, NamedSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { exactEquals } from '../../json/exactEquals';
import { type ExactValue, exactValue, isExactList, isExactObject } from '../../json/exactValue';
import type { JsonNode } from '../../json/node';
import type { GraphInput, GraphNode } from './graphNode';
import type { PackNode } from '../packs/nodePack';
import { findPackNode } from '../packs/packs';
import {
  type AssignWidget,
  editorInputs,
  isForced,
  isWidget,
  layOutWidgets,
  type NodeLayout,
  widgetTypeName,
} from './widgets';
import { typesMadeByNodes } from './members';
import { fieldText, type Widget } from './widget';
import { isControlMode } from './extraWidgets';
import { memoizeByObject } from '../../safety/memoizeByObject';

export interface WidgetValue {
  readonly widget: Widget;
  /** The element of `widgets_values`; undefined if the file has none and the default applies. */
  readonly valueNode: JsonNode | undefined;
  readonly value: ExactValue | undefined;
  /** An element of `widgets_values` that the widget can't have as its value, so that the default applies. */
  readonly refused?: JsonNode | undefined;
}

export interface LoadedLayout extends Pick<NodeLayout, 'slots' | 'growing'> {
  readonly widgets: readonly WidgetValue[];
}

/** Finds the widget of `widgets_values[i]`: the widgets of a node in order, each with its value (workflows 2, B). */
export function nodeWidgetValues(graphNode: GraphNode, definition: NodeDefinition): readonly WidgetValue[] {
  return loadLayout(graphNode, definition).widgets;
}

/** Checks, compilation and hints all ask for the same nodes of a file. */
export const loadLayout = memoizeByObject(readLayout);

/** The widgets of a node that is read by the names in `widgets_values_named`, whatever its list says. */
export function widgetsByName(graphNode: GraphNode, definition: NodeDefinition): readonly WidgetValue[] {
  return readLayout({ ...graphNode, widgetsValues: undefined }, definition).widgets;
}

/** Reads the values from left to right, since the key of a dynamic combo decides which widgets follow it. */
function readLayout(graphNode: GraphNode, definition: NodeDefinition): LoadedLayout {
  const widgets: WidgetValue[] = [];
  const pack = findPackNode(definition.classType);
  const own = pack?.readValues?.(graphNode, definition);
  const unknown = unknownWidgets(graphNode, definition);
  const file = { hasRow: (name: string) => own?.has(name) ?? false, ...(unknown && { unknown }) };
  const assign = own
    ? (widget: Widget) => {
        const read = own.get(widget.name);
        widgets.push({ widget, valueNode: read?.place, value: read ? read.value : widget.defaultValue });
        return read?.value;
      }
    : assignInOrder(graphNode, definition, pack, widgets);
  const layout = layOutWidgets(definition, assign, file);
  return { widgets, slots: layout.slots, growing: layout.growing };
}

function assignInOrder(
  graphNode: GraphNode,
  definition: NodeDefinition,
  pack: PackNode | undefined,
  widgets: WidgetValue[],
): AssignWidget {
  const { next, count } = valueSource(graphNode, definition);
  let isStopped = false;
  return (widget) => {
    const valueNode = widget.isStored && !isStopped ? next(widget.name) : undefined;
    const read = valueNode && loadedValue(graphNode.type, widget, exactValue(valueNode), count);
    const loaded = read !== undefined && pack?.loadedValue ? pack.loadedValue(widget, read, graphNode) : read;
    isStopped ||= valueNode !== undefined && loaded === undefined && widget.spec?.kind === 'dynamicGroup';
    if (loaded !== undefined) widgets.push({ widget, valueNode, value: loaded });
    else widgets.push({ widget, valueNode: undefined, value: widget.defaultValue, refused: valueNode });
    return loaded;
  };
}

/** Inputs of unknown types that are widgets in the file: it marks their slots, names them, or has values left for them. */
function unknownWidgets(node: GraphNode, definition: NodeDefinition): ReadonlySet<string> | undefined {
  const candidates = unknownInputs(definition);
  if (candidates.length === 0) return undefined;
  const { widgetsValues, namedValues, inputs } = node;
  const named = widgetsValues?.kind === 'object' ? widgetsValues : namedValues;
  const items = widgetsValues?.kind === 'array' ? widgetsValues.items.length : 0;
  const left = items - savedForm(definition).stored;
  const slots = new Map<string, GraphInput>();
  for (const input of inputs) if (!slots.has(input.name)) slots.set(input.name, input);
  const free = new Set(candidates.filter(({ name, section }) => section === 'required' && !slots.has(name)));
  const found = candidates.filter((input) => {
    const slot = slots.get(input.name);
    if (slot) return slot.widget === input.name;
    return named?.property(input.name) !== undefined || (free.size <= left && free.has(input));
  });
  return found.length > 0 ? new Set(found.map(({ name }) => name)) : undefined;
}

const unknownInputs = memoizeByObject(({ inputs }: NodeDefinition) =>
  inputs.filter((input) => {
    const { kind, type } = input.spec;
    return kind === 'socket' && !isWidget(input) && !isForced(input) && !typesMadeByNodes.has(type);
  }),
);

function valueSource({ widgetsValues, namedValues }: GraphNode, definition: NodeDefinition) {
  const { oldNames, stored } = savedForm(definition);
  if (widgetsValues?.kind === 'array' && !(oldNames && namedValues)) {
    const { reorder } = findPackNode(definition.classType) ?? {};
    const items = reorder?.(widgetsValues.items, stored) ?? widgetsValues.items;
    const values = oldNames ? items : ownValues(items, definition);
    let index = 0;
    return {
      next: (name: string) => values[oldNames ? oldNames.indexOf(name) : index++],
      count: values.length,
    };
  }
  // Some packs save an object by name, and read it back in their own code.
  const named = widgetsValues?.kind === 'object' ? widgetsValues : namedValues;
  return { next: (name: string) => named?.get(name), count: named?.properties.length ?? 0 };
}

interface SavedForm {
  readonly stored: number;
  readonly isUnstored: readonly boolean[];
  /** Whether each value of an old list belongs to an input without a widget; empty for node types with rows. */
  readonly isForced: readonly boolean[];
  /** The names of the values in old lists, if the node type wants its values to be read by name. */
  readonly oldNames: readonly ExactValue[] | undefined;
}

const savedForm = memoizeByObject((definition: NodeDefinition): SavedForm => {
  const { widgets } = layOutWidgets(definition, () => undefined);
  const isUnstored = widgets.map(({ isStored }) => !isStored);
  const isStoredBy = new Map(widgets.map(({ name, isStored }) => [name, isStored]));
  const inputs = hasRows(definition.inputs) ? [] : editorInputs(definition);
  const forced = inputs
    .filter((input) => isStoredBy.get(input.name) ?? isForced(input))
    .flatMap((input) => (hasControl(input.spec) ? [isForced(input), false] : [isForced(input)]));
  const stored = isUnstored.filter((each) => !each).length;
  const names = definition.raw.get('fallbackWidgetsValuesNames');
  const oldNames = isExactList(names) ? names : undefined;
  return { stored, isUnstored, isForced: forced, oldNames };
});

/** Up to 1.52 lists had a null for a widget that stores nothing, before 1.16 values for inputs without one (workflows 2, B). */
function ownValues<T>(values: readonly T[], definition: NodeDefinition): readonly T[] {
  const { stored, isUnstored, isForced } = savedForm(definition);
  if (values.length === stored && !isForced.includes(true)) return values;
  const dense = values.filter((_, index) => isUnstored[index] !== true);
  const meant = [dense, values].find(({ length }) => length === isForced.length);
  return meant?.filter((_, index) => isForced[index] !== true) ?? values;
}

function hasRows(inputs: readonly NamedSpec[]): boolean {
  return inputs.some(({ spec }) => {
    if (spec.kind === 'dynamicCombo') return spec.branches.some((branch) => hasRows(branch.inputs));
    return spec.kind === 'dynamicGroup';
  });
}

function hasControl({ options }: InputSpec): boolean {
  const control = options.get('control_after_generate');
  return control !== undefined && control !== false && control !== null && control !== '';
}

const samplers = new Set(['KSampler', 'KSamplerAdvanced']);

/** What a value of a file means (workflows 2, A5); undefined if the widget can't have it. */
function loadedValue(
  classType: string,
  widget: Widget,
  value: ExactValue,
  count: number,
): ExactValue | undefined {
  const { name, spec } = widget;
  if (!spec) return value;
  switch (spec.kind) {
    case 'combo':
      if (value === null) return spec.choices[0] ?? null;
      if (name !== 'sampler_name' || typeof value !== 'string' || !samplers.has(classType)) return value;
      return value.startsWith('sample_') ? value.slice('sample_'.length) : value;
    case 'dynamicCombo':
      return value === null ? (spec.branches[0]?.key ?? null) : value;
    case 'dynamicGroup':
      return rowCount(spec, value, count);
    default: {
      // Before the widget existed, its place belonged to the button after it.
      const isOlder = widgetTypeName({ spec }) === 'VIDEO_EDIT' && !isExactObject(value);
      return isOlder ? undefined : heldValue(widget, value);
    }
  }
}

/** More rows than the group takes are made only if the file has values for them (workflows 2, C). */
function rowCount({ min, max }: DynamicGroupSpec, value: ExactValue, count: number): bigint | undefined {
  const rows = typeof value === 'bigint' || typeof value === 'number' ? Math.trunc(Number(value)) : NaN;
  if (!Number.isFinite(rows)) return BigInt(min);
  return rows > Math.max(max, count) ? undefined : BigInt(Math.max(min, rows));
}

/** The value as a widget holds it: a multi-line text field turns everything into text. */
export function heldValue({ spec }: Widget, value: ExactValue | undefined): ExactValue | undefined {
  if (value === undefined || typeof value === 'string') return value;
  const type = spec && widgetTypeName({ spec });
  const isField = type === 'MARKDOWN' || (type === 'STRING' && spec?.options.get('multiline') === true);
  return isField ? fieldText(value) : value;
}

interface NamedValue {
  readonly name: string;
  readonly valueNode: JsonNode;
}

/** The values of an unknown type's node as far as the file names them: by name, or by slots for all widgets in order. */
export function savedValues({ widgetsValues, namedValues, inputs }: GraphNode) {
  const byName = widgetsValues?.kind === 'object' ? widgetsValues : namedValues;
  if (byName) {
    // The list counts: other programs change it alone.
    const items = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
    const isWhole = items.length === byName.properties.length;
    const named = byName.properties.flatMap(({ name, value: copy }, at) => {
      const value = isWhole ? items[at] : copy;
      // Packs store displayed content in objects; no widget sends one.
      return value && value.kind !== 'object' ? [{ name, valueNode: value }] : [];
    });
    return { named, lost: 0 };
  }
  const values = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  const names = inputs.flatMap(({ widget }) => (widget === undefined ? [] : [widget]));
  const named = inOrder(names, values) ?? inOrder(names, withoutControls(names, values));
  return named ? { named, lost: 0 } : { named: [], lost: values.length };
}

export interface ListedValue {
  readonly name: string | undefined;
  readonly value: ExactValue;
  readonly place: JsonNode;
}

export function listedValues(source: GraphNode): readonly ListedValue[] {
  const { widgetsValues } = source;
  if (widgetsValues?.kind === 'object') {
    return widgetsValues.properties.flatMap((each) => {
      const { name, value: place } = each;
      // The last of two with one name counts.
      const isRead = place && widgetsValues.property(name) === each;
      return isRead ? [{ name, value: exactValue(place), place }] : [];
    });
  }
  const places = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  const { named } = savedValues(source);
  return places.map((place, index) => {
    const name = named.length === places.length ? named[index]?.name : undefined;
    return { name, value: exactValue(place), place };
  });
}

/** A value of a list, and its copy in `widgets_values_named`: who changes one changes both. */
export function valueWithCopy(
  { widgetsValues, namedValues }: GraphNode,
  name: string,
  place: JsonNode,
): readonly [JsonNode, ...JsonNode[]] {
  const copy = widgetsValues?.kind === 'array' ? namedValues?.get(name) : undefined;
  const isCopy = copy && copy !== place && exactEquals(exactValue(copy), exactValue(place));
  return isCopy ? [place, copy] : [place];
}

function inOrder(names: readonly string[], values: readonly JsonNode[]): readonly NamedValue[] | undefined {
  if (names.length !== values.length) return undefined;
  return names.flatMap((name, index) => {
    const valueNode = values[index];
    return valueNode ? [{ name, valueNode }] : [];
  });
}

function withoutControls(names: readonly string[], values: readonly JsonNode[]): readonly JsonNode[] {
  const kept: JsonNode[] = [];
  for (const value of values) {
    // The editor stores one of four words after the value of a seed.
    const isControl = value.kind === 'string' && isControlMode(value.value);
    const isBehindSeed = /seed/i.test(names[kept.length - 1] ?? '');
    if (!isControl || !isBehindSeed) kept.push(value);
  }
  return kept;
}
