import { describe, expect, it } from 'vitest';

import { graphOf, loader, promptOf, sampler } from './graphs';

const encode = { id: 2, type: 'Encode', inputs: [{ name: 'clip', type: 'CLIP', link: null }] };

function inputsOf(
  id: number,
  nodes: unknown[],
  links: unknown[],
  more: object = {},
): Record<string, unknown> {
  return promptOf(graphOf(nodes, links, more))[String(id)]?.inputs ?? {};
}

/** What feeds the inputs of the node 3, a sampler whose inputs name these links. */
function fed(links: unknown[], named: readonly (number | null)[] = [null, null]): unknown {
  const inputs = ['model', 'positive'].map((name, index) => ({ name, type: '*', link: named[index] }));
  const { model, positive, seed } = inputsOf(3, [loader, { ...encode, id: 2 }, sampler({ inputs })], links);
  return { model, positive, ...(seed === 7 ? {} : { seed }) };
}

describe('links', () => {
  it('belong to the input that names them, whatever their slot', () => {
    expect(fed([[1, 1, 0, 3, 0, '*']], [1])).toEqual({ model: ['1', 0] });
    expect(fed([[1, 1, 0, 3, 1, '*']], [1])).toEqual({ model: ['1', 0] });
    const both = [
      [1, 1, 0, 3, 1, '*'],
      [2, 2, 0, 3, 0, '*'],
    ];
    expect(fed(both, [1, 2])).toEqual({ model: ['1', 0], positive: ['2', 0] });
  });

  it('count by their slot if no input names them: sockets first, then widgets', () => {
    expect(fed([[1, 1, 0, 3, 0, '*']])).toEqual({ model: ['1', 0] });
    expect(fed([[1, 1, 0, 3, 2, '*']])).toEqual({ seed: ['1', 0] });
    expect(fed([[1, 1, 0, 3, 9, '*']])).toEqual({});
    const { model, positive } = inputsOf(3, [loader, sampler({ inputs: undefined })], [[1, 1, 0, 3, 0, '*']]);
    expect([model, positive]).toEqual([['1', 0], undefined]);
    // A list of links that the editor does not read.
    const unread = { version: undefined };
    expect(
      inputsOf(3, [loader, sampler({ inputs: undefined })], [[1, 1, 0, 3, 0, '*']], unread),
    ).not.toHaveProperty('model');
  });

  const two = [
    [1, 1, 0, 3, 0],
    [2, 1, 1, 3, 0],
  ];
  const same = two.map(([id]) => [id, 1, 0, 3, 0]);
  it.each<[string, unknown[][], (number | null)[], object]>([
    ['the first', two, [], { model: ['1', 0] }],
    ['the named one', two, [2], { model: ['1', 1] }],
    ['one of two that are the same', same, [2], { model: ['1', 0] }],
    ['the named one, even at another input', two, [null, 2], { positive: ['1', 1] }],
    ['both if both are named', two, [1, 2], { model: ['1', 0], positive: ['1', 1] }],
  ])('to one slot compete: %s counts', (_, links, named, expected) => {
    expect(fed(links, named)).toEqual(expected);
  });

  it('of another input connect an input, too, unless a link ends there', () => {
    const other = [[1, 1, 0, 2, 0, 'CLIP']];
    expect(fed(other, [1])).toEqual({ model: ['1', 0] });
    expect(fed([[1, 1, 0, 3, 0, '*']], [1, 1])).toEqual({ model: ['1', 0], positive: ['1', 0] });
    expect(fed([...other, [2, 1, 1, 3, 0, '*']], [1])).toEqual({ model: ['1', 1] });
    expect(fed([], [1])).toEqual({});
    // The link belongs to the input where it ends, so the other one gives way.
    const own = [
      [1, 1, 0, 3, 1, '*'],
      [2, 1, 1, 3, 0, '*'],
    ];
    expect(fed(own, [1, 1])).toEqual({ model: ['1', 1], positive: ['1', 0] });
  });

  it('with one ID are told apart by their ends', () => {
    const links = [
      [1, 1, 0, 3, 0, '*'],
      [1, 2, 0, 3, 1, '*'],
    ];
    expect(fed(links, [1, 1])).toEqual({ model: ['1', 0], positive: ['2', 0] });
    const apart = [
      [1, 1, 1, 2, 0, '*'],
      [1, 1, 0, 3, 0, '*'],
    ];
    expect(fed(apart, [1])).toEqual({ model: ['1', 0] });
  });

  it('may have slots and nodes as texts', () => {
    const text = { ...loader, id: '1_2' };
    const links = [[1, '1_2', '1', '3', '0', 'MODEL']];
    expect(inputsOf(3, [text, sampler()], links).model).toEqual(['1_2', 1]);
  });

  it('count at a reroute without slots', () => {
    const links = [
      [4, 1, 0, 4, 0, '*'],
      [1, 4, 0, 3, 0, '*'],
    ];
    expect(inputsOf(3, [loader, { id: 4, type: 'Reroute' }, sampler()], links).model).toEqual(['1', 0]);
  });

  it('into an option that a dynamic combo no longer has are dropped', () => {
    const count = { id: 4, type: 'Count' };
    const inputs = [{ name: 'how.x', type: 'INT', link: 1 }];
    const named = { id: 3, type: 'Resize', inputs, widgets_values: ['gone'] };
    expect(inputsOf(3, [count, named], [[1, 4, 0, 3, 0, 'INT']])).toEqual({ how: 'gone', method: 'near' });
  });

  it('of a primitive are those of the list', () => {
    const outputs = [{ type: 'INT', links: [8] }];
    const primitive = { id: 4, type: 'PrimitiveNode', widgets_values: [99, 'fixed'], outputs };
    const link = [[5, 4, 0, 3, 2, 'INT']];
    expect(inputsOf(3, [primitive, sampler({ inputs: [] })], link).seed).toBe(99);
    const other = { ...primitive, outputs: [{ type: 'FLOAT' }] };
    expect(inputsOf(3, [other, sampler({ inputs: [] })], link).seed).toBe(7);
  });
});

describe('links of subgraphs', () => {
  const definition = (rows: object[], outputs: object[]): object => ({
    id: 'part',
    nodes: [loader, { ...loader, id: 2 }],
    links: rows.map((row, index) => ({
      id: index + 1,
      origin_slot: 0,
      target_id: -20,
      target_slot: 0,
      ...row,
    })),
    inputs: [],
    outputs,
  });
  const modelOf = (rows: object[], outputs: object[]): unknown => {
    const more = { definitions: { subgraphs: [definition(rows, outputs)] } };
    return inputsOf(3, [{ id: 7, type: 'part', outputs: [{}] }, sampler()], [[1, 7, 0, 3, 0, '*']], more)
      .model;
  };

  it('lead to an output that lists one of them, from the first row', () => {
    const rows = [{ origin_id: 1 }, { origin_id: 2 }];
    expect(modelOf(rows, [{ name: 'MODEL', linkIds: [2, 1] }])).toEqual(['7:1', 0]);
    expect(modelOf(rows, [{ name: 'MODEL', linkIds: [2] }])).toEqual(['7:1', 0]);
    expect(modelOf(rows, [{ name: 'MODEL', linkIds: [99, 2] }])).toEqual(['7:1', 0]);
    expect(modelOf(rows, [{ name: 'MODEL', linkIds: [99] }])).toBeUndefined();
    expect(modelOf(rows, [{ name: 'MODEL' }])).toBeUndefined();
  });
});

describe('nodes with one ID', () => {
  const later = { ...loader, widgets_values: ['a.safetensors'] };

  it('both run in the root: the later one without links, and with the next ID', () => {
    const prompt = promptOf(graphOf([loader, later, sampler()]));
    expect(Object.keys(prompt)).toEqual(['1', '3', '10']);
    expect(prompt['10']?.inputs).toEqual({ name: 'a.safetensors' });
    expect(prompt['3']?.inputs.model).toEqual(['1', 0]);
    const [first, second] = [sampler(), sampler({ widgets_values: [8] })];
    expect(inputsOf(10, [loader, first, second], [[1, 1, 0, 3, 0, 'MODEL']])).toEqual({
      seed: 8,
      steps: 20,
      cfg: 8,
    });
  });

  it('or subgraphs with one: the first is meant', () => {
    const parts = ['b', 'a'].map((name) => {
      const inner = { ...loader, widgets_values: [`${name}.safetensors`] };
      return { id: 'part', nodes: [inner, later], links: [], inputs: [], outputs: [] };
    });
    const graph = graphOf([{ id: 7, type: 'part' }], [], { definitions: { subgraphs: parts } });
    expect(promptOf(graph)).toEqual({
      '7:1': expect.objectContaining({ inputs: { name: 'b.safetensors' } }) as unknown,
    });
  });
});
