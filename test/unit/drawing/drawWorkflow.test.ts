import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { drawingJson } from '../../../src/core/drawing/drawingJson';
import { drawingSvg } from '../../../src/core/drawing/drawingSvg';
import {
  drawInside,
  drawWorkflow,
  instancesWith,
  loadDrawing,
  outerInstances,
} from '../../../src/core/drawing/drawWorkflow';
import type { Drawing } from '../../../src/core/drawing/drawing';
import { palettes } from '../../../src/core/drawing/canvasPalette';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

const catalog = Catalog.fromDefinitions({
  Load: { input: { required: { name: [['a.safetensors'], {}] } }, output: ['MODEL', 'CLIP'] },
  Encode: {
    input: { required: { text: ['STRING', { multiline: true }], clip: ['CLIP'] } },
    output: ['CONDITIONING'],
  },
});

async function drawn(text: string, inside?: string): Promise<Drawing> {
  const drawing = await drawWorkflow(WorkflowDocument.of(text), catalog, inside);
  if (!drawing) throw new Error('There is nothing to draw.');
  return drawing;
}

function fileOf(nodes: readonly object[], more: object = {}): string {
  return JSON.stringify({ nodes, links: [], version: 0.4, ...more });
}

const load = { id: 1, type: 'Load', pos: [0, 0], size: [300, 100], widgets_values: ['a.safetensors'] };
const encode = {
  id: 2,
  type: 'Encode',
  pos: [400, 100],
  size: [300, 120],
  inputs: [{ name: 'clip', type: 'CLIP', link: 7 }],
  widgets_values: ['a lion'],
};
const graph = fileOf([load, encode], { links: [[7, 1, 1, 2, 0, 'CLIP']] });

describe('a drawing of a graph', () => {
  it('has slots, widgets and curves where the page has them', async () => {
    const json = JSON.parse(drawingJson(await drawn(graph))) as unknown;
    expect(json).toMatchObject({
      nodes: {
        1: {
          width: 300,
          height: 100,
          outputs: [
            { name: 'MODEL', x: 291, y: 14 },
            { name: 'CLIP', x: 291, y: 34 },
          ],
          widgets: [{ name: 'name', y: 46, height: 24, text: 'a.safetensors' }],
        },
        2: {
          inputs: [
            { name: 'clip', x: 410, y: 114 },
            { name: 'text', x: 410, y: 136 },
          ],
          widgets: [{ name: 'text', y: 26, height: 94, text: 'a lion' }],
        },
      },
      links: [{ from: ['1', 1], to: ['2', 0] }],
    });
    const [link] = (json as { links: readonly { path: readonly number[] }[] }).links;
    expect(link?.path[0]).toBe(291);
    expect(link?.path.slice(6)).toEqual([410, 114]);
  });

  it('says nothing of what happens to a seed after a run in API format, which has no place for it', async () => {
    const required = {
      seed: ['INT', { control_after_generate: 'after' }],
      steps: ['INT', { control_after_generate: true }],
    };
    const seeded = Catalog.fromDefinitions({ Sampler: { input: { required } } });
    const prompt = '{"1":{"class_type":"Sampler","inputs":{"seed":5,"steps":20}}}';
    const drawing = await drawWorkflow(WorkflowDocument.of(prompt), seeded);
    expect(drawing?.nodes[0]?.rows.map(({ name, isSeed }) => [name, isSeed])).toEqual([
      ['seed', true],
      ['steps', true],
    ]);
  });

  it('leaves room for the image that a node of an API file loads', async () => {
    const loads = (options: object): Catalog =>
      Catalog.fromDefinitions({ Load: { input: { required: { image: [['a.png'], options] } } } });
    const heightWith = async (options: object): Promise<number> => {
      const prompt = WorkflowDocument.of('{"1":{"class_type":"Load","inputs":{"image":"a.png"}}}');
      const drawing = await drawWorkflow(prompt, loads(options));
      return drawing?.nodes[0]?.height ?? 0;
    };
    expect(await heightWith({ image_upload: true })).toBeGreaterThanOrEqual((await heightWith({})) + 160);
  });

  it('is at least as large as its widgets need', async () => {
    const { nodes } = await drawn(graph.replace('"size":[300,120]', '"size":[10,10]'));
    expect(nodes[1]).toMatchObject({ width: 210, height: 88 });
  });

  it('takes the file as it is without definitions, and calls no type missing', async () => {
    const named = graph.replace('"widgets_values":["a lion"]', '"widgets_values_named":{"text":"a lion"},$&');
    const drawing = await drawWorkflow(WorkflowDocument.of(named), Catalog.fromDefinitions({}));
    expect(drawing?.nodes.map(({ isMissing, title, rows }) => [isMissing, title, rows[0]?.label])).toEqual([
      [false, 'Load', 'UNKNOWN'],
      [false, 'Encode', 'text'],
    ]);
  });

  it('shows every digit of a seed without its definition', async () => {
    const seed = WorkflowDocument.of('{"1":{"class_type":"Noise","inputs":{"seed":9007199254740993}}}');
    const drawing = await drawWorkflow(seed, Catalog.fromDefinitions({}));
    expect(drawing?.nodes[0]?.rows[0]?.text).toBe('9007199254740993');
  });

  it('marks a type that the server does not have', async () => {
    const drawing = await drawn(graph.replace('"Encode"', '"Other"'));
    expect(drawing.nodes.map(({ isMissing }) => isMissing)).toEqual([false, true]);
    // The page makes up its title when it draws it.
    expect(drawing.nodes[1]?.title).toBe('Other');
    expect(drawingSvg(drawing, palettes.dark)).toContain('>❌ Other<');
  });

  it.each([
    [true, 'MODEL'],
    [false, ''],
  ])('shows the type that passes a reroute, if it is asked to: %s', async (showOutputText, label) => {
    const outputs = [{ name: 'MODEL', type: 'MODEL', links: [7] }];
    const reroute = {
      ...{ id: 2, type: 'Reroute', pos: [400, 0], properties: { showOutputText } },
      inputs: [{ name: '', type: '*', link: 7 }],
      outputs: [{ name: '', type: '*', links: [] }],
    };
    const { nodes } = await drawn(
      fileOf([{ ...load, outputs }, reroute], { links: [[7, 1, 0, 2, 0, 'MODEL']] }),
    );
    expect(nodes[1]?.outputs).toMatchObject([{ label, type: 'MODEL' }]);
  });
});

describe('a drawing of a prompt', () => {
  const prompt = (seed: number): string =>
    JSON.stringify({
      1: { class_type: 'Load', inputs: { name: 'a.safetensors' } },
      2: { class_type: 'Encode', inputs: { text: `lion ${seed}`, clip: ['1', 1] } },
    });

  it('runs from left to right, in places that its values do not move', async () => {
    const [one, other] = [await drawn(prompt(1)), await drawn(prompt(2))];
    const places = ({ nodes }: Drawing): unknown => nodes.map(({ id, x, y }) => [id, x, y]);
    expect(places(one)).toEqual(places(other));
    const [first, second] = one.nodes;
    expect(second?.x).toBeGreaterThan((first?.x ?? 0) + (first?.width ?? 0));
    // As a new node with a text box.
    expect(second).toMatchObject({ width: 400, height: 200 });
  });
});

describe('a drawing of a large or odd file', () => {
  it('places nodes of any names, in cycles, and in rows too long for the layout', async () => {
    const odd = `{"__proto__":{"class_type":"A","inputs":{"a":["constructor",0]}},
      "constructor":{"class_type":"B","inputs":{"a":["__proto__",0],"b":["constructor",0]}}}`;
    const { nodes } = await drawn(odd);
    expect(nodes.map(({ id }) => id)).toEqual(['__proto__', 'constructor']);
    const size = 3_000;
    const row = Array.from({ length: size }, (_, id) => [
      id,
      { class_type: 'A', inputs: { a: [String(id - 1), 0] } },
    ]);
    const long = await drawn(JSON.stringify(Object.fromEntries(row)));
    const places = long.nodes.map(({ x }) => x);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(new Set(places).size).toBe(size);
  });

  it('has numbers where a file has none, or none that can be drawn', async () => {
    const odd = `{"nodes":[
      {"id":1,"type":"Odd","pos":[NaN,Infinity],"size":[1e308,1e308]},
      {"id":2,"type":"Odd","pos":[-1e308,1e308],"size":[-5,1e400]},
      {"id":3,"type":"Odd","pos":["a",null],"size":{"0":1e308}}],
      "groups":[{"title":"g","bounding":[1e308,NaN,-Infinity,1e308]}],"links":[],"version":0.4}`;
    const drawing = await drawn(odd);
    expect(drawing.nodes).toHaveLength(3);
    expect(drawingJson(drawing)).not.toContain('null');
    expect(drawingSvg(drawing, palettes.dark)).not.toMatch(/NaN|Infinity/);
  });

  it('opens a subgraph inside itself, and finds the nodes that a subgraph is in', async () => {
    const part = (id: string, ...types: readonly string[]) => ({
      id,
      name: id,
      nodes: types.map((type, index) => ({ id: index + 1, type })),
      links: [],
      inputs: [],
      outputs: [],
    });
    const nodes = [
      { id: 7, type: 'loop' },
      { id: 8, type: 'other' },
    ];
    const subgraphs = [part('loop', 'loop', 'leaf'), part('leaf'), part('other', 'Load')];
    const text = fileOf(nodes, { definitions: { subgraphs } });
    const loaded = loadDrawing(WorkflowDocument.of(text), catalog);
    if (!loaded) throw new Error('There is nothing to draw.');
    expect(instancesWith(loaded, '', 'leaf')).toEqual(['7']);
    expect(instancesWith(loaded, '', 'other')).toEqual(['8']);
    expect(instancesWith(loaded, '7', 'leaf')).toEqual(['1', '2']);
    expect(instancesWith(loaded, '9', 'leaf')).toEqual([]);
    expect((await drawInside(loaded, '7:1:1'))?.nodes.map(({ id }) => id)).toEqual(['7:1:1:1', '7:1:1:2']);
    expect(outerInstances(loaded, '7:1').map(({ title }) => title)).toEqual(['loop', 'loop']);
  });
});

describe('an SVG image of a graph', () => {
  it('has an element per node and per link, by which they are found', async () => {
    const svg = drawingSvg(await drawn(graph), palettes.dark);
    expect(svg).toContain('<g data-node="1"');
    expect(svg.match(/data-link="1:1&#62;2:clip"/g)).toHaveLength(1);
  });

  it('lightens the colors of nodes for the light palette, not those of groups', async () => {
    const group = { title: 'Both', bounding: [0, 0, 500, 300], color: '#3f789e' };
    const text = fileOf([{ ...load, bgcolor: '#335' }], { groups: [group] });
    const svg = drawingSvg(await drawn(text), palettes.light);
    expect(svg).toContain('#3f789e');
    expect(svg).not.toContain('#333355');
  });

  it('holds what a file says as text only', async () => {
    const title = '</text><script>alert(1)</script>"\' \u0001\ud800&';
    const color = 'red" onload="alert(1)';
    const hostile = fileOf([{ ...load, title, color, bgcolor: 'url(https://example.com)' }]);
    const svg = drawingSvg(await drawn(hostile), palettes.light);
    expect(svg).toContain('&#60;script&#62;');
    expect(svg).not.toMatch(/<script|onload="|url\(|\p{Cc}(?<!\n)/u);
    expect(svg).not.toMatch(/\p{Cs}/u);
  });

  it('shortens a line that nothing has room for', async () => {
    const long = 'W'.repeat(100_000);
    const nodes = [{ ...load, title: long, outputs: [{ name: long, type: 'X' }] }];
    const groups = [{ title: long, bounding: [0, 0, 10, 10] }];
    const svg = drawingSvg(await drawn(fileOf(nodes, { groups })), palettes.dark);
    expect(svg.length).toBeLessThan(10_000);
  });

  it('draws the inside of a subgraph with its boundary', async () => {
    const definition = {
      id: 'ab',
      name: 'Inner',
      nodes: [encode],
      links: [{ id: 7, origin_id: -10, origin_slot: 0, target_id: 2, target_slot: 0, type: 'CLIP' }],
      inputs: [{ id: 'x', name: 'clip', type: 'CLIP', linkIds: [7] }],
      outputs: [],
      inputNode: { id: -10, bounding: [0, 0, 120, 60] },
      outputNode: { id: -20, bounding: [900, 0, 120, 60] },
    };
    const instance = { id: 5, type: 'ab', pos: [0, 0] };
    const outer = fileOf([instance], { definitions: { subgraphs: [definition] } });
    const inside = await drawn(outer, '5');
    expect(inside.boundaries.map(({ side, slots }) => [side, slots.length])).toEqual([
      ['inputs', 1],
      ['outputs', 0],
    ]);
    expect(inside.links).toMatchObject([{ from: ['5:-10', 0], to: ['5:2', 0] }]);
    expect(JSON.parse(drawingJson(inside))).toMatchObject({
      nodes: { '5:2': { title: 'Encode' } },
      boundary: { inputs: { x: 0, y: 0, slots: [{ name: 'clip' }] } },
    });
    expect(await drawWorkflow(WorkflowDocument.of(outer), catalog, '6')).toBeUndefined();
  });

  it('draws the inside of a group node, whose boundary has no place', async () => {
    const inputs = [{ name: 'clip', type: 'CLIP' }];
    const inner = { type: 'Encode', index: 0, pos: [400, 100], size: [300, 120], inputs };
    const outer = fileOf([{ id: 5, type: 'workflow>Pair', pos: [0, 0] }], {
      last_node_id: 5,
      extra: { groupNodes: { Pair: { nodes: [inner], links: [] } } },
    });
    const [instance] = (await drawn(outer)).nodes;
    expect(instance?.isInstance).toBe(true);
    const inside = await drawn(outer, instance?.id);
    expect(inside.nodes.map(({ title }) => title)).toEqual(['Encode']);
    const [before, after] = inside.boundaries;
    expect((before?.x ?? 0) + (before?.width ?? 0)).toBeLessThan(400);
    expect(after?.x).toBeGreaterThan(700);
  });
});
