import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { expect, it } from 'vitest';
import { classTypePlaces } from '../../../src/core/workflow/classTypePlaces';

function places(data: unknown): [string, string | undefined][] {
  const text = JSON.stringify(data);
  return classTypePlaces(WorkflowDocument.of(text)).map(({ classType, node, pack }) => {
    expect(text.slice(node.offset, node.offset + node.length)).toBe(JSON.stringify(classType));
    return [classType, pack];
  });
}

const slots = { inputs: [], outputs: [{ name: 'o', type: 'IMAGE', links: [] }] };

it('finds the node types of a prompt, wrapped or not', () => {
  const prompt = { '1': { class_type: 'A', inputs: {} }, '2': { class_type: 7, inputs: {} } };
  expect(places(prompt)).toEqual([['A', undefined]]);
  expect(places({ prompt })).toEqual([['A', undefined]]);
});

it('finds those of a graph that a server needs, inside subgraphs and group nodes too, with their packs', () => {
  const subgraph = '7b34ab90-36f9-45ba-a665-71d418f0df18';
  const node = (id: number, type: string, properties: object = {}) => ({ id, type, ...slots, properties });
  const graph = {
    last_node_id: 9,
    version: 0.4,
    links: [],
    nodes: [
      node(1, 'A', { cnr_id: 'Pack_A' }),
      node(2, 'Core', { cnr_id: 'comfy-core' }),
      node(3, 'Reroute'),
      node(4, subgraph),
      node(5, 'workflow/Group'),
      { id: 6, type: 'Note' },
      { id: 7, type: 'SomeLabel' },
      node(8, 'SetNode', { cnr_id: 'comfyui-kjnodes' }),
    ],
    definitions: {
      subgraphs: [{ id: subgraph, name: 'S', nodes: [node(1, 'B')], links: [], inputs: [], outputs: [] }],
    },
    extra: { groupNodes: { Group: { nodes: [{ ...node(0, 'C'), index: 0 }], links: [], external: [] } } },
  };
  expect(places(graph)).toEqual([
    ['A', 'Pack_A'],
    ['Core', 'comfy-core'],
    ['B', undefined],
    ['C', undefined],
  ]);
});

it('finds packs and repositories in the _meta of a prompt', () => {
  const node = (_meta: unknown) => ({ class_type: 'A', inputs: {}, _meta });
  const prompt = {
    '1': node({ title: 'x', cnr_id: 'a-pack' }),
    '2': node({ aux_id: 'owner/name' }),
    '3': node({ aux_id: 'name/' }),
    '4': node('x'),
  };
  const found = classTypePlaces(WorkflowDocument.of(JSON.stringify(prompt)));
  expect(found.map(({ pack, repository }) => [pack, repository])).toEqual([
    ['a-pack', undefined],
    [undefined, 'owner/name'],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

it('finds none in other files', () => {
  expect(places({})).toEqual([]);
  expect(places([1])).toEqual([]);
  expect(places({ A: { input: {}, output: [], category: '' } })).toEqual([]);
});

it('finds the repositories of packs that are not in the registry', () => {
  const node = (id: number, aux_id: unknown) => ({ id, type: `T${id}`, ...slots, properties: { aux_id } });
  const nodes = [node(1, 'owner/pack.name'), node(2, 'https://example.org/x'), node(3, '../..'), node(4, 7)];
  const text = JSON.stringify({ version: 0.4, last_node_id: 4, links: [], nodes });
  expect(classTypePlaces(WorkflowDocument.of(text)).map(({ repository }) => repository)).toEqual([
    'owner/pack.name',
    undefined,
    undefined,
    undefined,
  ]);
});
