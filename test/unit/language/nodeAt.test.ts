import { describe, expect, it } from 'vitest';
import { nodeAt } from '../../../src/core/language/places/nodeAt';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { smallGraph } from '../../support/graphFile';
import { smallPrompt } from '../../support/promptFile';

function at(value: object, text: string) {
  const file = JSON.stringify(value, null, 2);
  return nodeAt(WorkflowDocument.of(file), file.indexOf(text));
}

describe('the node at an offset', () => {
  it('is the one of a prompt that has its ID, type or values there', () => {
    const node = { id: '5', subgraph: undefined };
    expect(at(smallPrompt(), '"KSampler"')).toEqual(node);
    expect(at(smallPrompt(), '"sampler_name"')).toEqual(node);
    expect(at(smallPrompt(), '"5": {')).toEqual(node);
    const titled = { '5': { class_type: 'A', inputs: {}, _meta: { title: 'B', more: [1] } } };
    for (const part of ['"_meta"', '"title"', '"B"', '1', '}\n}']) expect(at(titled, part)).toEqual(node);
    expect(at(titled, '{')).toBeUndefined();
  });

  it('is the one of a graph, at a link the one that it leads to, and elsewhere none', () => {
    expect(at(smallGraph(), '"SaveImage"')).toEqual({ id: '2', subgraph: undefined });
    const file = JSON.stringify(smallGraph());
    const link = file.indexOf('[1,1,0,2,0') + 1;
    expect(nodeAt(WorkflowDocument.of(file), link)).toEqual({ id: '2', subgraph: undefined });
    expect(at(smallGraph(), '"version"')).toBeUndefined();
  });

  it('is known with its subgraph, as in drawings and runs where the root has its ID', () => {
    const inner = { id: 7, type: 'VAEDecode' };
    const taken = { id: 1, type: 'VAEEncode' };
    const subgraph = { id: 'abc', name: 'Part', nodes: [inner, taken], links: [], inputs: [], outputs: [] };
    const graph = { ...smallGraph(), definitions: { subgraphs: [subgraph] } };
    expect(at(graph, '"VAEDecode"')).toEqual({ id: '7', subgraph: 'abc' });
    expect(at(graph, '"VAEEncode"')).toEqual({ id: '8', subgraph: 'abc' });
  });
});
