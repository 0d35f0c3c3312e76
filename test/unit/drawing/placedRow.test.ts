import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { loadDrawing } from '../../../src/core/drawing/drawWorkflow';
import { placedRow } from '../../../src/core/drawing/placedRow';
import { sourceTextIn } from '../../../src/core/json/textEdit';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { dynamicCombo } from '../../support/dynamicInputs';

const catalog = Catalog.fromDefinitions({
  Number: { input: { required: { amount: ['INT', { default: 1 }] } }, output: ['INT'] },
  'Power Lora Loader (rgthree)': {
    input: { required: {}, optional: { model: ['MODEL'] } },
    output: ['MODEL'],
  },
  VHS_VideoCombine: {
    input: {
      required: {
        format: [
          ['image/gif', 'video/h264-mp4'],
          { formats: { 'video/h264-mp4': [['crf', 'INT', { default: 19 }]] } },
        ],
      },
    },
  },
  VHS_LoadVideo: { input: { required: { custom_width: ['INT', {}], custom_height: ['INT', {}] } } },
  Seeded: { input: { required: { seed: ['INT', { control_after_generate: true }] } }, output: ['INT'] },
  Mode: {
    input: {
      required: {
        mode: dynamicCombo({ a: { size: ['INT', {}] }, b: {} }),
      },
    },
  },
});

const rest = { links: [], version: 0.4 };

/** The places of a value in a workflow as their texts, or why there are none. */
function placed(
  workflow: unknown,
  node: string,
  name: string,
  inside = '',
): readonly string[] | string | undefined {
  const document = WorkflowDocument.of(typeof workflow === 'string' ? workflow : JSON.stringify(workflow));
  const loaded = loadDrawing(document, catalog);
  const place = loaded && placedRow(loaded, document, inside, node, name)?.place;
  return place?.kind === 'places'
    ? place.places.map((each) => `${each.offset}: ${sourceTextIn(document.text, each)}`)
    : place && 'from' in place
      ? `${place.kind}: ${place.from ? `${place.from.node} (${place.from.title}) in ${place.from.inside}` : '?'}`
      : place?.kind;
}

const number = { id: 1, type: 'Number', widgets_values: [5] };

describe('the place of a value that a row shows', () => {
  it('is in the list of a graph file, and beside it by name', () => {
    const values = JSON.stringify({ nodes: [number], ...rest });
    expect(placed(values, '1', 'amount')).toEqual([`${values.indexOf('5')}: 5`]);
    const both = { nodes: [{ ...number, widgets_values_named: { amount: 5.0 } }], ...rest };
    expect(placed(both, '1', 'amount')).toHaveLength(2);
    const other = { nodes: [{ ...number, widgets_values_named: { amount: 6 } }], ...rest };
    expect(placed(other, '1', 'amount')).toHaveLength(1);
  });

  it('is inside the object of a row that a node pack adds', () => {
    const lora = { on: true, lora: 'a.safetensors', strength: 0.65, strengthTwo: null };
    const values = [{}, { type: 'PowerLoraLoaderHeaderWidget' }, lora, {}, ''];
    const rows = { id: 1, type: 'Power Lora Loader (rgthree)', widgets_values: values };
    const text = JSON.stringify({ nodes: [rows], ...rest });
    expect(placed(text, '1', 'lora_1.strength')).toEqual([`${text.indexOf('0.65')}: 0.65`]);
    expect(placed(text, '1', 'lora_1.on')).toEqual([`${text.indexOf('true')}: true`]);
    const document = WorkflowDocument.of(text);
    const loaded = loadDrawing(document, catalog);
    const row = loaded && placedRow(loaded, document, '', '1', 'lora_1.strength')?.row;
    expect(row).toMatchObject({ label: 'strength', text: '0.65' });
    expect(placed(text, '1', 'lora_1.strengthTwo')).toBeUndefined();
  });

  it('is in the object of values by name of VideoHelperSuite', () => {
    const values = { format: 'video/h264-mp4', crf: 8 };
    const text = JSON.stringify({
      nodes: [{ id: 1, type: 'VHS_VideoCombine', widgets_values: values }],
      ...rest,
    });
    expect(placed(text, '1', 'crf')).toEqual([`${text.indexOf('8}')}: 8`]);
  });

  it('is a side of the size in an older one, since numbers beside it have no effect', () => {
    const widgets_values = { force_size: '512x?', custom_width: 100, custom_height: 64 };
    const text = JSON.stringify({ nodes: [{ id: 1, type: 'VHS_LoadVideo', widgets_values }], ...rest });
    expect(placed(text, '1', 'custom_width')).toEqual([`${text.indexOf('512')}: 512`]);
    expect(placed(text, '1', 'custom_height')).toEqual([`${text.indexOf('?')}: ?`]);
    expect(placed(text.replace('512x?', 'Disabled'), '1', 'custom_width')).toBe('absent');
  });

  it('is the input in a file in API format', () => {
    const text = '{"1": {"class_type": "Number", "inputs": {"amount": 9007199254740993}}}';
    expect(placed(text, '1', 'amount')).toEqual([`${text.indexOf('9')}: 9007199254740993`]);
    // Also without a definition.
    expect(placed(text.replace('Number', 'Other'), '1', 'UNKNOWN')).toHaveLength(1);
    const inputs = { lora_3: { on: true, lora: 'a', strength: 0.65 } };
    const lora = JSON.stringify({ 1: { class_type: 'Power Lora Loader (rgthree)', inputs } });
    expect(placed(lora, '1', 'lora_1.strength')).toEqual([`${lora.indexOf('0.65')}: 0.65`]);
    const absent = { 1: { class_type: 'Number', inputs: {} } };
    expect(placed(absent, '1', 'amount')).toBe('absent');
    const linked = { ...absent, 2: { class_type: 'Number', inputs: { amount: ['1', 0] } } };
    expect(placed(linked, '2', 'amount')).toBe('linked: 1 (Number) in ');
  });

  it('does not exist for a default, a linked value, and what others depend on', () => {
    expect(placed({ nodes: [{ id: 1, type: 'Number' }], ...rest }, '1', 'amount')).toBe('absent');
    const input = { name: 'amount', type: 'INT', widget: { name: 'amount' }, link: 1 };
    const linked = {
      nodes: [
        { ...number, id: 2 },
        { ...number, inputs: [input] },
      ],
      ...rest,
      links: [[1, 2, 0, 1, 0, 'INT']],
    };
    expect(placed(linked, '1', 'amount')).toBe('linked: 2 (Number) in ');
    expect(placed({ nodes: [{ id: 1, type: 'Mode', widgets_values: ['a', 3] }], ...rest }, '1', 'mode')).toBe(
      'decides',
    );
    expect(placed({ nodes: [number], ...rest }, '1', 'other')).toBeUndefined();
    expect(placed({ nodes: [number], ...rest }, '7', 'amount')).toBeUndefined();
  });

  it('is at an instance of a subgraph if that has its own value, else inside', () => {
    const inner = { name: 'amount', type: 'INT', widget: { name: 'amount' }, link: 1 };
    const subgraph = {
      id: 'sub',
      name: 'Sub',
      nodes: [{ ...number, id: 5, inputs: [inner] }],
      links: [{ id: 1, origin_id: -10, origin_slot: 0, target_id: 5, target_slot: 0, type: 'INT' }],
      inputs: [{ id: 'i', name: 'amount', type: 'INT', linkIds: [1] }],
      outputs: [],
      inputNode: { id: -10, bounding: [0, 0, 1, 1] },
      outputNode: { id: -20, bounding: [0, 0, 1, 1] },
    };
    const slot = { name: 'amount', type: 'INT', widget: { name: 'amount' }, link: null };
    const graph = (values: unknown[]): unknown => ({
      nodes: [{ id: 1, type: 'sub', inputs: [slot], widgets_values: values }],
      ...rest,
      definitions: { subgraphs: [subgraph] },
    });
    expect(placed(graph([7]), '1', 'amount')).toEqual([expect.stringContaining(': 7')]);
    expect(placed(graph([]), '1', 'amount')).toBe('inside: 1:5 (Number) in 1');
    expect(placed(graph([null]), '1', 'amount')).toBe('inside: 1:5 (Number) in 1');
    expect(placed(graph([]), '1:5', 'amount', '1')).toBe('linked: 1 (Sub) in ');
  });

  it('is in the node that a link comes from, through reroutes, also for what happens to it after a run', () => {
    const socket = { name: '', type: '*', link: 1 };
    const seed = { name: 'seed', type: 'INT', widget: { name: 'seed' }, link: 2 };
    const workflow = (type: string): unknown => ({
      nodes: [
        {
          ...{ id: 1, type: 'PrimitiveNode', title: 'All', widgets_values: [7, 'fixed'] },
          outputs: [{ type, widget: { name: 'seed' } }],
        },
        { id: 2, type: 'Reroute', inputs: [socket], outputs: [{ type: '*' }] },
        { id: 3, type: 'Seeded', inputs: [seed], widgets_values: [5, 'fixed'] },
        { id: 4, type: 'Seeded', inputs: [{ ...seed, link: 3 }], widgets_values: [6, 'fixed'] },
      ],
      ...rest,
      links: [
        [1, 1, 0, 2, 0, '*'],
        [2, 2, 0, 3, 0, 'INT'],
        [3, 1, 0, 4, 0, 'INT'],
      ],
    });
    expect(placed(workflow('INT'), '3', 'seed')).toBe('linked: 1 (All) in ');
    expect(placed(workflow('INT'), '4', 'seed')).toBe('linked: 1 (All) in ');
    expect(placed(workflow('INT'), '4', 'control_after_generate')).toBe('linked: 1 (All) in ');
  });

  it('is found where the ID of a node has colons, on any level', () => {
    const subgraph = { id: 'sub', name: 'Sub', nodes: [number], links: [], inputs: [], outputs: [] };
    const nodes = [
      { ...number, id: 'a:b' },
      { id: 'c:d', type: 'sub' },
    ];
    const workflow = { nodes, ...rest, definitions: { subgraphs: [subgraph] } };
    expect(placed(workflow, 'a:b', 'amount')).toHaveLength(1);
    expect(placed(workflow, 'c:d:1', 'amount', 'c:d')).toHaveLength(1);
    expect(placed(workflow, 'c:d:1', 'amount')).toBeUndefined();
    expect(placed(workflow, 'a:b', 'amount', 'c:d')).toBeUndefined();
  });

  it('is the own one of a value of an unknown type, whatever else the node has', () => {
    const text = '{"1": {"class_type": "Other", "inputs": {"a": {"x": 1}, "UNKNOWN": 2, "b": 3}}}';
    expect(placed(text, '1', 'UNKNOWN_2')).toEqual([`${text.indexOf('3}')}: 3`]);
    const twice =
      '{"nodes": [{"id": 1, "type": "Other", "widgets_values": {"a": 1, "a": 2}}], "links": [], "version": 0.4}';
    expect(placed(twice, '1', 'UNKNOWN')).toEqual([`${twice.indexOf('2}')}: 2`]);
    expect(placed(twice, '1', 'UNKNOWN_1')).toBeUndefined();
  });

  it('is unclear where a node shows several values of one name', () => {
    const inner = [3, 5].map((id) => ({
      ...number,
      id,
      inputs: [{ name: 'amount', type: 'INT', widget: { name: 'amount' }, link: null }],
    }));
    const subgraph = { id: 'pair', name: 'Pair', nodes: inner, links: [], inputs: [], outputs: [] };
    const proxyWidgets = inner.map(({ id }) => [String(id), 'amount']);
    const instance = { id: 1, type: 'pair', properties: { proxyWidgets }, widgets_values: [100, 200] };
    const workflow = { nodes: [instance], definitions: { subgraphs: [subgraph] }, ...rest };
    expect(placed(workflow, '1', 'amount')).toBe('several');
  });
});
