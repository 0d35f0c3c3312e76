import { describe, expect, it } from 'vitest';
import { importedPrompt, promptChange } from '../../../src/core/canvas/promptChange';
import { Catalog } from '../../../src/core/catalog/catalog';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { connect, disconnect, find, loadedState, node, remove, type State } from './pageState';

const catalog = Catalog.fromDefinitions({
  MakeImage: {
    input: { required: { width: ['INT', {}], name: ['STRING', {}] } },
    input_order: { required: ['width', 'name'] },
    output: ['IMAGE'],
    output_name: ['IMAGE'],
  },
  SaveImage: {
    input: { required: { images: ['IMAGE'], filename_prefix: ['STRING', {}] } },
    input_order: { required: ['images', 'filename_prefix'] },
    output: [],
    output_name: [],
    output_node: true,
  },
});

const file = `{
  "1": {"inputs": {"width": 18446744073709551615, "name": "a"}, "class_type": "MakeImage", "own": 1.0},
  "2:7": {
    "inputs": {"filename_prefix": "%MakeImage.width%_%date:yyyy%", "images": ["1", 0]},
    "class_type": "SaveImage",
    "_meta": {"title": "Save"}
  },
  "3": {"inputs": {"x": 1}, "class_type": "Lost"}
}
`;

/** The tests' nodes have numbers. */
const saveId = '2_7' as unknown as number;
const image = { name: 'IMAGE', type: 'IMAGE' };

/** As the page loads the file: IDs without colons, values at the page's precision, and positions of its own. */
function loaded(): State {
  return {
    ...loadedState({ nodes: [], links: [], groups: [], version: 0.4, extra: {} } as unknown as State),
    last_node_id: 3,
    last_link_id: 1,
    nodes: [
      node(1, 'MakeImage', {
        outputs: [{ ...image, links: [1] }],
        widgets_values: [18446744073709552000, 'a'],
      }),
      node(saveId, 'SaveImage', {
        title: 'Save',
        inputs: [{ name: 'images', type: 'IMAGE', link: 1 }],
        widgets_values: ['%MakeImage.width%_%date:yyyy%'],
      }),
    ],
    links: [[1, 1, 0, saveId, 0, 'IMAGE']],
  };
}

function changed(edit: (state: State) => void) {
  const after = loaded();
  edit(after);
  const states = [JSON.stringify(loaded()), JSON.stringify(after)] as const;
  return promptChange(WorkflowDocument.of(file), ...states, catalog);
}

/** What an edit writes: the replaced text and the new one. */
function written(edit: (state: State) => void): string[] {
  const change = changed(edit);
  if (change.kind === 'refused') return [change.reason];
  return change.edits.map(
    ({ offset, length, newText }) => `${file.slice(offset, offset + length)} => ${newText}`,
  );
}

const save = (state: State) => find(state, saveId);

describe('a file in API format', () => {
  it.each<[string, (state: State) => void, string[]]>([
    ['a value', (state) => ((find(state, 1).widgets_values ?? [])[1] = 'b'), ['"a" => "b"']],
    [
      'a value that a file name contains',
      (state) => ((find(state, 1).widgets_values ?? [])[0] = 5),
      ['18446744073709551615 => 5'],
    ],
    [
      'a file name as it is written',
      (state) => (save(state).widgets_values = ['%date:yyyy%']),
      ['"%MakeImage.width%_%date:yyyy%" => "%date:yyyy%"'],
    ],
    ['a title', (state) => (save(state).title = 'Big'), ['"Save" => "Big"']],
    ['a first title', (state) => (find(state, 1).title = 'Made'), [' => , "_meta": {"title": "Made"}']],
    ['a removed link', (state) => disconnect(state, 1), [', "images": ["1", 0] => ']],
    [
      'a node and its links',
      (state) => {
        const made = node(4, 'MakeImage', { outputs: [{ ...image, links: null }], widgets_values: [8, 'n'] });
        state.nodes.push(made);
        disconnect(state, 1);
        connect(state, [2, 4, 0, saveId, 0, 'IMAGE'], ['IMAGE', 'images']);
      },
      [
        '"1" => "4"',
        ' => ,\n  "4": {\n    "inputs": {\n      "width": 8,\n      "name": "n"\n    },\n    "class_type": "MakeImage",\n    "_meta": {\n      "title": "MakeImage"\n    }\n  }',
      ],
    ],
  ])('gets %s', (_, edit, expected) => {
    expect(written(edit)).toEqual(expected);
  });

  it('loses nodes that the page has deleted, but none that it could not load', () => {
    const change = changed((state) => remove(state, 1));
    expect(change.kind === 'edits' && (JSON.parse(change.text) as object)).toEqual({
      '2:7': {
        inputs: { filename_prefix: '%MakeImage.width%_%date:yyyy%' },
        class_type: 'SaveImage',
        _meta: { title: 'Save' },
      },
      3: { inputs: { x: 1 }, class_type: 'Lost' },
    });
  });

  it('stays as it is when nodes move, are muted or bypassed, or get groups and notes', () => {
    const edits = written((state) => {
      find(state, 1).pos = [5, 5];
      find(state, 1).mode = 2;
      save(state).mode = 4;
      state.groups.push({ id: 1, title: 'Group', bounding: [0, 0, 9, 9] });
      state.nodes.push(node(9, 'Note', { widgets_values: ['Remember'] }));
    });
    expect(edits).toEqual([]);
  });

  it('gets the seed that a run has rolled once the user fixes it', () => {
    const seeds = '{"1": {"inputs": {"seed": 5, "noise_seed": 6}, "class_type": "Noise"}}';
    const definitions = Catalog.fromDefinitions({
      Noise: {
        input: {
          required: {
            seed: ['INT', { control_after_generate: true }],
            noise_seed: ['INT', { control_after_generate: true }],
          },
        },
        input_order: { required: ['seed', 'noise_seed'] },
        output: [],
        output_node: true,
      },
    });
    const [before, after] = ['randomize', 'fixed'].map((control) => {
      const values = [77, control, 78, 'increment'];
      const named = { seed: 77, control_after_generate: control, noise_seed: 78 };
      const nodes = [node(1, 'Noise', { widgets_values: values, widgets_values_named: named })];
      return JSON.stringify({ ...loaded(), nodes, links: [] });
    });
    const change = promptChange(WorkflowDocument.of(seeds), String(before), String(after), definitions);
    expect(change).toMatchObject({ kind: 'edits', text: seeds.replace('5', '77') });
  });

  it('keeps all of the nodes that are put into a subgraph, under their new IDs', () => {
    const definition = '22222222-2222-4222-8222-222222222222';
    const change = changed((state) => {
      const [made] = state.nodes.splice(0, 1, node(9, definition, { outputs: [{ ...image, links: [1] }] }));
      const link = { id: 1, origin_id: 1, origin_slot: 0, target_id: -20, target_slot: 0, type: 'IMAGE' };
      const edge = { linkIds: [1], id: 'out', ...image };
      Object.assign(state, {
        definitions: {
          subgraphs: [
            {
              id: definition,
              name: 'Inside',
              version: 1,
              nodes: [made],
              links: [link],
              groups: [],
              inputs: [],
              outputs: [edge],
              inputNode: { id: -10 },
              outputNode: { id: -20 },
            },
          ],
        },
      });
      state.links = [[1, 9, 0, saveId, 0, 'IMAGE']];
    });
    expect(change).toMatchObject({ text: file.replace('"1": {', '"9:1": {').replace('["1"', '["9:1"') });
  });

  it('gets no copy of a node whose values the page could not show', () => {
    const edits = written((state) => {
      state.nodes.push(node(9, 'Lost', { inputs: [{ name: 'image', type: 'IMAGE', link: null }] }));
      connect(state, [2, 1, 0, 9, 0, 'IMAGE'], ['IMAGE', 'image']);
    });
    expect(edits).toEqual(['otherForm']);
  });

  it('is opened without what is no node', () => {
    const nodes = '"1": {"class_type": "MakeImage", "inputs": {"width": 1.0}}, "2": {"class_type": "Lost"}';
    const commented = `{"_info": {"by": "y"}, ${nodes}}`;
    expect(importedPrompt(WorkflowDocument.of(commented))).toBe(
      '{"1":{"class_type": "MakeImage", "inputs": {"width": 1.0}},"2":{"class_type": "Lost"}}',
    );
  });

  it('keeps a node that the page could not show, rather than give its ID to another one', () => {
    expect(written((state) => state.nodes.push(node(3, 'MakeImage', { widgets_values: [8, 'n'] })))).toEqual([
      'otherIds',
    ]);
  });

  it('keeps a row that the page does not show, rather than give its name to a new one', () => {
    const type = 'Power Lora Loader (rgthree)';
    const [old, row] = ['a', 'b'].map((lora) => ({ on: true, lora, strength: 1 }));
    const rows = JSON.stringify({ 1: { inputs: { lora_1: old }, class_type: type } });
    const [before, one, both] = [[], [row], [old, row]].map((shown) => {
      const header = { type: 'PowerLoraLoaderHeaderWidget' };
      const nodes = [node(1, type, { widgets_values: [{}, header, ...shown, {}, ''] })];
      return JSON.stringify({ ...loaded(), nodes, links: [] });
    });
    const definitions = Catalog.fromDefinitions({
      [type]: { input: { optional: { model: ['MODEL'] } }, output: ['MODEL'], output_name: ['MODEL'] },
    });
    const changeOf = (was = '', now = '') => promptChange(WorkflowDocument.of(rows), was, now, definitions);
    expect(changeOf(before, one)).toMatchObject({ kind: 'refused', reason: 'otherForm' });
    const first = JSON.stringify({
      ...JSON.parse(String(one)),
      nodes: [node(1, type, { widgets_values: [{}, {}, old, {}, ''] })],
    });
    expect(changeOf(first, both)).toMatchObject({
      text: JSON.stringify({ 1: { inputs: { lora_1: old, lora_2: row }, class_type: type } }),
    });
  });
});
