import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../../src/core/catalog/catalog';
import { applyEdits } from '../../../../src/core/json/textEdit';
import { workflowActions } from '../../../../src/core/language/edits/actions';
import { compileGraph } from '../../../../src/core/workflow/graph/compileGraph';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { dynamicCombo } from '../../../support/dynamicInputs';

const template = {
  required: { name: [['a', 'b']], strength: ['FLOAT', { default: 1 }] },
  optional: { seed: ['INT', { control_after_generate: true }] },
};

const catalog = Catalog.fromDefinitions({
  Rows: {
    input: {
      required: {
        model: ['MODEL'],
        g: ['COMFY_DYNAMICGROUP_V3', { template, min: 1, max: 3, group_name: 'Lora' }],
        after: ['INT', { default: 5 }],
      },
    },
    output: ['MODEL'],
  },
  Nested: {
    input: {
      required: {
        m: dynamicCombo({ many: { g: ['COMFY_DYNAMICGROUP_V3', { template }] } }),
      },
    },
    output: ['MODEL'],
  },
  Source: { input: {}, output: ['FLOAT', 'MODEL'] },
});

/** The titles of the actions on rows, and the file after one of them. */
function atCursor(text: string, at: string, title: string): { titles: string[]; after: string } {
  const offset = text.indexOf(at);
  if (offset < 0) throw new Error(`${at} is not in the file.`);
  const found = workflowActions(WorkflowDocument.of(text), offset + 1, { catalog }).filter(
    ({ name }) => name === 'addRow' || name === 'removeRow',
  );
  const { edits = [] } = found.find((each) => each.title === title) ?? {};
  return { titles: found.map((each) => each.title), after: applyEdits(text, edits) };
}

const add = 'Add Row to Lora';

describe('rows in a prompt', () => {
  const one = `{
  "1": {
    "class_type": "Rows",
    "inputs": {
      "g.0.name": "a",
      "g.0.strength": 0.50,
      "after": 5
    }
  }
}`;

  it('are added after the last one, with the values of a new row', () => {
    const { titles, after } = atCursor(one, '"Rows"', add);
    expect(titles).toEqual([add]);
    const row = ['name": "a"', 'strength": 1.0', 'seed": 0'].map((each) => `      "g.1.${each},\n`).join('');
    expect(after).toBe(one.replace('0.50,\n', `0.50,\n${row}`));
    const three = atCursor(after, '"Rows"', add).after;
    expect(atCursor(three, '"Rows"', add).titles).toEqual(['Remove Row 3 from Lora']);
    expect(three).toContain('"g.2.seed": 0,\n      "after": 5');
    const none = '{"1": {"class_type": "Rows", "inputs": {}}}';
    expect(atCursor(none, '"Rows"', add).after).toBe(
      none.replace('{}', '{"g.0.name": "a", "g.0.strength": 1.0, "g.0.seed": 0}'),
    );
  });

  it('are removed at the cursor, and the later ones close up', () => {
    const three = atCursor(atCursor(one, '"Rows"', add).after, '"Rows"', add).after;
    const { titles, after } = atCursor(three, '"g.1.strength"', 'Remove Row 2 from Lora');
    expect(titles).toEqual(['Remove Row 2 from Lora']);
    expect(after).toBe(atCursor(one, '"Rows"', add).after);
    const first = atCursor(three, '"g.0.name"', 'Remove Row 1 from Lora').after;
    expect(first).not.toContain('0.50');
    expect(Object.keys((JSON.parse(first) as { 1: { inputs: object } })[1].inputs)).toEqual([
      'g.0.name',
      'g.0.strength',
      'g.0.seed',
      'g.1.name',
      'g.1.strength',
      'g.1.seed',
      'after',
    ]);
  });
});

describe('rows below a dynamic combo', () => {
  it('are added and removed in both formats', () => {
    const prompt = '{"1": {"class_type": "Nested", "inputs": {"m": "many"}}}';
    const one = atCursor(prompt, '"Nested"', 'Add Row to m.g').after;
    expect(one).toContain('"m": "many", "m.g.0.name": "a", "m.g.0.strength": 1.0');
    expect(atCursor(one, '"Nested"', 'Remove Row 1 from m.g').after).toBe(prompt);
    const graph = JSON.stringify({
      last_node_id: 1,
      nodes: [{ id: 1, type: 'Nested', widgets_values: ['many', 0] }],
      links: [],
      version: 0.4,
    });
    const added = atCursor(graph, '"Nested"', 'Add Row to m.g').after;
    expect(added).toContain('["many",1,"a",1.0,0,"randomize"]');
    expect(atCursor(added, '"Nested"', 'Remove Row 1 from m.g').after).toBe(graph);
  });
});

describe('rows in a graph', () => {
  const slot = (name: string, link: number | null): object => ({
    name,
    type: name.endsWith('strength') ? 'FLOAT' : 'COMBO',
    widget: { name },
    link,
  });
  const nodes = (values: unknown, more: object = {}): object[] => [
    {
      id: 2,
      type: 'Source',
      outputs: [
        { name: 'FLOAT', type: 'FLOAT', links: [4, 5] },
        { name: 'MODEL', type: 'MODEL', links: [3] },
      ],
    },
    {
      id: 1,
      type: 'Rows',
      inputs: [
        { name: 'model', type: 'MODEL', link: 3 },
        slot('g.0.strength', 4),
        slot('g.1.strength', 5),
        slot('after', null),
      ],
      widgets_values: values,
      ...more,
    },
  ];
  const links = [
    [3, 2, 1, 1, 0, 'MODEL'],
    [4, 2, 0, 1, 1, 'FLOAT'],
    [5, 2, 0, 1, 2, 'FLOAT'],
  ];
  const graphOf = (values: unknown, more: object = {}): string =>
    JSON.stringify(
      { last_node_id: 2, last_link_id: 5, nodes: nodes(values, more), links, version: 0.4 },
      null,
      1,
    );

  function inputsOf(text: string): object | undefined {
    const { graph } = WorkflowDocument.of(text);
    const compiled = graph && compileGraph(graph, catalog);
    if (compiled?.kind !== 'compiled') throw new Error('not compiled');
    return (JSON.parse(compiled.prompt.document.text) as Record<string, { inputs: object }>)['1']?.inputs;
  }

  const two = [2, 'b', 0.5, 7, 'fixed', 'a', 2, 8, 'fixed', 9];
  const [rowB, rowA] = [
    { 'g.0.name': 'b', 'g.0.strength': ['2', 0], 'g.0.seed': 7 },
    { 'g.1.name': 'a', 'g.1.strength': ['2', 0], 'g.1.seed': 8 },
  ];
  const rest = { model: ['2', 1], after: 9 };

  it('are added with their number and the values of a new row', () => {
    const text = graphOf(two);
    const { titles, after } = atCursor(text, '"Rows"', add);
    expect(titles).toEqual([add, 'Remove Row 2 from Lora']);
    const row = ['"a"', '1.0', '0', '"randomize"'].map((each) => `    ${each},\n`).join('');
    expect(after).toBe(text.replace('    2,\n', '    3,\n').replace('    9\n', `${row}    9\n`));
    expect(inputsOf(after)).toEqual({
      ...rowB,
      ...rowA,
      'g.2.name': 'a',
      'g.2.strength': 1,
      'g.2.seed': 0,
      ...rest,
    });
  });

  it('leave no gap in a list that lacks values at its end', () => {
    expect(JSON.parse(atCursor(graphOf([1, 'b']), '"Rows"', add).after)).toMatchObject({
      nodes: [{}, { widgets_values: [2, 'b', 1, 0, 'randomize', 'a', 1, 0, 'randomize'] }],
    });
  });

  it('are added by name, too', () => {
    const named = { g: 1, 'g.0.name': 'b', 'g.0.strength': 3, after: 9 };
    const both = atCursor(
      graphOf([1, 'b', 3, 0, 'fixed', 9], { widgets_values_named: named }),
      '"Rows"',
      add,
    );
    const added = { 'g.1.name': 'a', 'g.1.strength': 1, 'g.1.seed': 0, 'g.1.seed.0': 'randomize' };
    expect(JSON.parse(both.after)).toMatchObject({
      nodes: [
        {},
        {
          widgets_values: [2, 'b', 3, 0, 'fixed', 'a', 1, 0, 'randomize', 9],
          widgets_values_named: { ...named, g: 2, ...added },
        },
      ],
    });
    const alone = atCursor(graphOf(undefined, { widgets_values_named: named }), '"Rows"', add).after;
    expect(JSON.parse(alone)).toMatchObject({
      nodes: [{}, { widgets_values_named: { ...named, g: 2, ...added } }],
    });
    expect(alone).not.toContain('"widgets_values":');
    expect(JSON.parse(atCursor(graphOf(undefined), '"Rows"', add).after)).toMatchObject({
      nodes: [{}, { widgets_values: [2, 'a', 1, 0, 'randomize', 'a', 1, 0, 'randomize'] }],
    });
  });

  it('are removed with their values, slots and links, and the later ones close up', () => {
    const named = { g: 2, 'g.0.name': 'b', 'g.1.name': 'a', after: 9 };
    const text = graphOf(two, { widgets_values_named: named });
    const { titles, after } = atCursor(text, '"b"', 'Remove Row 1 from Lora');
    expect(titles).toEqual([add, 'Remove Row 1 from Lora']);
    expect(JSON.parse(after)).toMatchObject({
      nodes: [
        { outputs: [{ links: [5] }, { links: [3] }] },
        {
          inputs: [{ name: 'model', type: 'MODEL', link: 3 }, slot('g.0.strength', 5), slot('after', null)],
          widgets_values: [1, 'a', 2, 8, 'fixed', 9],
          widgets_values_named: { g: 1, 'g.0.name': 'a', after: 9 },
        },
      ],
      links: [links[0], [5, 2, 0, 1, 1, 'FLOAT']],
    });
    expect(inputsOf(after)).toEqual({ 'g.0.name': 'a', 'g.0.strength': ['2', 0], 'g.0.seed': 8, ...rest });
    const last = atCursor(text, '"g.1.strength"', 'Remove Row 2 from Lora').after;
    expect(inputsOf(last)).toEqual({ ...rowB, ...rest });
    // Adding a row and removing it again leaves every byte.
    const added = atCursor(graphOf(two), '"Rows"', add).after;
    expect(atCursor(added, '"Rows"', 'Remove Row 3 from Lora').after).toBe(graphOf(two));
  });

  it('do not revive a link without effect when the later ones close up', () => {
    const doubled = JSON.stringify({
      nodes: nodes(two),
      links: [...links, [9, 2, 1, 1, 2, 'MODEL']],
      version: 0.4,
    });
    const { after } = atCursor(doubled, '"b"', 'Remove Row 1 from Lora');
    expect(JSON.parse(after)).toMatchObject({
      links: [{}, [5, 2, 0, 1, 1, 'FLOAT'], [9, 2, 1, 1, 1, 'MODEL']],
    });
  });

  it('stay if a subgraph promotes them', () => {
    const [, node] = nodes(two, { inputs: [] });
    const text = (properties: object): string =>
      JSON.stringify({
        last_node_id: 9,
        last_link_id: 9,
        nodes: [{ id: 9, type: 'inside', inputs: [], outputs: [], properties }],
        links: [],
        definitions: {
          subgraphs: [{ id: 'inside', name: 'Inside', nodes: [node], links: [], inputs: [], outputs: [] }],
        },
        version: 0.4,
      });
    expect(atCursor(text({}), '"Rows"', add).titles).toEqual([add, 'Remove Row 2 from Lora']);
    const shown = text({ proxyWidgets: [['1', 'g.1.name']] });
    expect(atCursor(shown, '"Rows"', add).titles).toEqual([add]);
  });

  it('stay if another input names their link', () => {
    const text = graphOf(two);
    const node = { id: 3, type: 'Rows', inputs: [slot('after', 5)] };
    const shared = text.replace('"nodes": [', `"nodes": [${JSON.stringify(node)},`);
    expect(atCursor(text, '"g.1.strength"', add).titles).toEqual([add, 'Remove Row 2 from Lora']);
    expect(atCursor(shared, '"g.1.strength"', add).titles).toEqual([add]);
  });
});
