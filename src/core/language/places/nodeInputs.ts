import type { Catalog } from '../../catalog/catalog';
import { type ExpandedInput, expandInputs } from '../../catalog/dynamic';
import type { InputSpec, NamedSpec } from '../../catalog/inputSpec';
import type { NodeDefinition, OutputDefinition } from '../../catalog/nodeDefinition';
import { areCompatible } from '../../check/typeCompatibility';
import { exactEquals } from '../../json/exactEquals';
import type { ExactValue } from '../../json/exactValue';
import { isWidgetType } from '../../workflow/graph/widgets';
import { type Prompt, type PromptLink, type PromptNode, exactInputValue } from '../../workflow/prompt';
import { t } from '../../safety/localize';

export function promptNodeDefinition(
  node: PromptNode,
  catalog: Catalog | undefined,
): NodeDefinition | undefined {
  return node.classType === undefined ? undefined : catalog?.get(node.classType);
}

/**
 * A node's inputs for its current values, dynamic ones expanded; empty if the node type is unknown. Unlike on the
 * server, options that are not chosen yet are included.
 */
export function expandedInputs(node: PromptNode, catalog: Catalog | undefined): readonly ExpandedInput[] {
  const definition = promptNodeDefinition(node, catalog);
  if (!definition) return [];
  const given = givenIn(node);
  const { inputs } = expandInputs(definition, given);
  const known = new Set(inputs.map(({ name }) => name));
  const open = choicesIn(definition.inputs, undefined, given).filter(({ name }) => !known.has(name));
  return open.length === 0 ? inputs : [...inputs, ...open];
}

/** The dynamic combos that a node has now: those at the top, and those under a choice that is made. */
function choicesIn(
  inputs: readonly NamedSpec[],
  prefix: string | undefined,
  given: ReadonlyMap<string, ExactValue>,
): ExpandedInput[] {
  return inputs.flatMap(({ name: last, section, spec }): ExpandedInput[] => {
    if (spec.kind !== 'dynamicCombo') return [];
    const name = prefix === undefined ? last : `${prefix}.${last}`;
    const key = given.get(name);
    const branch = key === undefined ? undefined : spec.branches.find((each) => exactEquals(each.key, key));
    const own = { name, section, spec, parent: prefix };
    return [own, ...choicesIn(branch?.inputs ?? [], name, given)];
  });
}

export function expandedInputNamed(
  node: PromptNode,
  name: string,
  catalog: Catalog | undefined,
): ExpandedInput | undefined {
  return expandedInputs(node, catalog).find((input) => input.name === name);
}

/** The output that a link uses, if node and node type are known. */
export function linkedOutput(
  prompt: Prompt,
  link: PromptLink,
  catalog: Catalog | undefined,
): OutputDefinition | undefined {
  const source = prompt.node(link.nodeId);
  return source && promptNodeDefinition(source, catalog)?.outputs[link.slot];
}

/** A node's display name: its own title, the node type's name, or its ID. */
export function promptNodeName(node: PromptNode, catalog?: Catalog): string {
  return node.title ?? promptNodeDefinition(node, catalog)?.displayName ?? node.classType ?? node.id;
}

/** Whether an output may be linked to an input: what the server accepts, and what a template allows. */
export function outputFitsInput(output: OutputDefinition, spec: InputSpec): boolean {
  const type: ExactValue = output.type;
  if (spec.kind === 'matchType') {
    return spec.allowedTypes.some((allowed) => areCompatible(type, allowed));
  }
  return areCompatible(type, spec.rawType);
}

export function typeText(type: ExactValue): string {
  if (typeof type !== 'string') return 'COMBO';
  // A type that depends on another input has an internal name.
  return type === '*' || type === 'COMFY_MATCHTYPE_V3' ? 'any' : type;
}

export function inputTypeText(spec: InputSpec): string {
  switch (spec.kind) {
    case 'matchType':
      return typeText(spec.allowedTypes.join(','));
    case 'dynamicCombo':
      return 'COMBO';
    case 'dynamicSlot':
      return typeText(spec.slotType);
    case 'autogrow':
      return t`${spec.template ? inputTypeText(spec.template.spec) : t`any`} (expandable)`;
    case 'dynamicGroup':
      return t`rows of inputs`;
    default:
      return typeText(spec.type);
  }
}

export function isSocket(spec: InputSpec): boolean {
  if (spec.forceInput) return true;
  switch (spec.kind) {
    case 'socket':
      return !isWidgetType(spec.widgetType ?? spec.type);
    case 'any':
    case 'matchType':
    case 'dynamicSlot':
      return true;
    case 'union':
      return spec.widgetType === undefined;
    default:
      return false;
  }
}

export function givenIn(node: PromptNode): ReadonlyMap<string, ExactValue> {
  return new Map(node.inputs.map((input) => [input.name, exactInputValue(input)]));
}
