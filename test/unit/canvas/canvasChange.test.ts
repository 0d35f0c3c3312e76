import { describe, expect, it } from 'vitest';
import { canvasChange } from '../../../src/core/canvas/canvasChange';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import {
  changeOf,
  connect,
  disconnect,
  editsOf,
  find,
  type Group,
  lineChanges,
  loadedState,
  node,
  remove,
  smallState,
  type State,
} from './pageState';

const indented = JSON.stringify(smallState(), undefined, 2);
const minified = JSON.stringify(smallState());

/** What an edit writes: the replaced text and the new one. */
function written(text: string, edit: (state: State) => void): string[] {
  return editsOf(text, edit).edits.map(
    ({ offset, length, newText }) => `${text.slice(offset, offset + length)} => ${newText}`,
  );
}

describe('what is not an edit', () => {
  const looks: Readonly<Record<string, (state: State) => void>> = {
    'the view': (state) => (state.extra.ds = { scale: 2, offset: [9, 9] }),
    'the order of nodes and rows': (state) => {
      state.nodes.reverse();
      state.links.reverse();
      find(state, 1).order = 7;
    },
    'the order of the links of an output': (state) => find(state, 1).outputs[0]?.links?.reverse(),
    'names in another language': (state) => {
      for (const slot of find(state, 1).outputs) slot.localized_name = '图像';
    },
    'a second copy of values': (state) => (find(state, 1).widgets_values_named = {}),
    'what packs leave': (state) => (state.extensions = { models: [] }),
  };
  for (const [name, look] of Object.entries(looks)) {
    it(name, () => {
      expect(changeOf(indented, look)).toEqual({ kind: 'edits', edits: [], text: indented, adopted: [] });
    });
  }
});

describe('a node', () => {
  it.each<[string, (state: State) => void, string[]]>([
    ['a number', (state) => ((find(state, 1).widgets_values ?? [])[0] = 640), ['512 => 640']],
    [
      'a text',
      (state) => ((find(state, 2).widgets_values ?? [])[0] = 'a "b"\n'),
      ['"out" => "a \\"b\\"\\n"'],
    ],
    ['a toggle', (state) => ((find(state, 1).widgets_values ?? [])[2] = false), ['true => false']],
    ['a position', (state) => (find(state, 2).pos = [205, 51]), ['200 => 205', '50 => 51']],
    ['a size', (state) => (find(state, 2).size = [300, 80]), ['210 => 300']],
    ['a mode', (state) => (find(state, 3).mode = 4), ['0 => 4']],
    ['a title', (state) => (find(state, 3).title = 'Big'), [' => ,"title":"Big"']],
    ['collapsed', (state) => (find(state, 3).flags = { collapsed: true }), [' => "collapsed":true']],
    [
      'colors',
      (state) => Object.assign(find(state, 1), { color: '#223', bgcolor: '#335' }),
      [' => ,"color":"#223","bgcolor":"#335"'],
    ],
    ['a property', (state) => (find(state, 1).properties.ver = '1.2'), [' => ,"ver":"1.2"']],
    [
      'a property that is called as what is noise elsewhere',
      (state) => (find(state, 1).properties.order = 5),
      [' => ,"order":5'],
    ],
  ])('%s', (_, edit, expected) => {
    const found = written(minified, edit);
    expect(found.map((each) => each.replace('": ', '":'))).toEqual(expected);
  });

  it('takes a member away that the page has no more', () => {
    const file = smallState();
    find(file, 2).color = '#223';
    const text = JSON.stringify(file, undefined, 2);
    const { text: after } = editsOf(text, (state) => delete find(state, 2).color);
    expect(JSON.parse(after)).toEqual(smallState());
  });

  it('is added at the end, laid out like the others, without what the page repeats', () => {
    const add = (state: State): void => {
      state.last_node_id = 4;
      state.nodes.push(
        node(4, 'MakeImage', {
          outputs: [{ name: 'IMAGE', type: 'IMAGE', localized_name: '图像', links: null }],
          widgets_values: [1, 'x', false],
          widgets_values_named: { w0: 1 },
        }),
      );
    };
    const expected = smallState();
    expected.last_node_id = 4;
    const added = node(4, 'MakeImage', { outputs: [{ name: 'IMAGE', type: 'IMAGE', links: null }] });
    expected.nodes.push({ ...added, widgets_values: [1, 'x', false] });
    expect(editsOf(indented, add).text).toBe(JSON.stringify(expected, undefined, 2));
    expect(editsOf(minified, add).text).toBe(JSON.stringify(expected));
    const tabs = JSON.stringify(smallState(), undefined, '\t').replaceAll('\n', '\r\n');
    expect(editsOf(tabs, add).text).toBe(JSON.stringify(expected, undefined, '\t').replaceAll('\n', '\r\n'));
  });

  it('is laid out on one line where the others are', () => {
    const rows = smallState().nodes.map((each) => `    ${JSON.stringify(each)}`);
    const mixed = `{\n  "last_node_id": 3,\n  "nodes": [\n${rows.join(',\n')}\n  ],\n  "links": [],\n  "version": 0.4\n}`;
    const { text } = editsOf(mixed, (state) => state.nodes.push(node(9, 'MakeImage')), {
      ...loadedState(smallState()),
      links: [],
    });
    expect(lineChanges(mixed, text).at(-1)).toBe(`+ ${JSON.stringify(node(9, 'MakeImage'))}`);
  });

  it('is removed with its links', () => {
    const { text, edits } = editsOf(indented, (state) => {
      remove(state, 3);
    });
    const expected = smallState();
    remove(expected, 3);
    expect(text).toBe(JSON.stringify(expected, undefined, 2));
    expect(edits).toHaveLength(3);
  });

  it('can be the last one to go', () => {
    const { text } = editsOf(indented, (state) => {
      for (const id of [1, 2, 3]) remove(state, id);
    });
    expect(JSON.parse(text)).toMatchObject({ nodes: [], links: [] });
  });

  it('is written anew if it becomes another type', () => {
    const { text } = editsOf(indented, (state) =>
      Object.assign(find(state, 2), node(2, 'SaveImage', find(state, 2)), { type: 'SaveImage' }),
    );
    expect((JSON.parse(text) as State).nodes[1]?.type).toBe('SaveImage');
  });
});

describe('values', () => {
  const values = (file: unknown, loaded: unknown[], shown: unknown[]): unknown => {
    const state = smallState();
    const text = JSON.stringify(state).replace('[512,"sharp",true]', JSON.stringify(file));
    const before = loadedState(smallState());
    find(before, 1).widgets_values = loaded;
    const { text: after } = editsOf(text, (each) => (find(each, 1).widgets_values = shown), before);
    return (JSON.parse(after) as State).nodes[0]?.widgets_values;
  };

  it('of other entries stay as the file has them', () => {
    expect(values([true, 'x', 8], ['randomize', 'x', 8], ['randomize', 'x', 9])).toEqual([true, 'x', 9]);
  });

  it('are all replaced if the file has others at that place, or fewer', () => {
    expect(values([1, 'x'], [1, 'fixed', 'x'], [1, 'fixed', 'y'])).toEqual([1, 'fixed', 'y']);
    expect(values([], [1, 2], [1, 3])).toEqual([1, 3]);
    expect(values([1, 5, 2], [1, 2], [1, 3])).toEqual([1, 3]);
  });

  it('by name keep their form', () => {
    const text = minified.replace('[512,"sharp",true]', '{"width":512,"kept":1}');
    const before = loadedState(smallState());
    const named = before as unknown as { nodes: { widgets_values: unknown }[] };
    Object.assign(named.nodes[0] ?? {}, { widgets_values: { width: 512, more: 2 } });
    const { text: after } = editsOf(
      text,
      (state) => Object.assign(find(state, 1).widgets_values ?? {}, { width: 600 }),
      before,
    );
    expect(after).toBe(text.replace('"width":512', '"width":600'));
  });

  it('are changed in both copies if the file has both', () => {
    const file = smallState();
    find(file, 1).widgets_values_named = { w0: 512, w1: 'sharp', w2: true };
    const { edits } = editsOf(JSON.stringify(file), (state) => {
      Object.assign(find(state, 1), {
        widgets_values: [640, 'sharp', true],
        widgets_values_named: { w0: 640, w1: 'sharp', w2: true },
      });
    });
    expect(edits.map(({ newText }) => newText)).toEqual(['640', '640']);
  });

  it('keep digits that the page has lost', () => {
    const text = minified.replace('[512,"sharp",true]', '[18446744073709551615,1.50,0]');
    const before = loadedState(smallState());
    find(before, 1).widgets_values = [18446744073709552000, 1.5, 0];
    const { text: after } = editsOf(
      text,
      (state) => (find(state, 1).widgets_values = [18446744073709552000, 1.5, 0, 7]),
      before,
    );
    expect(after).toBe(text.replace('1.50,0]', '1.50,0,7]'));
  });
});

describe('positions', () => {
  it('keep the form of an object', () => {
    const text = minified.replace('"pos":[200,50]', '"pos":{"0":200,"1":50}');
    const { text: after } = editsOf(
      text,
      (state) => (find(state, 2).pos = [201, 50]),
      loadedState(smallState()),
    );
    expect(after).toBe(text.replace('"0":200', '"0":201'));
  });
});

describe('links', () => {
  it('take the slot of the file, where the page has another', () => {
    const { text } = editsOf(indented, (state) => {
      find(state, 3).inputs.reverse();
      const slot = find(state, 3).inputs.findIndex(({ name }) => name === 'mask');
      connect(state, [3, 1, 0, 3, slot, 'IMAGE'], ['IMAGE', 'mask']);
    });
    const { links, nodes, last_link_id } = JSON.parse(text) as State;
    expect(links.at(-1)).toEqual([3, 1, 0, 3, 1, 'IMAGE']);
    expect(nodes[2]?.inputs.map(({ link }) => link)).toEqual([2, 3]);
    expect(nodes[0]?.outputs[0]?.links).toEqual([1, 2, 3]);
    expect(last_link_id).toBe(3);
  });

  it('at a widget add its socket', () => {
    const { text } = editsOf(minified, (state) => {
      connect(state, [3, 1, 0, 2, 1, 'IMAGE'], ['IMAGE', 'w0']);
    });
    const [, show] = (JSON.parse(text) as State).nodes;
    expect(show?.inputs).toEqual([
      { name: 'images', type: 'IMAGE', link: 1 },
      { name: 'w0', type: 'ANY', link: 3, widget: { name: 'w0' } },
    ]);
  });

  it('from an output that the file lacks add those before it, too', () => {
    const before = loadedState(smallState());
    find(before, 2).outputs = ['a', 'b', 'c'].map((name) => ({ name, type: 'IMAGE', links: null }));
    const { text } = editsOf(
      minified,
      (state) => {
        connect(state, [3, 2, 1, 3, 1, 'IMAGE'], ['b', 'mask']);
      },
      before,
    );
    const { nodes, links } = JSON.parse(text) as State;
    expect(nodes[1]?.outputs.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(links.at(-1)).toEqual([3, 2, 1, 3, 1, 'IMAGE']);
  });

  it('are removed with both ends', () => {
    const { text } = editsOf(indented, (state) => {
      disconnect(state, 1);
    });
    const expected = smallState();
    disconnect(expected, 1);
    expect(text).toBe(JSON.stringify(expected, undefined, 2));
  });

  it('find an output by its place if the page gives it another name', () => {
    const text = minified.replace('"outputs":[{"name":"IMAGE"', '"outputs":[{"name":"value"');
    const { text: after } = editsOf(
      text,
      (state) => {
        connect(state, [3, 1, 0, 3, 1, 'IMAGE'], ['IMAGE', 'mask']);
      },
      loadedState(smallState()),
    );
    expect((JSON.parse(after) as State).nodes[0]?.outputs).toEqual([
      { name: 'value', type: 'IMAGE', links: [1, 2, 3] },
    ]);
  });

  it('follow a slot that goes', () => {
    const file = smallState();
    find(file, 3).inputs.reverse();
    file.links = [
      [1, 1, 0, 2, 0, 'IMAGE'],
      [2, 1, 0, 3, 1, 'IMAGE'],
    ];
    const { text } = editsOf(JSON.stringify(file), (state) => {
      find(state, 3).inputs.shift();
      state.links[1] = [2, 1, 0, 3, 0, 'IMAGE'];
    });
    expect((JSON.parse(text) as State).links[1]).toEqual([2, 1, 0, 3, 0, 'IMAGE']);
  });

  it('are refused where the file has them in another form', () => {
    const file = {
      ...smallState(),
      links: [{ id: 1, origin_id: 1, origin_slot: 0, target_id: 2, target_slot: 0, type: 'IMAGE' }],
    };
    const edit = (state: State): void => {
      connect(state, [3, 1, 0, 3, 1, 'IMAGE'], ['IMAGE', 'mask']);
    };
    expect(changeOf(JSON.stringify(file), edit, loadedState(smallState()))).toMatchObject({
      reason: 'otherForm',
    });
    const unversioned = minified.replace(',"version":0.4', ',"version":"4"');
    expect(changeOf(unversioned, edit)).toMatchObject({ reason: 'otherForm' });
  });
});

describe('groups and reroutes', () => {
  const group: Group = { title: 'All', bounding: [0, 0, 300, 200] };
  const grouped = JSON.stringify({ ...smallState(), groups: [group] });

  it('change without the id that the file lacks', () => {
    expect(
      written(grouped, (state) =>
        Object.assign(state.groups[0] ?? {}, { title: 'Some', bounding: [5, 0, 300, 200] }),
      ),
    ).toEqual(['"All" => "Some"', '0 => 5']);
  });

  it('are added and removed', () => {
    const { text } = editsOf(grouped, (state) => {
      state.groups = [{ id: 2, title: 'New', bounding: [1, 2, 3, 4] }];
    });
    expect((JSON.parse(text) as State).groups).toEqual([{ title: 'New', bounding: [1, 2, 3, 4] }]);
  });

  it('add all that an empty object needs in one edit', () => {
    const { text, edits } = editsOf(indented, (state) => {
      state.extra.reroutes = [{ id: 1, pos: [5, 5], linkIds: [1] }];
      state.extra.linkExtensions = [{ id: 1, parentId: 1 }];
    });
    expect(edits).toHaveLength(1);
    expect((JSON.parse(text) as State).extra).toEqual({
      reroutes: [{ id: 1, pos: [5, 5], linkIds: [1] }],
      linkExtensions: [{ id: 1, parentId: 1 }],
    });
  });

  it('move by id', () => {
    const file = smallState();
    file.extra.reroutes = [
      { id: 1, pos: [5, 5], linkIds: [1] },
      { id: 2, pos: [8, 8], linkIds: [2, 1] },
    ];
    const { text } = editsOf(JSON.stringify(file), (state) => {
      state.extra.reroutes = [{ id: 2, pos: [9, 8], linkIds: [1] }];
    });
    expect((JSON.parse(text) as State).extra.reroutes).toEqual([{ id: 2, pos: [9, 8], linkIds: [1] }]);
  });
});

describe('what stays', () => {
  it('are comments of people, unknown members, and the form of numbers', () => {
    const text = indented
      .replace('"mode": 0,', '"mode":   0, "_note": {"a": 1e3},')
      .replace('"version": 0.4', '"version": 0.4, "mine": [18446744073709551615, 1.0]');
    const { text: after } = editsOf(text, (state) => (find(state, 1).mode = 2), loadedState(smallState()));
    expect(after).toBe(text.replace('"mode":   0', '"mode":   2'));
  });
});

describe('nodes of unknown types', () => {
  const lost = smallState();
  find(lost, 3).type = 'LostNode';
  const text = JSON.stringify(lost);

  it('are moved, muted, bypassed, and deleted', () => {
    expect(written(text, (state) => Object.assign(find(state, 3), { pos: [1, 2], mode: 2 }))).toHaveLength(3);
    const { text: after } = editsOf(text, (state) => {
      remove(state, 3);
    });
    expect((JSON.parse(after) as State).nodes).toHaveLength(2);
  });

  it.each<[string, (state: State) => void]>([
    ['another value', (state) => (find(state, 3).widgets_values = [9])],
    ['a title', (state) => (find(state, 3).title = 'x')],
    ['a cut link', (state) => (state.links = state.links.filter(([id]) => id !== 2))],
    ['a new link', (state) => state.links.push([7, 1, 0, 3, 1, 'MASK'])],
    [
      'its neighbor gone',
      (state) => {
        remove(state, 1);
      },
    ],
    ['a copy', (state) => state.nodes.push(node(8, 'LostNode'))],
  ])('are left alone otherwise: %s', (_, edit) => {
    expect(changeOf(text, edit)).toMatchObject({ kind: 'refused', reason: 'unknownType' });
  });
});

describe('what is not written', () => {
  it('is a file that is no graph', () => {
    const known = (): boolean => true;
    const [state, api] = [JSON.stringify(smallState()), '{"1":{"class_type":"A","inputs":{}}}'];
    for (const text of ['', '{', '[]', api, indented.replace(',', '')]) {
      expect(canvasChange(WorkflowDocument.of(text), state, state, known)).toMatchObject({
        reason: 'notGraph',
      });
    }
    for (const shown of ['', '[]', '{}', 'null']) {
      expect(canvasChange(WorkflowDocument.of(indented), state, shown, known)).toMatchObject({
        reason: 'notState',
      });
    }
  });

  it('is an edit of a page that lost nodes', () => {
    const before = loadedState(smallState());
    before.nodes.pop();
    expect(changeOf(indented, (state) => (find(state, 1).mode = 2), before)).toMatchObject({
      reason: 'lostNodes',
    });
  });

  it('is an edit of a node that the page numbers otherwise', () => {
    const before = loadedState(smallState());
    Object.assign(find(before, 3), { id: 30, pos: [7, 7] });
    expect(changeOf(indented, (state) => (find(state, 30).mode = 2), before)).toMatchObject({
      reason: 'otherIds',
      id: '30',
    });
    expect(changeOf(indented, (state) => (find(state, 1).mode = 2), before)).toMatchObject({ kind: 'edits' });
  });

  it('is an edit of a node whose ID is in the file twice', () => {
    const file = smallState();
    file.nodes.push(node(3, 'MakeImage'));
    // The page numbers the second one anew.
    const once = loadedState(smallState());
    once.nodes.push(node(4, 'MakeImage'));
    for (const edit of [
      (state: State) => (find(state, 3).mode = 2),
      (state: State) => {
        remove(state, 3);
      },
    ])
      expect(changeOf(JSON.stringify(file), edit, once)).toMatchObject({ reason: 'otherIds', id: '3' });
  });
});
