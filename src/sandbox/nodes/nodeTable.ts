import { behaviours } from './behaviours';
import { nodeSignatures } from './nodeSignatures';
import { checkTensor } from './nodeValues';
import { askPartner } from './pictureNodes';
import { type ChoiceLists, parseSignature } from './signature';
import type { NodeDefinitionJson, SandboxNode } from './sandboxNode';
import { standIn } from './standIn';
import { nodeDescriptions } from './nodeDescriptions';

interface Place {
  readonly module: string;
  readonly category: string;
}

/** The node types of the list, with what they do. */
export function listedNodes(): readonly SandboxNode[] {
  const lists = new Map<string, readonly string[]>();
  const nodes: SandboxNode[] = [];
  let place: Place = { module: 'nodes', category: '' };
  for (const line of nodeSignatures.trim().split('\n')) {
    const [, module, category] = /^# (.+?): (.+)$/.exec(line) ?? [];
    const [, list, names] = /^([$@]\w+) = (.+)$/.exec(line) ?? [];
    if (module !== undefined && category !== undefined) place = { module, category };
    else if (list !== undefined && names !== undefined) lists.set(list, names.split('|'));
    else nodes.push(nodeOf(line, place, lists));
  }
  return nodes;
}

/** Node types of a pack outside the list, by their signatures. */
export function nodesIn(place: Place, signatures: readonly string[]): readonly SandboxNode[] {
  return signatures.map((signature) => nodeOf(signature, place, new Map()));
}

function nodeOf(line: string, { module, category }: Place, lists: ChoiceLists): SandboxNode {
  const [text = '', title] = line.split(' -- ');
  const { classType, required, optional, outputs, models } = parseSignature(text, lists);
  const { output = false, takesLists = false, hidden, specs, run, ...more } = behaviours[classType] ?? {};
  const isPartner = module.startsWith('comfy_api_nodes.') && outputs[0]?.type === 'IMAGE';
  for (const [name, spec] of Object.entries(specs ?? {}))
    Object.assign(name in optional ? optional : required, { [name]: spec });
  const input = {
    required,
    ...(Object.keys(optional).length > 0 && { optional }),
    ...(hidden && { hidden }),
  };
  const definition: NodeDefinitionJson = {
    input,
    input_order: Object.fromEntries(
      Object.entries(input).map(([section, inputs]) => [section, Object.keys(inputs)]),
    ),
    is_input_list: takesLists,
    output: outputs.map(({ type }) => type),
    output_is_list: outputs.map(({ isList }) => isList),
    output_name: outputs.map(({ name }) => name),
    name: classType,
    display_name: title ?? spaced(classType),
    description: nodeDescriptions()[classType] ?? '',
    python_module: module,
    category,
    output_node: output,
    has_intermediate_output: false,
    ...(isPartner && { api_node: true }),
  };
  return {
    definition,
    run: (inputs, context) => {
      for (const [name, [type]] of Object.entries(required))
        if (!takesLists && name in inputs) checkTensor(type, inputs[name]);
      if (run) return run(inputs, context);
      return isPartner ? askPartner(inputs, context) : standIn(definition, inputs);
    },
    // A sandbox has no model files and needs none: it accepts any name.
    ...(models.length > 0 && { validates: models, validate: () => true as const }),
    ...more,
  };
}

/** `EmptyLatentImage` as `Empty Latent Image`. */
function spaced(classType: string): string {
  return classType
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
}
