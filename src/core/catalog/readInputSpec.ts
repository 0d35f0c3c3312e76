import { type ExactObject, type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import type {
  AutogrowSpec,
  ComboSpec,
  ControlAfterGenerate,
  DynamicComboSpec,
  InputSpec,
  NamedSpec,
  SpecBase,
  UploadKind,
} from './inputSpec';

/** At most this many rows or names are generated, whatever a server says. */
const maxGenerated = 1000;

/** Parses one declaration, `[type]` or `[type, options]`. Anything else becomes a socket of that type; never throws. */
export function readInputSpec(declaration: ExactValue): InputSpec {
  const [rawType, rawOptions] = isExactList(declaration) ? declaration : [declaration, undefined];
  const options: ExactObject = isExactObject(rawOptions) ? rawOptions : new Map();
  const common = readCommon(rawType ?? null, options);
  if (isExactList(rawType)) return combo(common, rawType);
  switch (common.type) {
    case 'INT':
      return {
        ...common,
        kind: 'int',
        min: exactNumber(options, 'min'),
        max: exactNumber(options, 'max'),
        step: exactNumber(options, 'step'),
        controlAfterGenerate: control(options),
      };
    case 'FLOAT':
      return {
        ...common,
        kind: 'float',
        min: double(options, 'min'),
        max: double(options, 'max'),
        step: double(options, 'step'),
        round: double(options, 'round'),
      };
    case 'STRING':
      return { ...common, kind: 'string', dynamicPrompts: flag(options, 'dynamicPrompts') };
    case 'BOOLEAN': {
      const labels = { labelOn: textOption(options, 'label_on'), labelOff: textOption(options, 'label_off') };
      return { ...common, kind: 'boolean', ...labels };
    }
    case 'COMBO': {
      const choices = options.get('options');
      return combo(common, isExactList(choices) ? choices : []);
    }
    case '*':
      return { ...common, kind: 'any' };
    case 'COMFY_DYNAMICCOMBO_V3':
      return { ...common, kind: 'dynamicCombo', branches: readBranches(options.get('options')) };
    case 'COMFY_AUTOGROW_V3':
      return { ...common, kind: 'autogrow', ...readAutogrow(object(options, 'template')) };
    case 'COMFY_MATCHTYPE_V3': {
      const allowedTypes = splitTypes(textOption(object(options, 'template'), 'allowed_types') ?? '*');
      return { ...common, kind: 'matchType', allowedTypes };
    }
    case 'COMFY_DYNAMICSLOT_V3': {
      const slotType = textOption(options, 'slotType') ?? '*';
      return { ...common, kind: 'dynamicSlot', slotType, inputs: readSections(options.get('inputs')) };
    }
    case 'COMFY_DYNAMICGROUP_V3': {
      const [min, max] = [generated(options, 'min', 0), generated(options, 'max', 20)];
      const [fields, groupName] = [readSections(options.get('template')), textOption(options, 'group_name')];
      return { ...common, kind: 'dynamicGroup', fields, min, max, groupName };
    }
    default: {
      const types = splitTypes(common.type);
      return types.length > 1 ? { ...common, kind: 'union', types } : { ...common, kind: 'socket' };
    }
  }
}

function readSections(sections: ExactValue | undefined): NamedSpec[] {
  if (!isExactObject(sections)) return [];
  const named: NamedSpec[] = [];
  for (const section of ['required', 'optional'] as const) {
    const members = sections.get(section);
    if (!isExactObject(members)) continue;
    for (const [name, declaration] of members)
      named.push({ name, section, spec: readInputSpec(declaration) });
  }
  return named;
}

export function splitTypes(type: string): string[] {
  return type.split(',').map((each) => each.trim());
}

function readCommon(rawType: ExactValue, options: ExactObject): SpecBase {
  return {
    type: isExactList(rawType) ? 'COMBO' : typeof rawType === 'string' ? rawType : '*',
    rawType,
    options,
    default: options.get('default'),
    tooltip: textOption(options, 'tooltip'),
    displayName: textOption(options, 'display_name'),
    widgetType: textOption(options, 'widgetType'),
    forceInput: flag(options, 'forceInput'),
    lazy: flag(options, 'lazy'),
    advanced: flag(options, 'advanced'),
    hidden: flag(options, 'hidden'),
  };
}

function combo(common: SpecBase, choices: readonly ExactValue[]): ComboSpec {
  const { options } = common;
  const remote = options.get('remote');
  return {
    ...common,
    kind: 'combo',
    choices,
    multiselect: flag(options, 'multiselect'),
    remote: isExactObject(remote) ? remote : undefined,
    upload: uploadKind(options),
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

/** The server uses the template's first input and ignores further ones. */
function readAutogrow(template: ExactObject): Pick<AutogrowSpec, 'names' | 'min' | 'template'> {
  const [first] = readSections(template.get('input'));
  const min = count(template, 'min') ?? 1;
  const given = template.get('names');
  if (isExactList(given)) return { names: given.map(String), min, template: first };
  const prefix = textOption(template, 'prefix') ?? '';
  const length = generated(template, 'max', 10);
  return { names: Array.from({ length }, (_, index) => prefix + String(index)), min, template: first };
}

function control(options: ExactObject): ControlAfterGenerate {
  const value = options.get('control_after_generate');
  return typeof value === 'string' ? value : value === true;
}

function flag(options: ExactObject, name: string): boolean {
  return options.get(name) === true;
}

export function textOption(options: ExactObject, name: string): string | undefined {
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

function generated(options: ExactObject, name: string, preset: number): number {
  return Math.min(count(options, name) ?? preset, maxGenerated);
}

function count(options: ExactObject, name: string): number | undefined {
  const value = double(options, name);
  return value !== undefined && Number.isInteger(value) && value >= 0 ? value : undefined;
}
