import type { InputSpec } from '../catalog/inputSpec';
import { exactEquals } from '../json/exactEquals';
import { type ExactValue, exactValue, isExactList, isExactObject, plainFrom } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import type { JsonNode } from '../json/node';
import type { LinkTarget } from '../workflow/graph/executionOrder';
import { isControlMode } from '../workflow/graph/extraWidgets';
import type { LiveNode, LiveWidget } from '../workflow/graph/liveNode';
import { promotedWidget, promotedValue } from '../workflow/graph/promotedWidgets';
import { savedValues } from '../workflow/graph/unknownWidgets';
import { isPrimitive } from '../workflow/graph/virtualNodes';
import { widgetTypeOf } from '../workflow/graph/widgets';
import type { DrawnRow, RowKind } from './drawnNode';

/** A widget of a node before it has a place. */
export interface WidgetRow extends Omit<DrawnRow, 'y' | 'height' | 'isLinked'> {
  readonly value: ExactValue | undefined;
  readonly spec: InputSpec | undefined;
  /** The value in the file; undefined for a default. */
  readonly place: JsonNode | undefined;
  /** Of a widget inside a subgraph, at its instance. */
  readonly isPromoted?: true | undefined;
}

/** The rows of a node, in the order of its definition; `targets` are what a primitive feeds. */
export function rowsOf(node: LiveNode, targets: readonly LinkTarget[]): readonly WidgetRow[] {
  if (isPrimitive(node.type)) return primitiveRows(node, targets);
  if (isNote(node.type)) return [noteRow(node)];
  if (node.inside) return promotedRows(node);
  if (isMissing(node)) return unknownRows(node);
  if (!node.definition) return [];
  const seen = new Set<string>();
  return node.widgets.flatMap((widget) => {
    if (seen.has(widget.widget.name)) return [];
    seen.add(widget.widget.name);
    return rowOf(widget, node.type);
  });
}

export function isNote(type: string): boolean {
  return type === 'Note' || type === 'MarkdownNote';
}

/** Whether nobody knows the node's type: the page draws a placeholder. */
export function isMissing({ definition, inside, type, role }: LiveNode): boolean {
  return (
    !definition && !inside && !isPrimitive(type) && !isNote(type) && type !== 'Reroute' && role !== 'instance'
  );
}

/** Rows that grow share the height that is left. */
export const growingMin: Readonly<Partial<Record<RowKind, number>>> = {
  textBox: 50,
  markdown: 50,
  box: 50,
  knob: 60,
};

/** Types with a box of their own. */
const boxTypes = new Set([
  'AUDIO_UI',
  'WEBCAM',
  'LOAD_3D',
  'LOAD_3D_ADVANCED',
  'LOAD_3D_ANIMATION',
  'PREVIEW_3D',
  'AUDIO_RECORD',
]);
/** Types that the classic page does not draw. */
const noticeTypes = new Set([
  'IMAGECOMPARE',
  'PAINTER',
  'CURVE',
  'IMAGECROP',
  'BOUNDING_BOXES',
  'COLORS',
  'IMAGE_COMPOSITOR',
  'CHART',
  'RANGE',
  'VIDEO_EDIT',
  'RESOLUTION_PREVIEW',
  'CAMERA_INFO_STATE',
  'CAMERA_ANGLE_VIEW',
  'LIGHT_INFO_PREVIEW',
]);
/** Buttons that the page adds, with their labels. */
const buttonLabels: ReadonlyMap<string, string> = new Map([
  ['IMAGEUPLOAD', 'choose file to upload'],
  ['AUDIOUPLOAD', 'choose file to upload'],
]);
/** Widgets that the page never shows. */
const hiddenWidgets: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['SaveVideo', new Set(['codec'])],
  ['CustomCombo', new Set(['index'])],
]);

function rowOf({ widget, current }: LiveWidget, nodeType: string): WidgetRow {
  const { name, spec } = widget;
  const type = spec ? widgetTypeOf({ spec }) : undefined;
  const kind = spec && type !== undefined ? kindOf(type, spec) : extraKind(name, current.value);
  const label = (type === undefined ? undefined : buttonLabels.get(type)) ?? labelOf(name);
  const isHidden = spec?.hidden === true || (hiddenWidgets.get(nodeType)?.has(name) ?? false);
  const text = name === control ? controlText(current.value) : shownValue(kind, spec, current.value);
  return { name, label, kind, text, value: current.value, spec, place: current.place, isHidden };
}

/** The row with what happens to the value above it after a run. */
export const control = 'control_after_generate';

/** Older files have true and false. */
function controlText(value: ExactValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'randomize' : 'fixed';
  return shownValue('combo', undefined, value);
}

/** Blanks for the words of widgets that the page adds itself. */
function labelOf(name: string): string {
  if (name === control || name === 'control_filter_list') return 'control after generate';
  // The inputs of a choice, and the fields of a row, without what they belong to.
  return name.slice(name.lastIndexOf('.') + 1);
}

function kindOf(type: string, spec: InputSpec): RowKind {
  const display = spec.options.get('display');
  switch (type) {
    case 'INT':
    case 'FLOAT':
      if (display === 'slider' || display === 'gradientslider') return 'slider';
      return display === 'knob' ? 'knob' : 'number';
    case 'STRING':
      return spec.options.get('multiline') === true ? 'textBox' : 'text';
    case 'BOOLEAN':
      return 'toggle';
    case 'COLOR':
      return 'color';
    case 'MARKDOWN':
      return 'markdown';
    case 'IMAGEUPLOAD':
    case 'AUDIOUPLOAD':
      return 'button';
    default:
      if (boxTypes.has(type)) return 'box';
      return noticeTypes.has(type) ? 'notice' : 'combo';
  }
}

/** A widget that belongs to no input. */
function extraKind(name: string, value: ExactValue | undefined): RowKind {
  if (name === 'preview_text') return 'box';
  if (name === control) return 'combo';
  if (name === 'control_filter_list') return 'text';
  if (typeof value === 'boolean') return 'toggle';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  return isControlMode(value) ? 'combo' : 'text';
}

/** The value as the page writes it: numbers with the digits of their step. */
function shownValue(kind: RowKind, spec: InputSpec | undefined, value: ExactValue | undefined): string {
  if (kind === 'toggle') {
    const isOn = value === true || (typeof value === 'string' && value !== '');
    const label = spec?.kind === 'boolean' ? (isOn ? spec.labelOn : spec.labelOff) : undefined;
    return label ?? String(isOn);
  }
  if ((kind === 'number' || kind === 'slider' || kind === 'knob') && value !== undefined)
    return numberText(spec, value);
  if (value === undefined || value === null) return '';
  if (isExactList(value)) return value.map((each) => shownValue('text', undefined, each)).join(',');
  if (isExactObject(value)) return JSON.stringify(plainFrom(value), roundedAsOnPage);
  return typeof value === 'number' || typeof value === 'bigint' ? plainNumber(value) : String(value);
}

/** The page has no larger integers. */
function roundedAsOnPage(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function plainNumber(value: number | bigint): string {
  return typeof value === 'bigint' ? value.toString() : String(value);
}

function numberText(spec: InputSpec | undefined, value: ExactValue): string {
  if (spec?.kind === 'int' && typeof value === 'bigint') return value.toString();
  const number = Number(value);
  if (Number.isNaN(number)) return typeof value === 'string' ? value : 'NaN';
  return number.toFixed(spec?.kind === 'int' ? 0 : digitsOf(spec));
}

function digitsOf(spec: InputSpec | undefined): number {
  const step = spec?.kind === 'float' && spec.step !== undefined && spec.step !== 0 ? spec.step : 0.5;
  return Math.min(Math.max(0, -Math.floor(Math.log10(step))), 20);
}

function noteRow({ source, type }: LiveNode): WidgetRow {
  const place =
    source.widgetsValues?.kind === 'array' ? source.widgetsValues.items[0] : source.namedValues?.get('text');
  const value = place && exactValue(place);
  const kind = type === 'Note' ? 'textBox' : 'markdown';
  const text = shownValue(kind, undefined, value);
  return { name: 'text', label: 'text', kind, text, value, spec: undefined, place, isHidden: false };
}

/** One row per promoted input of a subgraph. */
function promotedRows(instance: LiveNode): WidgetRow[] {
  return instance.inputs.flatMap(({ name, place }, index) => {
    const inner = promotedWidget(instance, index);
    if (!inner) return [];
    const value = promotedValue(instance, index) ?? { value: undefined, place };
    const row = rowOf({ widget: inner.widget, current: value }, '');
    const label = instance.inside?.subgraph?.inputs[index]?.label ?? name;
    return [{ ...row, name, label, isPromoted: true }];
  });
}

/** The page knows neither names nor kinds of the values of an unknown type; the file may know the names. */
/** The name of a widget without a definition; the next ones have a number, too. */
export const unnamedRow = 'UNKNOWN';

function unknownRows({ source }: LiveNode): WidgetRow[] {
  const { widgetsValues } = source;
  const { named } = savedValues(source);
  const places =
    widgetsValues?.kind === 'array'
      ? widgetsValues.items
      : widgetsValues?.kind === 'object'
        ? widgetsValues.properties.flatMap(({ value }) => value ?? [])
        : [];
  return places.map((place, index) => {
    const value = exactValue(place);
    const kind = unknownKind(value);
    const text =
      isExactObject(value) || isExactList(value) ? writeExact(value) : shownValue(kind, undefined, value);
    const name = index === 0 ? unnamedRow : `${unnamedRow}_${index}`;
    const label = (named.length === places.length ? named[index]?.name : undefined) ?? unnamedRow;
    return { name, label, kind, text, value, spec: undefined, place, isHidden: false };
  });
}

const longestShortText = 20;

function unknownKind(value: ExactValue): RowKind {
  if (typeof value === 'boolean') return 'toggle';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'string') return value.length > longestShortText ? 'textBox' : 'text';
  return 'textBox';
}

/** A primitive shows the widget that it feeds, and what happens to its value after a run. */
function primitiveRows(node: LiveNode, targets: readonly LinkTarget[]): WidgetRow[] {
  const [first] = targets;
  const widget = first && widgetAt(first);
  if (!widget) return [];
  const row = { ...rowOf(widget, ''), name: 'value', label: 'value', isHidden: false };
  const { widgetsValues } = node.source;
  const saved = widgetsValues?.kind === 'array' ? widgetsValues.items.slice(1, 3) : [];
  if (row.kind !== 'number' && row.kind !== 'combo' && row.kind !== 'slider') return [row];
  const mode = extraRow(control, saved[0], 'fixed');
  return row.kind === 'combo' ? [row, mode, extraRow('control_filter_list', saved[1], '')] : [row, mode];
}

function extraRow(name: string, place: JsonNode | undefined, standard: string): WidgetRow {
  const value = place ? exactValue(place) : standard;
  const kind = name === 'control_filter_list' ? 'text' : 'combo';
  const text = shownValue(kind, undefined, value);
  return { name, label: labelOf(name), kind, text, value, spec: undefined, place, isHidden: false };
}

function widgetAt({ target, input }: LinkTarget): LiveWidget | undefined {
  if (target.inside) return promotedWidget(target, target.inputs.indexOf(input));
  return target.widgets.find(({ widget }) => widget.name === input.widget);
}

/** What a row shows besides its text. */
export function rangeOf({ kind, spec, value }: WidgetRow): Pick<DrawnRow, 'isOn' | 'share' | 'ends'> {
  if (kind === 'toggle') return { isOn: value === true };
  if (kind === 'combo') {
    const choices =
      spec?.kind === 'combo'
        ? spec.choices
        : spec?.kind === 'dynamicCombo'
          ? spec.branches.map(({ key }) => key)
          : [];
    const at = choices.findIndex((choice) => value !== undefined && exactEquals(choice, value));
    return choices.length > 0 ? { ends: { first: at <= 0, last: at < 0 || at === choices.length - 1 } } : {};
  }
  if (spec?.kind !== 'int' && spec?.kind !== 'float') return {};
  const number = Number(value);
  const [min, max] = [Number(spec.min ?? -Infinity), Number(spec.max ?? Infinity)];
  const share =
    Number.isFinite(max - min) && max > min ? Math.min(1, Math.max(0, (number - min) / (max - min))) : 0;
  return kind === 'number' ? { ends: { first: number <= min, last: number >= max } } : { share };
}
