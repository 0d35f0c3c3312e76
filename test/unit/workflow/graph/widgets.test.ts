import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../../src/core/catalog/catalog';
import type { NodeDefinition } from '../../../../src/core/catalog/nodeDefinition';
import { layOutWidgets } from '../../../../src/core/workflow/graph/widgets';
import { catalog } from './graphs';

function definitionOf(classType: string): NodeDefinition {
  const definition = catalog.get(classType);
  if (!definition) throw new Error(`There is no class ${classType}.`);
  return definition;
}

function assigned(definition: NodeDefinition): string[] {
  const names: string[] = [];
  layOutWidgets(definition, ({ name }) => {
    names.push(name);
    return undefined;
  });
  return names;
}

describe('the widgets of a node type', () => {
  const sampler = definitionOf('Sampler');
  const resize = definitionOf('Resize');

  it('are computed once for all its nodes, and each node gets its values', () => {
    const first = layOutWidgets(sampler, () => undefined);
    expect(layOutWidgets(sampler, () => 5n)).toBe(first);
    const names = ['seed', 'control_after_generate', 'steps', 'cfg'];
    expect([assigned(sampler), assigned(sampler)]).toEqual([names, names]);
  });

  it('are computed again when a value determines them', () => {
    const widgetsWith = (choice: string): string[] =>
      layOutWidgets(resize, ({ name }) => (name === 'how' ? choice : undefined)).widgets.map(
        ({ name }) => name,
      );
    expect(widgetsWith('size')).toEqual(['how', 'how.width', 'how.height', 'method']);
    expect(widgetsWith('factor')).toEqual(['how', 'how.by', 'method']);
    expect(widgetsWith('size')).toEqual(['how', 'how.width', 'how.height', 'method']);
  });

  it('are not made for more rows than any file has, whatever number it says', () => {
    const group = ['COMFY_DYNAMICGROUP_V3', { template: { required: { n: ['INT', {}] } } }];
    const rows = Catalog.fromDefinitions({ Rows: { input: { required: { group } }, output: [] } }).get(
      'Rows',
    );
    expect(rows && layOutWidgets(rows, () => 20_000n).widgets.length).toBe(10_001);
  });
});
