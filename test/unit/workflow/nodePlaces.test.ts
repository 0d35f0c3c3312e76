import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseJson } from '../../../src/core/json/tree';
import { nodePlacesIn } from '../../../src/core/workflow/nodePlaces';

vi.mock(import('../../../src/core/json/tree'), async (original) => {
  const tree = await original();
  return { ...tree, parseJson: vi.fn(tree.parseJson) };
});

const prompt = JSON.stringify({
  1: { class_type: 'Load', inputs: {} },
  2: { class_type: 'Save', inputs: { images: ['1', 0] } },
});
const node = (id: number, type: string) => ({ id, type, inputs: [], outputs: [], mode: 0 });
const graph = JSON.stringify({
  nodes: [node(1, 'Load'), node(12, 'inner')],
  links: [],
  version: 0.4,
  definitions: { subgraphs: [{ id: 'inner', nodes: [node(3, 'Save')], links: [] }] },
});

describe('the places of nodes in a text', () => {
  beforeEach(() => {
    vi.mocked(parseJson).mockClear();
  });

  const placed = (text: string) => {
    const places = nodePlacesIn(text);
    return (id: string, classType?: string) => {
      const place = places(id, classType);
      return place && text.slice(place.offset, place.offset + place.length);
    };
  };

  it('are their node types, in both formats', () => {
    expect([placed(prompt)('2'), placed(prompt)('2.0.7'), placed(prompt)('9')]).toEqual([
      '"Save"',
      '"Save"',
      undefined,
    ]);
    expect([placed(graph)('1'), placed(graph)('12:3'), placed(graph)('9')]).toEqual([
      '"Load"',
      '"Save"',
      undefined,
    ]);
  });

  it('are none where another node type took the ID', () => {
    expect([placed(prompt)('1', 'Save'), placed(graph)('12:3', 'Load')]).toEqual([undefined, undefined]);
  });

  it.each([prompt, graph])('come from one reading of the text, however many are looked for', (text) => {
    const places = nodePlacesIn(text);
    for (let i = 0; i < 500; i++) places(String(i % 20));
    expect(vi.mocked(parseJson)).toHaveBeenCalledTimes(1);
  });
});
