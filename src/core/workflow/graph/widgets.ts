import type { InputSpec, NamedSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { exactEquals } from '../../json/exactEquals';
import type { ExactValue } from '../../json/exactValue';
import {
  type AddedInput,
  addedInputs,
  closingWidgets,
  emptyChoice,
  followingWidgets,
  optionWidget,
} from './extraWidgets';
import type { Widget } from './widget';

/** A slot that the editor makes for an input. */
export interface InputSlot {
  readonly name: string;
  readonly type: string;
  readonly widget?: string;
}

/** The value of a widget; undefined leaves it at its default. */
export type AssignWidget = (widget: Widget) => ExactValue | undefined;

/** Inputs of which the editor shows one more than are linked. */
export interface GrowingInputs {
  /** The name before the dot. */
  readonly name: string;
  /** The names after the dot. */
  readonly members: readonly string[];
}

export interface NodeLayout {
  readonly widgets: readonly Widget[];
  /** Pure sockets first, then the slots of widgets. */
  readonly slots: readonly InputSlot[];
  readonly growing: readonly GrowingInputs[];
}

/** The types that have a widget; everything else is a socket (workflows 2, B). */
const widgetTypes = new Set([
  'INT',
  'FLOAT',
  'BOOLEAN',
  'STRING',
  'COMBO',
  'MARKDOWN',
  'TEXTAREA',
  'COLOR',
  'COLORS',
  'CURVE',
  'RANGE',
  'BOUNDING_BOX',
  'BOUNDING_BOXES',
  'CHART',
  'GALLERIA',
  'PAINTER',
  'COMPOSITOR',
  'IMAGECOMPARE',
  'IMAGEUPLOAD',
  'COMFY_DYNAMICCOMBO_V3',
  'COMFY_DYNAMICGROUP_V3',
  'AUDIO_UI',
  'AUDIOUPLOAD',
  'AUDIO_RECORD',
  'WEBCAM',
  'LOAD_3D',
  'LOAD_3D_ADVANCED',
  'PREVIEW_3D',
  'VIDEO_EDIT',
  'RESOLUTION_PREVIEW',
]);

export function isWidgetType(type: string): boolean {
  return widgetTypes.has(type);
}

/** The layouts of node types that no value affects; nearly all have just one layout. */
const fixedLayouts = new WeakMap<NodeDefinition, NodeLayout>();

/** Makes widgets and slots of a node type from left to right; each widget is assigned before the next one is made. */
export function layOut(definition: NodeDefinition, assign: AssignWidget): NodeLayout {
  const fixed = fixedLayouts.get(definition);
  if (!fixed) return newLayout(definition, assign);
  for (const widget of fixed.widgets) assign(widget);
  return fixed;
}

function newLayout(definition: NodeDefinition, assign: AssignWidget): NodeLayout {
  const layout = new Layout(assign);
  const inputs = inputsOf(definition);
  for (const input of inputs) if (!isWidget(input)) layout.addSocket(input.name, input.spec);
  for (const input of inputs) if (isWidget(input)) layout.addWidget(input, input.name, definition.classType);
  for (const widget of closingWidgets(definition.classType)) layout.put(widget);
  layout.addOptions(definition.classType);
  const { widgets, slots, growing } = layout;
  const made = { widgets, slots, growing };
  if (!layout.dependsOnValues) fixedLayouts.set(definition, made);
  return made;
}

/**
 * The inputs as the editor reads them: its additions come after the required ones, and of two with one name the last
 * counts.
 */
export function inputsOf(definition: NodeDefinition): (NamedSpec | AddedInput)[] {
  const inputs = new Map<string, NamedSpec | AddedInput>();
  const put = (input: NamedSpec | AddedInput): unknown => inputs.set(input.name, input);
  for (const each of definition.inputs) if (each.section === 'required') put(each);
  for (const each of addedInputs(definition)) put(each);
  for (const each of definition.inputs) if (each.section === 'optional') put(each);
  return [...inputs.values()];
}

/** The type that decides which widget an input gets. */
function widgetTypeOf({ spec }: NamedSpec | AddedInput): string {
  return spec.kind === 'combo' ? 'COMBO' : (spec.widgetType ?? spec.type);
}

/** Whether the editor makes a widget for an input, and not only a socket. */
export function isWidget(input: NamedSpec | AddedInput): boolean {
  return !isForced(input) && widgetTypes.has(widgetTypeOf(input));
}

/**
 * A socket at the request of the node's author; `defaultInput`, the older option, still counts for optional inputs.
 */
export function isForced(input: NamedSpec | AddedInput): boolean {
  const isOptional = 'section' in input && input.section === 'optional';
  return input.spec.forceInput || (isOptional && input.spec.options.get('defaultInput') === true);
}

/** A definition with more levels contains itself. */
const maxNesting = 20;
const maxOptions = 1000;

class Layout {
  readonly widgets: Widget[] = [];
  readonly slots: InputSlot[] = [];
  readonly growing: GrowingInputs[] = [];
  dependsOnValues = false;

  constructor(private readonly assign: AssignWidget) {}

  put(widget: Widget): ExactValue | undefined {
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

  addWidget(input: NamedSpec | AddedInput, name: string, classType: string, depth = 0): void {
    const type = widgetTypeOf(input);
    const { spec } = input;
    const { before, own, after } = followingWidgets(classType, type, name, spec);
    for (const widget of before) this.put(widget);
    const widget: Widget = {
      name,
      spec,
      isStored: own.isStored,
      isSent: own.isSent,
      defaultValue: defaultOf(type, spec) ?? emptyChoice(classType),
      slotType: own.slotType ?? spec.type,
    };
    const value = this.put(widget);
    if (spec.kind === 'dynamicCombo' && depth < maxNesting) {
      this.dependsOnValues = true;
      const branch = spec.branches.find((each) => value !== undefined && exactEquals(each.key, value));
      for (const inner of branch?.inputs ?? []) {
        if (isWidget(inner)) this.addWidget(inner, `${name}.${inner.name}`, classType, depth + 1);
        else this.addSocket(`${name}.${inner.name}`, inner.spec);
      }
    }
    this.slots.push({ name, type: own.slotType ?? spec.type, widget: name });
    for (const each of after) this.put(each);
  }
}

function socketType(spec: InputSpec): string {
  if (spec.kind === 'matchType') return spec.allowedTypes.join(',');
  return spec.kind === 'dynamicSlot' ? spec.slotType : spec.type;
}

/** The value in a new node (workflows 2, B). */
function defaultOf(type: string, spec: InputSpec): ExactValue | undefined {
  const given = spec.default === null ? undefined : spec.default;
  switch (type) {
    case 'INT':
    case 'FLOAT':
    case 'COMFY_DYNAMICGROUP_V3':
      return given ?? 0n;
    case 'BOOLEAN':
      return given ?? false;
    case 'COLOR':
      return given ?? '#000000';
    case 'IMAGEUPLOAD':
      return 'image';
    case 'IMAGECOMPARE':
      return ['', ''];
    case 'COMBO':
      return comboDefault(spec);
    case 'COMFY_DYNAMICCOMBO_V3':
      return spec.kind === 'dynamicCombo' ? (given ?? spec.branches[0]?.key) : given;
    default:
      return given ?? '';
  }
}

function comboDefault(spec: InputSpec): ExactValue | undefined {
  const given = spec.default;
  if (given !== undefined && given !== null && given !== false && given !== '') return given;
  if (spec.kind !== 'combo') return given;
  return spec.choices[0] ?? (spec.remote ? 'Loading...' : (given ?? undefined));
}
