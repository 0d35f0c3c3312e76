import { describe, expect, it } from 'vitest';
import { nodePlaceInText } from '../../../src/core/workflow/promptPlaces';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

const prompt = JSON.stringify({
  1: { class_type: 'Load', inputs: {} },
  2: { class_type: 'Save', inputs: { images: ['1', 0] } },
  '2:7': { class_type: 'Show', inputs: {} },
});
const node = (id: number | string, type: string) => ({ id, type, inputs: [], outputs: [], mode: 0 });
const graph = JSON.stringify({
  nodes: [node(1, 'Load'), node(12, 'inner'), node('a:b', 'inner')],
  links: [],
  version: 0.4,
  definitions: { subgraphs: [{ id: 'inner', nodes: [node(3, 'Save'), node(1, 'Show')], links: [] }] },
});

describe('the places of nodes in a text', () => {
  const placed = (text: string) => {
    const workflow = WorkflowDocument.of(text);
    return (id: string, classType?: string) => {
      const place = nodePlaceInText(workflow, id, classType);
      return place && text.slice(place.offset, place.offset + place.length);
    };
  };

  it('are their node types, in both formats', () => {
    const [inPrompt, inGraph] = [placed(prompt), placed(graph)];
    // The page writes colons otherwise.
    const found = ['2', '2.0.7', '2_7', '9'].map((id) => inPrompt(id));
    expect(found).toEqual(['"Save"', '"Save"', '"Show"', undefined]);
    expect([inGraph('1'), inGraph('12:3'), inGraph('9')]).toEqual(['"Load"', '"Save"', undefined]);
  });

  it('are found where an ID has colons, and by the ID that a run gives a node whose own the root has', () => {
    expect([placed(graph)('12:13'), placed(graph)('12:1')]).toEqual(['"Show"', '"inner"']);
    expect([placed(graph)('a:b'), placed(graph)('a:b:3')]).toEqual(['"inner"', '"Save"']);
  });

  it('are missing when another node type has the ID', () => {
    expect([placed(prompt)('1', 'Save'), placed(graph)('12:3', 'Load')]).toEqual([undefined, undefined]);
  });
});
