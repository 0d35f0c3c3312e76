import type { JSONSchema } from 'vscode-json-languageservice';

import type { Catalog } from '../../src/core/catalog/catalog';
import type { NamedSpec } from '../../src/core/catalog/inputSpec';
import type { NodeDefinition } from '../../src/core/catalog/nodeDefinition';

/*
 * What a user would write to teach VS Code's own JSON support the nodes: a schema with one case per node type. It
 * finds less than the checks do: a schema cannot follow a link. With thousands of cases it takes seconds for a file,
 * so if the result is the same, it only gets the cases of the node types in the file.
 */

const link: JSONSchema = { type: 'array', minItems: 2, maxItems: 2 };

/** A schema of API files. */
export function promptSchema(catalog: Catalog): JSONSchema {
  const cases = casesOf([...catalog.definitions()], 'class_type', (definition) => ({
    inputs: {
      type: 'object',
      properties: inputProperties(definition),
      required: definition.inputs.filter(({ section }) => section === 'required').map(({ name }) => name),
    },
  }));
  return { type: 'object', additionalProperties: nodeSchema(catalog, 'class_type', cases) };
}

/** A schema of graph files that knows the widgets of the node types in `used`, and the names of all. */
export function graphSchema(catalog: Catalog, used: ReadonlySet<string>): JSONSchema {
  const definitions = [...used].flatMap((classType) => catalog.get(classType) ?? []);
  const cases = casesOf(definitions, 'type', (definition) => ({
    widgets_values: { type: ['array', 'object'], properties: inputProperties(definition) },
  }));
  const nodes: JSONSchema = { type: 'array', items: nodeSchema(catalog, 'type', cases) };
  return { type: 'object', properties: { nodes }, required: ['nodes'] };
}

function nodeSchema(catalog: Catalog, typeName: string, allOf: JSONSchema[]): JSONSchema {
  const types: JSONSchema = { enum: [...catalog.classTypes] };
  return { type: 'object', properties: { [typeName]: types }, required: [typeName], allOf };
}

function casesOf(
  definitions: readonly NodeDefinition[],
  typeName: string,
  properties: (definition: NodeDefinition) => Record<string, JSONSchema>,
): JSONSchema[] {
  return definitions.map((definition) => ({
    if: { properties: { [typeName]: { const: definition.classType } } },
    then: { properties: properties(definition) },
  }));
}

function inputProperties({ inputs }: NodeDefinition): Record<string, JSONSchema> {
  return Object.fromEntries(inputs.map((input) => [input.name, valueSchema(input)]));
}

function valueSchema({ spec }: NamedSpec): JSONSchema {
  const { tooltip } = spec;
  return { anyOf: [literalSchema(spec), link], ...(tooltip !== undefined && { description: tooltip }) };
}

function literalSchema(spec: NamedSpec['spec']): JSONSchema {
  switch (spec.kind) {
    case 'int':
    case 'float':
      return {
        type: 'number',
        ...(spec.min !== undefined && { minimum: Number(spec.min) }),
        ...(spec.max !== undefined && { maximum: Number(spec.max) }),
      };
    case 'string':
      return { type: 'string' };
    case 'boolean':
      return { type: 'boolean' };
    case 'combo':
      return spec.choices.length > 0 ? { enum: [...spec.choices] } : {};
    default:
      return {};
  }
}
