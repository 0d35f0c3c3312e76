import { type ExactObject, type ExactValue, isExactList, isExactObject } from '../json/exactValue';

/** What every input declaration may say, whatever its type (workflows 3). */
interface SpecBase {
  /** The type as the server names it: `INT`, `IMAGE,MASK`, `COMBO` (also for the old form, where a list is the type). */
  readonly type: string;
  /** The first element of the declaration as it came: a name, or the list of options of an old combo. */
  readonly rawType: ExactValue;
  /** The second element, `{}` where there is none: `[rawType, options]` is the server's `input_config`. */
  readonly options: ExactObject;
  readonly default?: ExactValue;
  readonly tooltip?: string;
  readonly displayName?: string;
  /** The widget that the editor shows for a type that has none of its own, such as a union. */
  readonly widgetType?: string;
  /** A socket even where the type has a widget. */
  readonly forceInput: boolean;
  /** A widget without a socket. */
  readonly socketless: boolean;
  readonly lazy: boolean;
  readonly rawLink: boolean;
  readonly advanced: boolean;
  readonly hidden: boolean;
}

/** `control_after_generate`: true, or the name of the widget that controls it. */
export type ControlAfterGenerate = boolean | string;

export interface IntSpec extends SpecBase {
  readonly kind: 'int';
  /** Limits are exact; where the server gives a fraction (it may), it is kept as it is. */
  readonly min?: bigint | number;
  readonly max?: bigint | number;
  readonly step?: bigint | number;
  readonly controlAfterGenerate: ControlAfterGenerate;
}
export interface FloatSpec extends SpecBase {
  readonly kind: 'float';
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Digits to round to; absent also where the server says `false`. */
  readonly round?: number;
}
export interface StringSpec extends SpecBase {
  readonly kind: 'string';
  readonly multiline: boolean;
  readonly dynamicPrompts: boolean;
  readonly placeholder?: string;
}
export interface BooleanSpec extends SpecBase {
  readonly kind: 'boolean';
  readonly labelOn?: string;
  readonly labelOff?: string;
}
/** The kinds of file that a combo lets the person upload. */
export type UploadKind = 'image' | 'video' | 'audio' | 'mesh' | 'file';

export interface ComboSpec extends SpecBase {
  readonly kind: 'combo';
  /** The options exactly as the server has them: text, numbers, booleans, null, even lists. */
  readonly choices: readonly ExactValue[];
  /** Declared as `[[...], {}]` instead of `["COMBO", {options}]`: link types are compared otherwise (workflows 4.4). */
  readonly isLegacy: boolean;
  readonly multiselect: boolean;
  /** The list comes from another route; `choices` is empty then. */
  readonly remote?: ExactObject;
  readonly upload?: UploadKind;
  readonly controlAfterGenerate: ControlAfterGenerate;
}
/** Several types, as in `IMAGE,MASK`. */
export interface UnionSpec extends SpecBase {
  readonly kind: 'union';
  readonly types: readonly string[];
}
export interface AnySpec extends SpecBase {
  readonly kind: 'any';
}
export interface SocketSpec extends SpecBase {
  readonly kind: 'socket';
}
export interface DynamicComboSpec extends SpecBase {
  readonly kind: 'dynamicCombo';
  readonly branches: readonly { readonly key: ExactValue; readonly inputs: readonly NamedSpec[] }[];
}
export interface AutogrowSpec extends SpecBase {
  readonly kind: 'autogrow';
  /** The names after the dot, all that the server takes. */
  readonly names: readonly string[];
  readonly min: number;
  /** What each of them is; undefined when the server's template names nothing. */
  readonly template: NamedSpec | undefined;
}
export interface MatchTypeSpec extends SpecBase {
  readonly kind: 'matchType';
  readonly templateId: string;
  readonly allowedTypes: readonly string[];
}
export interface DynamicSlotSpec extends SpecBase {
  readonly kind: 'dynamicSlot';
  readonly slotType: string;
  readonly inputs: readonly NamedSpec[];
}
export interface DynamicGroupSpec extends SpecBase {
  readonly kind: 'dynamicGroup';
  readonly fields: readonly NamedSpec[];
  readonly min: number;
  readonly max: number;
  readonly groupName?: string;
}

/** One declared input, by the form of its declaration. */
export type InputSpec =
  | IntSpec
  | FloatSpec
  | StringSpec
  | BooleanSpec
  | ComboSpec
  | UnionSpec
  | AnySpec
  | SocketSpec
  | DynamicComboSpec
  | AutogrowSpec
  | MatchTypeSpec
  | DynamicSlotSpec
  | DynamicGroupSpec;

/** An input inside a section: `required` inputs must be there, `optional` ones may be left out. */
export interface NamedSpec {
  readonly name: string;
  readonly section: 'required' | 'optional';
  readonly spec: InputSpec;
}

/** More rows or names than this are never generated, whatever a server says. */
const maxGenerated = 1000;

/** Reads one declaration, `[type]` or `[type, options]`. Anything else becomes a socket of the type that it names; never throws. */
export function readInputSpec(declaration: ExactValue): InputSpec {
  const [rawType, rawOptions] = isExactList(declaration) ? declaration : [declaration, undefined];
  const options: ExactObject = isExactObject(rawOptions) ? rawOptions : new Map();
  const common = readCommon(rawType ?? null, options);
  if (isExactList(rawType)) return combo(common, rawType, true);
  switch (common.type) {
    case 'INT':
      return {
        ...common,
        kind: 'int',
        ...defined({
          min: exactNumber(options, 'min'),
          max: exactNumber(options, 'max'),
          step: exactNumber(options, 'step'),
        }),
        controlAfterGenerate: control(options),
      };
    case 'FLOAT':
      return {
        ...common,
        kind: 'float',
        ...defined({
          min: double(options, 'min'),
          max: double(options, 'max'),
          step: double(options, 'step'),
        }),
        ...defined({ round: double(options, 'round') }),
      };
    case 'STRING': {
      const [multiline, dynamicPrompts] = [flag(options, 'multiline'), flag(options, 'dynamicPrompts')];
      return {
        ...common,
        kind: 'string',
        multiline,
        dynamicPrompts,
        ...defined({ placeholder: text(options, 'placeholder') }),
      };
    }
    case 'BOOLEAN': {
      const labels = { labelOn: text(options, 'label_on'), labelOff: text(options, 'label_off') };
      return { ...common, kind: 'boolean', ...defined(labels) };
    }
    case 'COMBO': {
      const choices = options.get('options');
      return combo(common, isExactList(choices) ? choices : [], false);
    }
    case '*':
      return { ...common, kind: 'any' };
    case 'COMFY_DYNAMICCOMBO_V3':
      return { ...common, kind: 'dynamicCombo', branches: readBranches(options.get('options')) };
    case 'COMFY_AUTOGROW_V3':
      return { ...common, kind: 'autogrow', ...readAutogrow(object(options, 'template')) };
    case 'COMFY_MATCHTYPE_V3': {
      const template = object(options, 'template');
      const allowedTypes = splitTypes(text(template, 'allowed_types') ?? '*');
      return { ...common, kind: 'matchType', templateId: text(template, 'template_id') ?? '', allowedTypes };
    }
    case 'COMFY_DYNAMICSLOT_V3': {
      const slotType = text(options, 'slotType') ?? '*';
      return { ...common, kind: 'dynamicSlot', slotType, inputs: readSections(options.get('inputs')) };
    }
    case 'COMFY_DYNAMICGROUP_V3': {
      const [min, max] = [count(options, 'min') ?? 0, Math.min(count(options, 'max') ?? 20, maxGenerated)];
      const fields = readSections(options.get('template'));
      return {
        ...common,
        kind: 'dynamicGroup',
        fields,
        min,
        max,
        ...defined({ groupName: text(options, 'group_name') }),
      };
    }
    default: {
      const types = splitTypes(common.type);
      return types.length > 1 ? { ...common, kind: 'union', types } : { ...common, kind: 'socket' };
    }
  }
}

/** The inputs of `{required?, optional?}` in the order of the object; required ones first only if they stand first. */
export function readSections(sections: ExactValue | undefined): NamedSpec[] {
  if (!isExactObject(sections)) return [];
  const named: NamedSpec[] = [];
  for (const [section, members] of sections) {
    if ((section !== 'required' && section !== 'optional') || !isExactObject(members)) continue;
    for (const [name, declaration] of members)
      named.push({ name, section, spec: readInputSpec(declaration) });
  }
  return named;
}

/** The single types of a comma list. */
export function splitTypes(type: string): string[] {
  return type.split(',').map((each) => each.trim());
}

function readCommon(rawType: ExactValue, options: ExactObject): SpecBase {
  return {
    type: isExactList(rawType) ? 'COMBO' : typeof rawType === 'string' ? rawType : '*',
    rawType,
    options,
    ...defined({
      default: options.get('default'),
      tooltip: text(options, 'tooltip'),
      displayName: text(options, 'display_name'),
      widgetType: text(options, 'widgetType'),
    }),
    forceInput: flag(options, 'forceInput'),
    socketless: flag(options, 'socketless'),
    lazy: flag(options, 'lazy'),
    rawLink: flag(options, 'rawLink'),
    advanced: flag(options, 'advanced'),
    hidden: flag(options, 'hidden'),
  };
}

function combo(common: SpecBase, choices: readonly ExactValue[], isLegacy: boolean): ComboSpec {
  const { options } = common;
  const remote = options.get('remote');
  return {
    ...common,
    kind: 'combo',
    choices,
    isLegacy,
    multiselect: flag(options, 'multiselect'),
    ...defined({ remote: isExactObject(remote) ? remote : undefined, upload: uploadKind(options) }),
    controlAfterGenerate: control(options),
  };
}

function uploadKind(options: ExactObject): UploadKind | undefined {
  if (flag(options, 'image_upload')) return 'image';
  if (flag(options, 'video_upload') || flag(options, 'animated_image_upload')) return 'video';
  if (flag(options, 'audio_upload')) return 'audio';
  if (flag(options, 'mesh_upload')) return 'mesh';
  return flag(options, 'file_upload') ? 'file' : undefined;
}

function readBranches(branches: ExactValue | undefined): DynamicComboSpec['branches'] {
  if (!isExactList(branches)) return [];
  return branches.filter(isExactObject).map((branch) => {
    return { key: branch.get('key') ?? null, inputs: readSections(branch.get('inputs')) };
  });
}

/** The server takes the first input of the template that there is, and ignores further ones. */
function readAutogrow(template: ExactObject): Pick<AutogrowSpec, 'names' | 'min' | 'template'> {
  const [first] = readSections(template.get('input'));
  const min = count(template, 'min') ?? 1;
  const given = template.get('names');
  if (isExactList(given)) return { names: given.map(String), min, template: first };
  const prefix = text(template, 'prefix') ?? '';
  const length = Math.min(count(template, 'max') ?? 10, maxGenerated);
  return { names: Array.from({ length }, (_, index) => prefix + String(index)), min, template: first };
}

function control(options: ExactObject): ControlAfterGenerate {
  const value = options.get('control_after_generate');
  return typeof value === 'string' ? value : value === true;
}

function flag(options: ExactObject, name: string): boolean {
  return options.get(name) === true;
}

function text(options: ExactObject, name: string): string | undefined {
  const value = options.get(name);
  return typeof value === 'string' ? value : undefined;
}

function object(options: ExactObject, name: string): ExactObject {
  const value = options.get(name);
  return isExactObject(value) ? value : new Map<string, ExactValue>();
}

function exactNumber(options: ExactObject, name: string): bigint | number | undefined {
  const value = options.get(name);
  return typeof value === 'bigint' || typeof value === 'number' ? value : undefined;
}

function double(options: ExactObject, name: string): number | undefined {
  const value = exactNumber(options, name);
  return value === undefined ? undefined : Number(value);
}

function count(options: ExactObject, name: string): number | undefined {
  const value = double(options, name);
  return value !== undefined && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Leaves out what is undefined, so that an optional field is either there or absent. */
function defined<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}
