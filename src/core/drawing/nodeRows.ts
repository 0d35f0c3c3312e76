import type { InputSpec } from '../catalog/inputSpec';
import { exactEquals } from '../json/exactEquals';
import { type ExactValue, exactValue, isExactList, isExactObject, plainFrom } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import type { JsonNode } from '../json/node';
import type { LinkTarget } from '../workflow/graph/executionOrder';
import { controlWidget, isControlMode, isSeedInput, storedValue } from '../workflow/graph/extraWidgets';
import type { LiveNode, LiveWidget, PlacedValue } from '../workflow/graph/liveNode';
import { promotedWidget, promotedValue } from '../workflow/graph/promotedWidgets';
import { listedValues } from '../workflow/graph/widgetValues';
import { isPrimitive } from '../workflow/graph/virtualNodes';
import { widgetTypeName } from '../workflow/graph/widgets';
import type { DrawnRow, RowKind } from './drawnNode';

/** A widget of a node before it has a place. */
export interface WidgetRow extends Omit<DrawnRow, 'y' | 'height' | 'isLinked'> {
  readonly value: ExactValue | undefined;
  readonly spec: InputSpec | undefined;
  /** The value in the file; undefined for a default. */
  readonly place: JsonNode | undefined;
  readonly standard?: ExactValue | undefined;
  readonly isPromoted?: true | undefined;
}

/**
 * The rows of a node, in the order of its definition; `targets` are what a primitive feeds.
 * @param isPrompt the file can't say what happens to a value after a run
 */
export function nodeRows(
  node: LiveNode,
  targets: readonly LinkTarget[],
  isPrompt = false,
): readonly WidgetRow[] {
  if (isPrimitive(node.type)) return primitiveRows(node, targets);
  if (isNote(node.type)) return [noteRow(node)];
  if (node.inside) return promotedRows(node);
  if (isMissing(node)) return unknownRows(node);
  if (!node.definition) return [];
  const seen = new Set<string>();
  return node.widgets.flatMap((widget) => {
    if (seen.has(widget.widget.name) || (isPrompt && isControl(widget))) return [];
    seen.add(widget.widget.name);
    return memberRows(widget) ?? widgetRow(widget, node.type);
  });
}

export function isNote(type: string): boolean {
  return type === 'Note' || type === 'MarkdownNote';
}

function isControl({ widget: { name, spec, defaultValue } }: LiveWidget): boolean {
  return !spec && (name === 'control_filter_list' || isControlMode(defaultValue));
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

function named(kind: RowKind, types: string): (readonly [string, RowKind])[] {
  return types.split(' ').map((type) => [type, kind]);
}

/** The kind of a widget by its type, if its definition doesn't decide. */
const kinds: ReadonlyMap<string, RowKind> = new Map([
  ...named('toggle', 'BOOLEAN'),
  ...named('color', 'COLOR'),
  ...named('markdown', 'MARKDOWN'),
  ...named('button', 'IMAGEUPLOAD AUDIOUPLOAD'),
  ...named('box', 'AUDIO_UI WEBCAM LOAD_3D LOAD_3D_ADVANCED LOAD_3D_ANIMATION PREVIEW_3D AUDIO_RECORD'),
  // The classic page does not draw these.
  ...named('notice', 'IMAGECOMPARE PAINTER CURVE IMAGECROP BOUNDING_BOXES COLORS IMAGE_COMPOSITOR CHART'),
  ...named('notice', 'RANGE VIDEO_EDIT RESOLUTION_PREVIEW CAMERA_INFO_STATE CAMERA_ANGLE_VIEW'),
  ...named('notice', 'LIGHT_INFO_PREVIEW'),
]);

/** Widgets that the page never shows: node types with names. */
const hiddenWidgets = new Set(['SaveVideo codec', 'CustomCombo index']);

function rowOf(name: string, kind: RowKind, { value, place }: PlacedValue, spec?: InputSpec): WidgetRow {
  const label = kind === 'button' ? 'choose file to upload' : labelOf(name);
  const text = shownValue(kind, spec, storedValue(name, value));
  return { name, label, kind, text, value, spec, place, isHidden: false };
}

function widgetRow({ widget, current }: LiveWidget, nodeType: string): WidgetRow {
  const { name, spec, defaultValue: standard } = widget;
  const row = spec ? rowOf(name, kindOf(spec), current, spec) : extraRow(name, current);
  return { ...row, standard, isHidden: spec?.hidden === true || hiddenWidgets.has(`${nodeType} ${name}`) };
}

/** A value that is an object of texts, numbers and switches, as in rows that node packs add: one row for each. */
function memberRows({ widget: { name, spec }, current }: LiveWidget): WidgetRow[] | undefined {
  if (spec || current.place?.kind !== 'object' || !isExactObject(current.value)) return undefined;
  const rows = current.place.properties.flatMap(({ name: member, value: place }) => {
    if (!place || place.kind === 'null' || place.kind === 'object' || place.kind === 'array') return [];
    const row = extraRow(`${name}.${member}`, { value: exactValue(place), place });
    // No step says how many digits count.
    return row.kind === 'number' ? { ...row, text: writeExact(exactValue(place)) } : row;
  });
  return rows.length > 0 ? rows : undefined;
}

function labelOf(name: string): string {
  if (name === controlWidget || name === 'control_filter_list') return 'control after generate';
  // The inputs of a choice, and the fields of a row, without what they belong to.
  return name.slice(name.lastIndexOf('.') + 1);
}

function kindOf(spec: InputSpec): RowKind {
  const type = widgetTypeName({ spec });
  const display = spec.options.get('display');
  if (type === 'INT' || type === 'FLOAT') {
    if (display === 'slider' || display === 'gradientslider') return 'slider';
    return display === 'knob' ? 'knob' : 'number';
  }
  if (type === 'STRING') return spec.options.get('multiline') === true ? 'textBox' : 'text';
  return kinds.get(type) ?? 'combo';
}

const extraKinds: ReadonlyMap<string, RowKind> = new Map([
  ['preview_text', 'box'],
  [controlWidget, 'combo'],
  ['control_filter_list', 'text'],
]);

function extraRow(name: string, current: PlacedValue): WidgetRow {
  const { value } = current;
  const kind = extraKinds.get(name) ?? kindOfValue(value) ?? (isControlMode(value) ? 'combo' : 'text');
  return rowOf(name, kind, current);
}

function kindOfValue(value: ExactValue | undefined): RowKind | undefined {
  if (typeof value === 'boolean') return 'toggle';
  return typeof value === 'number' || typeof value === 'bigint' ? 'number' : undefined;
}

/** The value as the page writes it: numbers with the digits of their step. */
function shownValue(kind: RowKind, spec: InputSpec | undefined, value: ExactValue | undefined): string {
  if (kind === 'toggle') {
    const isOn = value === true || (typeof value === 'string' && value !== '');
    const label = spec?.kind === 'boolean' ? (isOn ? spec.labelOn : spec.labelOff) : undefined;
    return label ?? String(isOn);
  }
  if (value === undefined) return '';
  if (kind === 'number' || kind === 'slider' || kind === 'knob') return numberText(spec, value);
  if (value === null) return '';
  if (isExactList(value)) return value.map((each) => shownValue('text', undefined, each)).join(',');
  // The page has no larger integers.
  const rounded = (_name: string, member: unknown): unknown =>
    typeof member === 'bigint' ? Number(member) : member;
  return isExactObject(value) ? JSON.stringify(plainFrom(value), rounded) : String(value);
}

function numberText(spec: InputSpec | undefined, value: ExactValue): string {
  const isInt = spec?.kind === 'int';
  // All digits, if the page would show another number.
  if (typeof value === 'bigint' && (isInt || !Number.isSafeInteger(Number(value)))) return String(value);
  const number = Number(value);
  if (Number.isNaN(number)) return typeof value === 'string' ? value : 'NaN';
  const step = spec?.kind === 'float' && spec.step !== undefined && spec.step !== 0 ? spec.step : 0.5;
  return number.toFixed(isInt ? 0 : Math.min(Math.max(0, -Math.floor(Math.log10(step))), 20));
}

function noteRow({ source: { widgetsValues, namedValues }, type }: LiveNode): WidgetRow {
  const place = widgetsValues?.kind === 'array' ? widgetsValues.items[0] : namedValues?.get('text');
  return rowOf('text', type === 'Note' ? 'textBox' : 'markdown', {
    value: place && exactValue(place),
    place,
  });
}

function promotedRows(instance: LiveNode): WidgetRow[] {
  return instance.inputs.flatMap(({ name, place }, index) => {
    const inner = promotedWidget(instance, index);
    if (!inner) return [];
    const current = promotedValue(instance, index) ?? { value: undefined, place };
    const label = instance.inside?.subgraph?.inputs[index]?.label ?? name;
    return [{ ...widgetRow({ ...inner, current }, ''), name, label, isPromoted: true }];
  });
}

export const unnamedRow = 'UNKNOWN';

const longestShortText = 20;

/** The page knows neither names nor kinds of the values of an unknown type; the file may know the names. */
function unknownRows({ source }: LiveNode): WidgetRow[] {
  return listedValues(source).map(({ name: label = unnamedRow, value, place }, index) => {
    const isShort = typeof value === 'string' && value.length <= longestShortText;
    const kind = kindOfValue(value) ?? (isShort ? 'text' : 'textBox');
    const row = rowOf(index === 0 ? unnamedRow : `${unnamedRow}_${index}`, kind, { value, place });
    return { ...row, label, text: isExactObject(value) || isExactList(value) ? writeExact(value) : row.text };
  });
}

function primitiveRows({ source: { widgetsValues } }: LiveNode, [first]: readonly LinkTarget[]): WidgetRow[] {
  const widget = first && widgetAt(first);
  if (!widget) return [];
  const row = { ...widgetRow(widget, ''), name: 'value', label: 'value', isHidden: false };
  if (row.kind !== 'number' && row.kind !== 'combo' && row.kind !== 'slider') return [row];
  const saved = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  const after = (name: string, place: JsonNode | undefined, standard: string): WidgetRow =>
    extraRow(name, { value: place ? exactValue(place) : standard, place });
  const mode = after(controlWidget, saved[1], 'fixed');
  return row.kind === 'combo' ? [row, mode, after('control_filter_list', saved[2], '')] : [row, mode];
}

function widgetAt({ target, input }: LinkTarget): LiveWidget | undefined {
  if (target.inside) return promotedWidget(target, target.inputs.indexOf(input));
  return target.widgets.find(({ widget }) => widget.name === input.widget);
}

export function rowActions({
  name,
  spec,
  value,
  standard,
  place,
  isPromoted,
}: WidgetRow): Pick<DrawnRow, 'isSeed' | 'canReset'> {
  if (!place || isPromoted) return {};
  const isOther = value !== undefined && standard !== undefined && !exactEquals(value, standard);
  return { ...(isSeedInput(name, spec) ? { isSeed: true } : {}), ...(isOther ? { canReset: true } : {}) };
}

export function rowRange({
  kind,
  spec,
  value,
}: WidgetRow): Pick<DrawnRow, 'isOn' | 'share' | 'ends' | 'takes'> {
  if (kind === 'toggle') return { isOn: value === true };
  if (kind === 'combo') {
    const branches = spec?.kind === 'dynamicCombo' ? spec.branches.map(({ key }) => key) : [];
    const choices = spec?.kind === 'combo' ? spec.choices : branches;
    const at = choices.findIndex((choice) => value !== undefined && exactEquals(choice, value));
    const takes = spec?.kind === 'combo' && spec.upload !== undefined ? { takes: spec.upload } : {};
    const ends = { first: at <= 0, last: at < 0 || at === choices.length - 1 };
    return { ...takes, ...(choices.length > 0 ? { ends } : {}) };
  }
  if (spec?.kind !== 'int' && spec?.kind !== 'float') return {};
  const number = Number(value);
  const [min, max] = [Number(spec.min ?? -Infinity), Number(spec.max ?? Infinity)];
  if (kind === 'number') return { ends: { first: number <= min, last: number >= max } };
  const share = max - min < Infinity ? (number - min) / (max - min) : 0;
  return { share: Math.min(1, Math.max(0, share)) };
}
