import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { type Drawing, emptyDrawing } from '../../../src/core/drawing/drawing';
import {
  type DrawnBefore,
  drawInside,
  loadDrawing,
  type LoadedDrawing,
} from '../../../src/core/drawing/drawWorkflow';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

const catalog = Catalog.fromDefinitions({
  Load: { input: { required: { name: [['a', 'b'], {}] } }, output: ['MODEL', 'CLIP'] },
  Encode: {
    input: {
      required: { text: ['STRING', { multiline: true }], clip: ['CLIP'] },
      optional: { seed: ['INT', { min: 0, max: 9 }] },
    },
    output: ['CONDITIONING'],
  },
});
const others = Catalog.fromDefinitions({ Load: { input: { required: {} }, output: ['MODEL'] } });
const types = ['Load', 'Encode', 'PrimitiveNode', 'Reroute', 'Note', 'Unknown', 'part'];

interface Node {
  id: number;
  type: string;
  [member: string]: unknown;
}
interface Graph {
  nodes: Node[];
  links: unknown[][];
  [member: string]: unknown;
}

function node(id: number, type: string): Node {
  const slot = (name: string, kind: string): object => ({
    name,
    type: kind,
    link: null,
    ...(kind === 'INT' || kind === 'STRING' ? { widget: { name } } : {}),
  });
  const inputs = [slot('clip', 'CLIP'), slot('text', 'STRING'), slot('seed', 'INT')];
  const outputs = [type === 'PrimitiveNode' ? 'STRING' : 'MODEL', 'CLIP'].map((kind) => ({
    name: kind,
    type: kind,
    links: [],
  }));
  return {
    id,
    type,
    pos: [id * 300, 0],
    size: [250, 100],
    mode: 0,
    inputs,
    outputs,
    widgets_values: ['a', 1],
    properties: { showOutputText: true },
  };
}

function startGraph(): Graph {
  return {
    nodes: types.map((type, index) => node(index + 1, type)),
    links: [
      [1, 1, 1, 2, 0, 'CLIP'],
      [2, 3, 0, 2, 1, 'STRING'],
      [3, 1, 1, 4, 0, 'CLIP'],
    ],
    version: 0.4,
    definitions: {
      subgraphs: [
        {
          id: 'part',
          name: 'Part',
          nodes: [node(1, 'Encode')],
          links: [{ id: 1, origin_id: -10, origin_slot: 0, target_id: 1, target_slot: 1, type: 'STRING' }],
          inputs: [{ id: 'in', name: 'text', type: 'STRING', linkIds: [1] }],
          outputs: [],
        },
      ],
    },
  };
}

/** Anything that may happen to a node, its links, or the rest of the file. */
const edit = fc.record({
  kind: fc.constantFrom('value', 'title', 'move', 'mode', 'type', 'link', 'unlink', 'remove', 'add', 'part'),
  at: fc.nat(11),
  to: fc.nat(11),
  slot: fc.nat(2),
  value: fc.oneof(fc.constantFrom('a', 'b', true, null, 1), fc.integer({ min: -2, max: 12 })),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

function change(graph: Graph, { kind, at, to, slot, value }: Edit): void {
  const { nodes, links } = graph;
  const [one, other] = [nodes[at % (nodes.length || 1)], nodes[to % (nodes.length || 1)]];
  if (kind === 'add') nodes.splice(at, 0, node(20 + to, types[at % types.length] ?? 'Load'));
  if (kind === 'part') {
    const inside = graph['definitions'] as { subgraphs: { nodes: Node[] }[] };
    for (const each of inside.subgraphs[0]?.nodes ?? []) each['widgets_values'] = [value, 1];
  }
  if (kind === 'unlink') links.splice(at, 1);
  if (!one || !other) return;
  if (kind === 'value') one['widgets_values'] = [value, slot];
  if (kind === 'title') one['title'] = String(value);
  if (kind === 'move') one['pos'] = [at * 100, to * 100];
  if (kind === 'mode') one['mode'] = slot * 2;
  if (kind === 'type') one.type = types[to % types.length] ?? 'Load';
  if (kind === 'link') links.push([100 + links.length, one.id, slot % 2, other.id, slot, '*']);
  if (kind === 'remove') nodes.splice(nodes.indexOf(one), 1);
}

function loaded(graph: Graph, definitions = catalog): LoadedDrawing {
  const found = loadDrawing(WorkflowDocument.of(JSON.stringify(graph, null, 1)), definitions);
  if (!found) throw new Error('There is nothing to draw.');
  return found;
}

async function drawn(now: LoadedDrawing, inside: string, before?: DrawnBefore): Promise<Drawing> {
  return (await drawInside(now, inside, before)) ?? emptyDrawing;
}

describe('a drawing that takes over what looks as before', () => {
  it('is what would be drawn without it, after any edits', async () => {
    const steps = fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (edits) => {
        const graph = startGraph();
        let before: DrawnBefore | undefined;
        for (const step of [[], ...edits]) {
          for (const each of step) change(graph, each);
          const now = loaded(graph, step[0]?.to === 7 ? others : catalog);
          const drawing = await drawn(now, '', before);
          expect(drawing).toEqual(await drawn(now, ''));
          before = { loaded: now, inside: '', drawing };
        }
      }),
      { numRuns: 40 },
    );
  });

  it('has the same objects for all nodes and links but those that an edit concerns', async () => {
    const graph = startGraph();
    const first = loaded(graph);
    const before = await drawn(first, '');
    change(graph, { kind: 'value', at: 1, to: 0, slot: 0, value: 'b' });
    const after = await drawn(loaded(graph), '', { loaded: first, inside: '', drawing: before });
    const isKept = after.nodes.map((each, index) => each === before.nodes[index]);
    // Of primitives, reroutes and instances, the text does not tell all.
    expect(isKept).toEqual([true, false, false, false, true, true, false]);
    expect(after.links[0]).not.toBe(before.links[0]);
    const second = loaded(graph);
    change(graph, { kind: 'title', at: 4, to: 0, slot: 0, value: 'b' });
    const last = await drawn(loaded(graph), '', { loaded: second, inside: '', drawing: after });
    expect(last.links[0]).toBe(after.links[0]);
    expect(last.nodes[4]?.title).toBe('b');
  });

  it('takes nothing from another level', async () => {
    const graph = startGraph();
    const now = loaded(graph);
    const inside = await drawn(now, '7');
    expect(inside.nodes).toHaveLength(1);
    const root = await drawn(now, '', { loaded: now, inside: '7', drawing: inside });
    expect(root).toEqual(await drawn(now, ''));
    const again = await drawn(now, '7', { loaded: now, inside: '', drawing: root });
    expect(again).toEqual(inside);
  });
});
