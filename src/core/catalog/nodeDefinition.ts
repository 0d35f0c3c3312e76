import { type ExactObject, type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import type { NamedSpec } from './inputSpec';
import { readInputSpec, textOption } from './readInputSpec';

export interface OutputDefinition {
  readonly name: string;
  /** A type name, or the options themselves if the output is an old combo. */
  readonly type: string | readonly ExactValue[];
  readonly isList: boolean;
  readonly tooltip?: string | undefined;
}

/** A server's definition of one node type (protocol 1.2, workflows 3), with every odd form normalized. */
export interface NodeDefinition {
  readonly classType: string;
  /** The display name; the node type itself if the server gives none. */
  readonly displayName: string;
  readonly description: string;
  readonly category: string;
  /** `nodes`, `comfy_extras.x`, `comfy_api_nodes.x` or `custom_nodes.PACK`; empty if an old server doesn't say. */
  readonly pythonModule: string;
  /** Required inputs, then optional ones, each in the server's display order. Dynamic inputs are not expanded here. */
  readonly inputs: readonly NamedSpec[];
  /** Filled by the server, never by a prompt: name and content, such as `UNIQUE_ID`. */
  readonly hiddenInputs: ReadonlyMap<string, ExactValue>;
  readonly outputs: readonly OutputDefinition[];
  readonly isOutputNode: boolean;
  /** Runs on a paid service: needs a partner key. */
  readonly apiNode: boolean;
  readonly deprecated: boolean;
  readonly experimental: boolean;
  readonly searchAliases: readonly string[];
  readonly priceBadge?: ExactObject | undefined;
  /** Written for the newer node interface; the server words some errors differently for these. */
  readonly isV3: boolean;
  readonly raw: ExactObject;
}

/** Parses one definition. Missing fields and fields of the wrong type become empty; never throws. */
export function readNodeDefinition(classType: string, raw: ExactObject): NodeDefinition {
  const input = raw.get('input');
  const sections: ExactObject = isExactObject(input) ? input : new Map();
  const order = raw.get('input_order');
  const module = textOption(raw, 'python_module') ?? '';
  const price = raw.get('price_badge');
  return {
    classType,
    displayName: textOption(raw, 'display_name') ?? textOption(raw, 'name') ?? classType,
    description: textOption(raw, 'description') ?? '',
    category: textOption(raw, 'category') ?? '',
    pythonModule: module,
    inputs: [...readSection(sections, order, 'required'), ...readSection(sections, order, 'optional')],
    hiddenInputs: readHidden(sections.get('hidden')),
    outputs: readOutputs(raw),
    isOutputNode: raw.get('output_node') === true,
    apiNode: raw.get('api_node') === true || module.startsWith('comfy_api_nodes'),
    deprecated: raw.get('deprecated') === true,
    experimental: raw.get('experimental') === true,
    searchAliases: list(raw, 'search_aliases').filter((alias) => typeof alias === 'string'),
    priceBadge: isExactObject(price) ? price : undefined,
    isV3: raw.has('output_matchtypes'),
    raw,
  };
}

/** `input_order` first, then the other names in the object's order; without it, the object's order. */
function readSection(
  sections: ExactObject,
  order: ExactValue | undefined,
  section: 'required' | 'optional',
): NamedSpec[] {
  const members = sections.get(section);
  if (!isExactObject(members)) return [];
  const listed = isExactObject(order) ? order.get(section) : undefined;
  const first = isExactList(listed) ? listed.filter((name) => typeof name === 'string') : [];
  const names = new Set([...first, ...members.keys()]);
  const inputs: NamedSpec[] = [];
  for (const name of names) {
    const declaration = members.get(name);
    if (declaration !== undefined) inputs.push({ name, section, spec: readInputSpec(declaration) });
  }
  return inputs;
}

function readHidden(hidden: ExactValue | undefined): ReadonlyMap<string, ExactValue> {
  if (!isExactObject(hidden)) return new Map();
  return new Map([...hidden].map(([name, value]) => [name, isExactList(value) ? (value[0] ?? null) : value]));
}

function readOutputs(raw: ExactObject): OutputDefinition[] {
  const names = raw.get('output_name');
  const areLists = list(raw, 'output_is_list');
  const tooltips = list(raw, 'output_tooltips');
  const output = raw.get('output');
  // A pack that forgets the comma of a one-element tuple sends a string instead of a list.
  const outputs = typeof output === 'string' ? [output] : list(raw, 'output');
  return outputs.map((each, slot) => {
    const type = isExactList(each) || typeof each === 'string' ? each : '*';
    // A few packs give one name as a plain string instead of a list.
    const name = isExactList(names) ? names[slot] : slot === 0 ? names : undefined;
    const tooltip = tooltips[slot];
    return {
      name: typeof name === 'string' && name !== '' ? name : typeof type === 'string' ? type : 'COMBO',
      type,
      isList: areLists[slot] === true,
      tooltip: typeof tooltip === 'string' ? tooltip : undefined,
    };
  });
}

function list(raw: ExactObject, name: string): readonly ExactValue[] {
  const value = raw.get(name);
  return isExactList(value) ? value : [];
}
