import { countAt } from '../../safety/lists';
import type { DynamicGroupSpec, InputSpec, NamedSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { exactEquals } from '../../json/exactEquals';
import { exactFrom, type ExactValue, isExactList, isExactObject } from '../../json/exactValue';
import {
  type AddedInput,
  addedInputs,
  closingWidgets,
  followingWidgets,
  optionWidget,
  widgetTypes,
} from './extraWidgets';
import { findPackNode } from '../packs/packs';
import { ownMember, type PackNode } from '../packs/nodePack';
import type { Widget } from './widget';

export interface InputSlot {
  readonly name: string;
  readonly type: string;
  readonly widget?: string;
}

export type AssignWidget = (widget: Widget) => ExactValue | undefined;

/** Inputs `name.member`, of which the editor shows one more than are linked. */
export interface GrowingInputs {
  readonly name: string;
  readonly members: readonly string[];
}

export interface NodeLayout {
  readonly widgets: readonly Widget[];
  /** Pure sockets first, then the slots of widgets. */
  readonly slots: readonly InputSlot[];
  readonly growing: readonly GrowingInputs[];
}

export function isWidgetType(type: string): boolean {
  return widgetTypes.has(type);
}

/** The layouts of node types that no value affects; nearly all have just one layout. */
const fixedLayouts = new WeakMap<NodeDefinition, NodeLayout>();

export interface FileWidgets {
  readonly hasRow?: (name: string) => boolean;
  readonly unknown?: ReadonlySet<string>;
}

/** Makes widgets and slots from left to right; each widget is assigned before the next is made. A new node has no `file`. */
export function layOutWidgets(
  definition: NodeDefinition,
  assign: AssignWidget,
  file: FileWidgets = {},
): NodeLayout {
  const fixed = file.unknown ? undefined : fixedLayouts.get(definition);
  if (!fixed) return newLayout(definition, assign, file);
  for (const widget of fixed.widgets) assign(widget);
  return fixed;
}

function newLayout(
  definition: NodeDefinition,
  assign: AssignWidget,
  { hasRow, unknown }: FileWidgets,
): NodeLayout {
  const { classType } = definition;
  const pack = findPackNode(classType);
  const layout = new Layout(assign, definition, pack);
  const inputs = editorInputs(definition);
  const hasWidget = (input: NamedSpec | AddedInput): boolean =>
    isWidget(input) || (unknown?.has(input.name) ?? false);
  for (const input of inputs) if (!hasWidget(input)) layout.addSocket(input.name, input.spec);
  for (const input of inputs) if (hasWidget(input)) layout.addWidget(input, input.name, classType);
  for (const widget of closingWidgets(classType)) layout.put(widget);
  for (const widget of pack?.added ?? []) if (!layout.has(widget.name)) layout.put(widget);
  layout.addOptions(classType);
  if (pack?.row) layout.addPackRows(pack.row, hasRow);
  const { widgets, growing } = layout;
  const made = { widgets, slots: [...layout.slots, ...layout.laterSlots], growing };
  if (!layout.dependsOnValues && !unknown) fixedLayouts.set(definition, made);
  return made;
}

/** The editor's own inputs come last if the server tells the order, else after the required ones. The last of a name counts. */
export function editorInputs(definition: NodeDefinition): (NamedSpec | AddedInput)[] {
  const inputs = new Map<string, NamedSpec | AddedInput>();
  const put = (input: NamedSpec | AddedInput): unknown => inputs.set(input.name, input);
  for (const each of definition.inputs) if (each.section === 'required') put(each);
  for (const each of addedInputs(definition)) put(each);
  for (const each of definition.inputs) if (each.section === 'optional') put(each);
  const all = [...inputs.values()];
  if (!isExactObject(definition.raw.get('input_order'))) return all;
  const isAdded = (input: NamedSpec | AddedInput): boolean => !('section' in input);
  return [...all.filter((each) => !isAdded(each)), ...all.filter(isAdded)];
}

export function widgetTypeName({ spec }: { readonly spec: InputSpec }): string {
  return spec.kind === 'combo' ? 'COMBO' : (spec.widgetType ?? spec.type);
}

export function isWidget(input: NamedSpec | AddedInput): boolean {
  return !isForced(input) && widgetTypes.has(widgetTypeName(input));
}

/** The author wants a socket; `defaultInput`, the older option, still counts for optional inputs. */
export function isForced(input: NamedSpec | AddedInput): boolean {
  const isOptional = 'section' in input && input.section === 'optional';
  return input.spec.forceInput || (isOptional && input.spec.options.get('defaultInput') === true);
}

/** Whether the editor can show the rows of a group; otherwise it shows a placeholder for the node (workflows 2, C). */
export function hasShownRows({ fields, min, max }: DynamicGroupSpec): boolean {
  const names = new Set(fields.map(({ name }) => name));
  const areShown = fields.every(({ name, spec }) => {
    return !name.includes('.') && isWidget({ name, spec }) && !/^COMFY_\w+_V3$/.test(spec.type);
  });
  return areShown && names.size > 0 && names.size === fields.length && min <= max && max <= 20;
}

const maxNesting = 20;
const maxOptions = 1000;
/** More than any file has, whatever number it says. */
const maxRows = 10_000;

class Layout {
  readonly widgets: Widget[] = [];
  readonly slots: InputSlot[] = [];
  readonly growing: GrowingInputs[] = [];
  /** The slots of rows that a new node does not have yet: the editor adds them after all others. */
  readonly laterSlots: InputSlot[] = [];
  dependsOnValues = false;
  /** The last number that was given to another of the same name. */
  private readonly names = new Map<string, number>();

  constructor(
    private readonly assign: AssignWidget,
    private readonly definition: NodeDefinition,
    private readonly pack: PackNode | undefined,
  ) {}

  has(name: string): boolean {
    return this.names.has(name);
  }

  put(made: Widget): ExactValue | undefined {
    let { name } = made;
    // Of two widgets with one name, the later one gets a number.
    let number = countAt(this.names, name);
    while (this.names.has(name)) name = `${made.name}#${++number}`;
    this.names.set(made.name, number).set(name, countAt(this.names, name));
    const widget = name === made.name ? made : { ...made, name };
    this.widgets.push(widget);
    return this.assign(widget) ?? widget.defaultValue;
  }

  /** Options that the user types; a new one follows each that is filled in. */
  addOptions(classType: string): void {
    for (let number = 1; number <= maxOptions; number++) {
      const widget = optionWidget(classType, number);
      if (widget) this.dependsOnValues = true;
      const value = widget && this.put(widget);
      if (value === undefined || value === null || value === '') return;
    }
  }

  addPackRows(row: NonNullable<PackNode['row']>, hasRow: FileWidgets['hasRow']): void {
    this.dependsOnValues = true;
    for (let number = 1; ; number++) {
      const widget = row(number);
      if (!widget || !hasRow?.(widget.name)) return;
      this.put(widget);
    }
  }

  addSocket(name: string, spec: InputSpec): void {
    if (spec.kind === 'autogrow') {
      this.growing.push({ name, members: spec.names });
      for (const each of spec.names.slice(0, Math.max(spec.min, 0) + 1)) {
        this.slots.push({
          name: `${name}.${each}`,
          type: spec.template ? socketType(spec.template.spec) : '*',
        });
      }
    } else this.slots.push({ name, type: socketType(spec) });
  }

  addWidget(
    input: NamedSpec | AddedInput,
    name: string,
    classType: string,
    { depth = 0, isField = false }: { readonly depth?: number; readonly isField?: boolean } = {},
  ): void {
    const type = widgetTypeName(input);
    const { spec } = input;
    const { before, own, after } = followingWidgets(classType, type, name, spec);
    // Widgets that the editor adds to a field of a row are numbered: `loras.0.seed.0`.
    let added = 0;
    const putExtra = (extra: Widget): void => {
      const replaced = ownMember(this.pack?.replaced, extra.name);
      if (replaced === null) return;
      this.put(isField ? { ...extra, name: `${name}.${added++}` } : (replaced ?? extra));
    };
    before.forEach(putExtra);
    const widget: Widget = {
      name: own.name ?? name,
      spec,
      isStored: own.isStored,
      isSent: own.isSent,
      defaultValue: defaultOf(type, spec) ?? (classType === 'CustomCombo' ? '' : undefined),
    };
    const value = this.put(widget);
    // A field has nothing below it, because servers reject such names (workflows 4.6).
    if (spec.kind === 'dynamicCombo' && !isField && depth < maxNesting) {
      this.dependsOnValues = true;
      const branch = spec.branches.find((each) => value !== undefined && exactEquals(each.key, value));
      for (const inner of branch?.inputs ?? []) {
        if (isWidget(inner)) this.addWidget(inner, `${name}.${inner.name}`, classType, { depth: depth + 1 });
        else this.addSocket(`${name}.${inner.name}`, inner.spec);
      }
    }
    if (spec.kind === 'dynamicGroup' && !isField) this.addRows(name, spec, Number(value), classType);
    const slotType = own.slotType === null ? undefined : (own.slotType ?? spec.type);
    if (slotType !== undefined) this.slots.push({ name, type: slotType, widget: name });
    after.forEach(putExtra);
    if (depth === 0 && this.pack?.inputsAfter) this.addPackInputs(this.pack.inputsAfter, name, value);
  }

  /** Inputs that a node pack shows because of the value of a widget; their slots come last. */
  private addPackInputs(
    inputsAfter: NonNullable<PackNode['inputsAfter']>,
    name: string,
    value: ExactValue | undefined,
  ): void {
    this.dependsOnValues = true;
    const first = this.slots.length;
    for (const input of inputsAfter(this.definition, name, value)) {
      this.addWidget(input, input.name, this.definition.classType, { depth: 1 });
    }
    this.laterSlots.push(...this.slots.splice(first));
  }

  /** The widgets of each row. A field without one, with which the editor would not show the node, is a socket. */
  private addRows(name: string, spec: DynamicGroupSpec, rows: number, classType: string): void {
    this.dependsOnValues = true;
    for (let row = 0; row < Math.min(rows, maxRows); row++) {
      const first = this.slots.length;
      for (const field of spec.fields) {
        const input = { name: `${name}.${row}.${field.name}`, spec: field.spec };
        if (isWidget(input)) this.addWidget(input, input.name, classType, { isField: true });
        else this.addSocket(input.name, input.spec);
      }
      if (row >= spec.min) this.laterSlots.push(...this.slots.splice(first));
    }
  }
}

function socketType(spec: InputSpec): string {
  if (spec.kind === 'matchType') return spec.allowedTypes.join(',');
  return spec.kind === 'dynamicSlot' ? spec.slotType : spec.type;
}

function defaultOf(type: string, spec: InputSpec): ExactValue | undefined {
  const given = spec.default === null ? undefined : spec.default;
  if (type === 'COMBO') return comboDefault(spec);
  if (spec.kind === 'dynamicCombo') return given ?? spec.branches[0]?.key;
  if (spec.kind === 'dynamicGroup') return BigInt(spec.min);
  return given ?? (type === 'VIDEO_EDIT' ? unedited(spec) : widgetTypes.get(type)?.value);
}

/** The whole video: nothing of what the widget can do. */
function unedited({ options }: InputSpec): ExactValue {
  const features = options.get('features');
  const can = (feature: string): boolean => !isExactList(features) || features.includes(feature);
  const trim = can('trim') ? { trim: { start_time: 0, duration: 0 } } : {};
  return exactFrom(can('crop') ? { ...trim, crop: { x: 0, y: 0, width: 0, height: 0 } } : trim);
}

function comboDefault(spec: InputSpec): ExactValue | undefined {
  const given = spec.default;
  if (given !== undefined && given !== null && given !== false && given !== '') return given;
  if (spec.kind !== 'combo') return given;
  return spec.choices[0] ?? (spec.remote ? 'Loading...' : (given ?? undefined));
}
