import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { workflowMeaning } from '../../../src/core/diff/meaning';
import { workflowDifferences } from '../../../src/core/diff/workflowDifferences';
import { palettes } from '../../../src/core/drawing/canvasPalette';
import { drawDifferences, placedSide, drawnSide } from '../../../src/core/drawing/drawDifferences';
import { drawingSvg, linkName } from '../../../src/core/drawing/drawingSvg';
import type { Drawing } from '../../../src/core/drawing/drawing';
import { nodeBox } from '../../../src/core/drawing/drawnNode';
import { loadDrawing } from '../../../src/core/drawing/drawWorkflow';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { overlaps } from '../../../src/webview/graph/viewport';

const catalog = Catalog.fromDefinitions({
  Load: { input: { required: { name: [['a.safetensors', 'b.safetensors'], {}] } }, output: ['MODEL'] },
  Sample: {
    input: { required: { model: ['MODEL'], steps: ['INT', { default: 20 }], note: ['STRING', {}] } },
    output: ['IMAGE'],
  },
  Save: { input: { required: { images: ['IMAGE'] } }, output: [], output_node: true },
});

const load = (id = 1, x = 0) => ({
  ...{ id, type: 'Load', mode: 0, pos: [x, 0], size: [200, 60], inputs: [] },
  outputs: [{ name: 'MODEL', type: 'MODEL', links: [] }],
  widgets_values: ['a.safetensors'],
});
const sample = (steps = 20, link = 7) => ({
  ...{ id: 2, type: 'Sample', mode: 0, pos: [300, 0], size: [200, 120] },
  inputs: [{ name: 'model', type: 'MODEL', link }],
  outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [8] }],
  widgets_values: [steps, 'the text'],
});
const save = {
  ...{ id: 3, type: 'Save', mode: 0, pos: [600, 0], size: [200, 60], outputs: [], widgets_values: [] },
  inputs: [{ name: 'images', type: 'IMAGE', link: 8 }],
};
const links = [
  [7, 1, 0, 2, 0, 'MODEL'],
  [8, 2, 0, 3, 0, 'IMAGE'],
];
const graphOf = (nodes: readonly object[], all: readonly unknown[] = links, more: object = {}): string =>
  JSON.stringify({ nodes, links: all, ...more, version: 0.4 });
const before = graphOf([load(), sample(), save]);
const prompt = {
  1: { class_type: 'Load', inputs: { name: 'a.safetensors' } },
  2: { class_type: 'Sample', inputs: { model: ['1', 0], steps: 20, note: 'the text' } },
  3: { class_type: 'Save', inputs: { images: ['2', 0] } },
};

/** The drawing of both; the side whose places it has. */
async function drawn(one: string, other: string, inside = '') {
  const documents = [WorkflowDocument.of(one), WorkflowDocument.of(other)] as const;
  const asPrompt = documents.some(({ graph }) => !graph);
  const [earlier, later] = [
    workflowMeaning(documents[0], catalog, asPrompt),
    workflowMeaning(documents[1], catalog, asPrompt),
  ];
  const workflows = { before: earlier, after: later };
  const differences = workflowDifferences(earlier, later);
  const loaded = { before: loadDrawing(documents[0], catalog), after: loadDrawing(documents[1], catalog) };
  const drawing = await drawDifferences(loaded, { differences, workflows }, inside);
  if (!drawing) throw new Error('There is nothing to draw.');
  return { drawing, placed: placedSide(loaded) };
}

function marks({ nodes }: Drawing): Record<string, unknown> {
  return Object.fromEntries(
    nodes.flatMap(({ id, mark }) => (mark ? [[id, [mark.kind, ...mark.words]]] : [])),
  );
}

function changedLinks({ nodes, links: all }: Drawing): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return all.flatMap((link) => (link.change ? [`${link.change} ${linkName(link, byId)}`] : [])).sort();
}

describe('a drawing of two versions', () => {
  it('has both values in the widget of a changed one', async () => {
    const { drawing } = await drawn(before, graphOf([load(), sample(30), save]));
    expect(marks(drawing)).toEqual({ 2: ['changed', 'steps: 20 → 30'] });
    const steps = drawing.nodes.find(({ id }) => id === '2')?.rows.find(({ name }) => name === 'steps');
    expect(steps).toMatchObject({ was: '20', text: '30' });
    const svg = drawingSvg(drawing, palettes.dark);
    expect(svg).toContain('data-change="changed"');
    expect(svg).toContain('>20 → 30</text>');
  });

  it('has them without a definition, too', async () => {
    const foreign = (value: number): object => ({ ...load(), type: 'Foreign', widgets_values: ['a', value] });
    const { drawing } = await drawn(graphOf([foreign(1)], []), graphOf([foreign(2)], []));
    expect(marks(drawing)).toEqual({ 1: ['changed', '1: 1 → 2'] });
    expect(drawing.nodes[0]?.rows.map(({ was, text }) => [was, text])).toEqual([
      [undefined, 'a'],
      ['1', '2'],
    ]);
  });

  it('has removed nodes and links beside what took their place', async () => {
    const renewed = { ...load(9), type: 'Other', widgets_values: [] };
    const { drawing, placed } = await drawn(
      before,
      graphOf([renewed, sample(), save], [[7, 9, 0, 2, 0, 'MODEL'], links[1]]),
    );
    expect(marks(drawing)).toEqual({
      9: ['added'],
      2: ['changed', 'model: Load (1), output 1 → Other (9), output 1'],
      'removed 1': ['removed'],
    });
    expect(changedLinks(drawing)).toEqual(['added 9:0>2:model', 'removed removed 1:0>2:model']);
    const [there, gone] = ['9', 'removed 1'].map((id) => drawing.nodes.find((node) => node.id === id));
    if (!there || !gone) throw new Error('Both are drawn.');
    expect(nodeBox(gone).y).toBeGreaterThan(nodeBox(there).y + nodeBox(there).height);
    const start = drawing.links.find(({ change }) => change === 'removed')?.segments[0]?.[0];
    expect(start).toEqual({ x: gone.outputs[0]?.x, y: gone.outputs[0]?.y });
    expect(drawnSide('removed 1', placed)).toEqual(['before', '1']);
    expect(drawnSide('9', placed)).toEqual(['after', '9']);
  });

  it('has the places of the graph where the other one is a prompt', async () => {
    const { 1: first, ...rest } = prompt;
    const added = { 4: { class_type: 'Load', inputs: { name: 'b.safetensors' } } };
    const changed = { ...rest, ...added, 2: { ...prompt[2], inputs: { ...prompt[2].inputs, steps: 8 } } };
    const { drawing, placed } = await drawn(before, JSON.stringify({ 1: first, ...changed }));
    expect(placed).toBe('before');
    expect(marks(drawing)).toEqual({ 2: ['changed', 'steps: 20 → 8'], 'added 4': ['added'] });
    expect(drawing.nodes.find(({ id }) => id === '3')).toMatchObject({ x: 600, y: 0 });
    const row = drawing.nodes.find(({ id }) => id === '2')?.rows.find(({ name }) => name === 'steps');
    expect(row).toMatchObject({ was: '20', text: '8' });
    expect(drawing.nodes.find(({ id }) => id === 'added 4')?.y).toBeGreaterThan(120);
    const back = await drawn(JSON.stringify({ 1: first, ...changed }), before);
    expect([back.placed, marks(back.drawing)]).toEqual([
      'after',
      { 2: ['changed', 'steps: 8 → 20'], 'removed 4': ['removed'] },
    ]);
  });

  it('lays out the nodes of two prompts together', async () => {
    const added = { 4: { class_type: 'Other', inputs: {} } };
    const moved = { ...prompt[2], inputs: { ...prompt[2].inputs, model: ['4', 0] } };
    const others = { ...added, 2: moved, 3: prompt[3] };
    const { drawing } = await drawn(JSON.stringify(prompt), JSON.stringify(others));
    expect(changedLinks(drawing)).toEqual(['added 4:0>2:model', 'removed removed 1:0>2:model']);
    const boxes = drawing.nodes.map(nodeBox);
    for (const [at, box] of boxes.entries())
      expect(boxes.slice(at + 1).filter((other) => overlaps(box, other))).toEqual([]);
  });

  it('tells at an instance what changed inside, and marks it there', async () => {
    const inside = (steps: number) => ({
      ...{ id: 'part', version: 1, name: 'Part', inputs: [], outputs: [], links: [] },
      nodes: [{ ...sample(steps), id: 5, inputs: [] }],
      inputNode: { id: -10, bounding: [0, 0, 100, 60] },
      outputNode: { id: -20, bounding: [600, 0, 100, 60] },
    });
    const instance = {
      id: 4,
      type: 'part',
      mode: 0,
      pos: [0, 300],
      size: [200, 60],
      inputs: [],
      outputs: [],
    };
    const fileWith = (steps: number): string =>
      graphOf([load(), instance], [], { definitions: { subgraphs: [inside(steps)] } });
    const [one, other] = [fileWith(20), fileWith(30)];
    const outside = await drawn(one, other);
    expect(marks(outside.drawing)).toEqual({ 4: ['changed', '~ Sample (4:5)', 'steps: 20 → 30'] });
    const { drawing } = await drawn(one, other, '4');
    expect(marks(drawing)).toEqual({ '4:5': ['changed', 'steps: 20 → 30'] });
    const sent = {
      1: prompt[1],
      '4:5': { class_type: 'Sample', inputs: { steps: 8, note: 'the text' } },
      '4:6': { class_type: 'Other', inputs: {} },
    };
    const asSent = await drawn(one, JSON.stringify(sent));
    expect(marks(asSent.drawing)).toEqual({
      4: ['changed', '~ Sample (4:5)', 'steps: 20 → 8', '+ Other (4:6)'],
    });
  });

  it('tells long texts from where they differ, each in its share of the widget', async () => {
    const [one, other] = ['old', 'new'].map((end) => ({
      ...prompt,
      2: { ...prompt[2], inputs: { ...prompt[2].inputs, note: `${'a long text '.repeat(40)}${end}` } },
    }));
    const { drawing } = await drawn(JSON.stringify(one), JSON.stringify(other));
    const row = drawing.nodes.find(({ id }) => id === '2')?.rows.find(({ name }) => name === 'note');
    expect([row?.was?.endsWith('old'), row?.text.endsWith('new')]).toEqual([true, true]);
    expect(drawingSvg(drawing, palettes.dark)).toMatch(/>…[^<]* old → …[^<]* new<\/text>/);
  });
});
