import { parseSignature } from './signature';
import type { NodeContext, NodeDefinitionJson, NodeResult, SandboxNode, SandboxValue } from './sandboxNode';
import { standIn } from './standIn';

export type NodeRun = (
  inputs: Readonly<Record<string, SandboxValue>>,
  context: NodeContext,
) => Promise<NodeResult> | NodeResult;

/** What a row says besides its signature. */
export interface RowDetails extends Omit<SandboxNode, 'definition' | 'run'> {
  readonly title?: string;
  readonly about?: string;
  readonly output?: boolean;
  readonly takesLists?: boolean;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly partner?: boolean;
  /** Replaces the specs of inputs that a signature cannot write. */
  readonly specs?: NodeDefinitionJson['input']['required'];
}

/** Signature, what it does (a stand-in for the rest of the world when missing), and more. */
export type NodeRow = readonly [signature: string, run?: NodeRun | undefined, details?: RowDetails];

/** The node classes of a table that share the Python module and the category of a real server's menu. */
export function nodeTable(
  place: { readonly module: string; readonly category: string },
  rows: readonly NodeRow[],
): readonly SandboxNode[] {
  return rows.map((row) => nodeOf(place, row));
}

function nodeOf(
  place: { readonly module: string; readonly category: string },
  [text, run, details = {}]: NodeRow,
): SandboxNode {
  const {
    title,
    about = '',
    output = false,
    takesLists = false,
    hidden,
    partner,
    specs,
    ...behaviour
  } = details;
  const { classType, required, optional, outputs } = parseSignature(text);
  const input = {
    required: { ...required, ...pick(specs, required) },
    ...(Object.keys(optional).length > 0 && { optional: { ...optional, ...pick(specs, optional) } }),
    ...(hidden && { hidden }),
  };
  const definition: NodeDefinitionJson = {
    input,
    input_order: Object.fromEntries(
      Object.entries(input).map(([section, specs_]) => [section, Object.keys(specs_)]),
    ),
    is_input_list: takesLists,
    output: outputs.map(({ type }) => type),
    output_is_list: outputs.map(({ isList }) => isList),
    output_name: outputs.map(({ name }) => name),
    name: classType,
    display_name: title ?? spaced(classType),
    description: about,
    python_module: place.module,
    category: place.category,
    output_node: output,
    has_intermediate_output: false,
    ...(partner === true && { api_node: true }),
  };
  const files = fileInputs(text);
  return {
    definition,
    run: run ?? ((inputs) => standIn(definition, inputs)),
    // A sandbox has no files of models, and needs none: any name will do.
    ...(files.length > 0 && { validates: files, validate: () => true as const }),
    ...behaviour,
  };
}

function pick(
  specs: NodeDefinitionJson['input']['required'] | undefined,
  names: Readonly<Record<string, unknown>>,
): NodeDefinitionJson['input']['required'] {
  return Object.fromEntries(Object.entries(specs ?? {}).filter(([name]) => Object.hasOwn(names, name)));
}

function fileInputs(signature: string): readonly string[] {
  return [...signature.matchAll(/\b(\w+)\??: (?:COMBO)?@\w/g)].map(([, name = '']) => name);
}

/** `EmptyLatentImage` as `Empty Latent Image`. */
function spaced(classType: string): string {
  return classType
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
}
