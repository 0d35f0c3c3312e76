import { describe, expect, it } from 'vitest';
import {
  changeOf,
  editsOf,
  find,
  inner,
  loadedState,
  node,
  promoting,
  smallState,
  type State,
  subgraphDefinition,
  subgraphId as id,
  withSubgraph,
} from './pageState';

const other = 'aaaaaaaa-0000-4000-8000-000000000002';

const text = JSON.stringify(withSubgraph(), undefined, 2);

describe('inside a subgraph', () => {
  it('looking at it is no edit', () => {
    const { edits } = editsOf(text, (state) => {
      Object.assign(inner(state), {
        inputNode: { id: -10, bounding: [5, 5, 10, 10] },
        state: { lastNodeId: 40 },
      });
      for (const slot of inner(state).inputs) slot.pos = [7, 7];
    });
    expect(edits).toEqual([]);
  });

  it('a value and a position are the smallest edits', () => {
    const { text: after, adopted } = editsOf(text, (state) => {
      find(inner(state), 10).widgets_values = ['area', 3];
      find(inner(state), 11).pos = [1101, 50];
    });
    const expected = withSubgraph();
    find(inner(expected), 10).widgets_values = ['area', 3];
    find(inner(expected), 11).pos = [1101, 50];
    expect(after).toBe(JSON.stringify(expected, undefined, 2));
    expect(adopted).toEqual([]);
  });

  it('links keep the form of objects, and the edge its slots', () => {
    const { text: after } = editsOf(text, (state) => {
      const level = inner(state);
      level.inputs.push({ id: 'i2', name: 'second', type: 'IMAGE', linkIds: [4] });
      level.links.push({
        id: 4,
        origin_id: -10,
        origin_slot: 1,
        target_id: 11,
        target_slot: 0,
        type: 'IMAGE',
      });
      level.links = level.links.filter((link) => link.id !== 2);
      Object.assign(find(level, 11).inputs[0] ?? {}, { link: 4 });
      Object.assign(find(level, 10).outputs[0] ?? {}, { links: [] });
      find(state, 3).inputs.push({ name: 'second', type: 'IMAGE', link: null });
    });
    const level = inner(JSON.parse(after) as State);
    expect(level.inputs.map(({ name }) => name)).toEqual(['image', 'second']);
    expect(level.links.map((link) => link.id)).toEqual([1, 3, 4]);
    expect(level.links[2]).toMatchObject({ origin_id: -10, origin_slot: 1, target_id: 11, target_slot: 0 });
    expect(find(JSON.parse(after) as State, 3).inputs).toHaveLength(2);
  });

  it('rows follow an edge slot that goes', () => {
    const file = withSubgraph();
    inner(file).inputs.unshift({ id: 'i0', name: 'unused', type: 'IMAGE', linkIds: [] });
    Object.assign(inner(file).links[0] ?? {}, { origin_slot: 1 });
    const { text: after } = editsOf(JSON.stringify(file), (state) => {
      inner(state).inputs.shift();
      Object.assign(inner(state).links[0] ?? {}, { origin_slot: 0 });
    });
    expect(inner(JSON.parse(after) as State).links[0]).toMatchObject({ origin_slot: 0 });
  });

  it('a definition inside another one is found', () => {
    const file = withSubgraph();
    const nested = {
      ...inner(file),
      definitions: { subgraphs: [{ ...subgraphDefinition(), id: other, name: 'Inner' }] },
    };
    file.definitions = { subgraphs: [nested] };
    const before = loadedState(withSubgraph());
    before.definitions?.subgraphs.push({ ...structuredClone(inner(before)), id: other, name: 'Inner' });
    const { text: after, edits } = editsOf(
      JSON.stringify(file),
      (state) => (find(inner(state, 1), 10).mode = 4),
      before,
    );
    expect(edits).toHaveLength(1);
    expect(after.indexOf('"mode":4')).toBeGreaterThan(after.indexOf(other));
  });
});

describe('a subgraph', () => {
  it('is added with the node that shows it', () => {
    const { text: after } = editsOf(JSON.stringify(smallState()), (state) => {
      state.definitions = { subgraphs: [subgraphDefinition()] };
      state.nodes.push(node(4, id));
    });
    expect(inner(JSON.parse(after) as State)).toEqual(subgraphDefinition());
  });

  it('is added with one that it shows', () => {
    const both = [
      subgraphDefinition(),
      { ...subgraphDefinition(), id: other, nodes: [node(10, id)], links: [] },
    ];
    const { text: after } = editsOf(JSON.stringify(smallState()), (state) => {
      state.definitions = { subgraphs: both };
      state.nodes.push(node(4, other));
    });
    expect((JSON.parse(after) as State).definitions?.subgraphs).toEqual(both);
  });

  it('is removed with the last one', () => {
    const { text: after } = editsOf(text, (state) => {
      state.nodes = state.nodes.filter((each) => each.id !== 3);
      state.links = state.links.filter(([link]) => link !== 2);
      Object.assign(find(state, 1).outputs[0] ?? {}, { links: [1] });
      delete state.definitions;
    });
    expect(JSON.parse(after)).toMatchObject({
      definitions: { subgraphs: [] },
      nodes: [{ id: 1 }, { id: 2 }],
    });
  });
});

describe('a subgraph with promoted widgets that the page moved', () => {
  it.each<[string, (state: State) => void]>([
    [
      'a value inside',
      (state) => (find(inner(state), 11).widgets_values = ['lanczos', 18446744073709552000]),
    ],
    ['a position inside', (state) => (find(inner(state), 10).pos = [0, 0])],
    ['a move of the node that shows it', (state) => (find(state, 3).pos = [0, 0])],
  ])('stays as it is for %s', (_, edit) => {
    const { text: file, before } = promoting();
    const { adopted, text: after } = editsOf(file, edit, before);
    expect(adopted).toEqual([]);
    expect(after).toContain('proxyWidgets');
    expect(after).toContain('18446744073709551615');
  });

  it.each<[string, (state: State) => void]>([
    ['a promoted value', (state) => (find(state, 3).widgets_values = [3])],
    [
      'a node gone inside',
      (state) => {
        const level = inner(state);
        level.nodes = level.nodes.filter((each) => each.id !== 11);
        level.links = level.links.filter((link) => link.id === 1 || link.id === 9);
        Object.assign(find(level, 10).outputs[0] ?? {}, { links: [] });
        Object.assign(level.outputs[0] ?? {}, { linkIds: [] });
      },
    ],
    ['a copy of the node that shows it', (state) => state.nodes.push(node(4, id))],
  ])('is written as the page has it for %s', (_, edit) => {
    const { text: file, before } = promoting();
    const shown = structuredClone(before);
    edit(shown);
    const { adopted, text: after } = editsOf(file, edit, before);
    expect(adopted).toMatchObject([{ id, name: 'Twice' }]);
    expect(adopted[0]?.length).toBeGreaterThan(500);
    const result = JSON.parse(after) as State;
    expect(inner(result)).toEqual(inner(shown));
    expect(find(result, 3)).toEqual(find(shown, 3));
    expect(result.nodes.slice(0, 2)).toEqual(withSubgraph().nodes.slice(0, 2));
  });

  it('keeps long numbers even then', () => {
    const { text: file, before } = promoting();
    expect(editsOf(file, (state) => (find(state, 3).widgets_values = [3]), before).text).toContain(
      '18446744073709551615',
    );
  });
});

describe('a subgraph whose nodes the page numbered anew', () => {
  it('is written as the page has it once it changes', () => {
    const before = loadedState(withSubgraph());
    find(inner(before), 11).id = 41;
    for (const link of inner(before).links) {
      if (link.origin_id === 11) link.origin_id = 41;
      if (link.target_id === 11) link.target_id = 41;
    }
    expect(editsOf(text, (state) => (find(state, 1).mode = 4), before).adopted).toEqual([]);
    const change = editsOf(text, (state) => (find(inner(state), 41).mode = 4), before);
    expect(change.adopted).toMatchObject([{ id }]);
    expect(inner(JSON.parse(change.text) as State).nodes.map((each) => each.id)).toEqual([10, 41]);
  });
});

describe('a subgraph that has another id at every load', () => {
  const before = loadedState(withSubgraph());
  const file = JSON.stringify({
    ...withSubgraph(),
    definitions: { subgraphs: [{ ...subgraphDefinition(), id: 'mine' }] },
  }).replace(`"type":"${id}"`, '"type":"mine"');

  it.each<[string, (state: State) => void]>([
    ['edits inside', (state) => (find(inner(state), 10).mode = 4)],
    ['values of the node that shows it', (state) => (find(state, 3).widgets_values = [1])],
    ['copies of it', (state) => state.nodes.push(node(4, id))],
  ])('makes the file that of the page, but for what the page does not know: %s', (_, edit) => {
    const change = editsOf(file.replace('{', '{"own":1.0,'), edit, before);
    expect(change.adopted).toMatchObject([{ id, name: inner(before).name }]);
    const shown = structuredClone(before);
    edit(shown);
    const copies = (name: string, value: unknown): unknown =>
      name === 'localized_name' || name === 'widgets_values_named' ? undefined : value;
    expect(change.text).toContain('"own":1.0');
    expect(JSON.parse(change.text)).toEqual({
      own: 1,
      ...(JSON.parse(JSON.stringify(shown, copies)) as State),
    });
  });

  it('is not written where the page would lose parts of a node that it does not know', () => {
    const lost = structuredClone(before);
    lost.nodes.push(node(9, 'Lost'));
    const withLost = JSON.parse(file) as State;
    withLost.nodes.push(node(9, 'Lost'));
    const change = changeOf(JSON.stringify(withLost), (state) => (find(inner(state), 10).mode = 4), lost);
    expect(change).toMatchObject({ kind: 'refused', reason: 'randomSubgraph' });
  });

  it('lets the node that shows it move, also when the page measures the nodes inside anew', () => {
    const edit = (state: State): void => {
      find(state, 3).pos = [0, 0];
      Object.assign(find(inner(state), 10), { size: [11, 12] });
    };
    Object.assign(find(inner(before), 10), { size: [1, 2] });
    expect(editsOf(file, edit, before).edits).toHaveLength(2);
  });

  it('may have another number, too, as old group nodes do', () => {
    const renumbered = structuredClone(before);
    find(renumbered, 3).id = 30;
    renumbered.links[1] = [2, 1, 0, 30, 0, 'IMAGE'];
    const { text: written } = editsOf(file, (state) => (find(state, 30).mode = 4), renumbered);
    expect((JSON.parse(written) as State).nodes.map((each) => each.id)).toEqual([1, 2, 30]);
    expect(editsOf(file, (state) => state.nodes.pop(), renumbered).adopted).toHaveLength(1);
    const linked = editsOf(file, (state) => state.links.push([7, 30, 0, 2, 0, 'IMAGE']), renumbered);
    expect(linked.adopted).toHaveLength(1);
    expect(editsOf(file, (state) => (find(state, 1).mode = 4), renumbered).edits).toHaveLength(1);
  });
});
