import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { prepareRun, type PreparedRun } from '../../../src/core/runs/prepareRun';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

const catalog = Catalog.fromDefinitions({
  'Seed (rgthree)': { input: { required: { seed: ['INT', { default: 0 }] } }, output: ['INT'] },
  'KSampler (Efficient)': {
    input: { required: { seed: ['INT', { default: 0, control_after_generate: true }] } },
    output: ['INT'],
    output_node: true,
  },
  Keep: { input: { optional: { value: ['INT'], other: ['INT'] } }, output: [], output_node: true },
});

function run(graph: object, lastSeeds: Readonly<Record<string, string>> = {}, dynamicPrompts?: 'first') {
  const workflow = WorkflowDocument.of(JSON.stringify({ version: 0.4, last_node_id: 9, ...graph }));
  const prepared = prepareRun(
    { workflow, label: 'w.json' },
    { seeds: 'keep', dynamicPrompts },
    { catalog },
    (min, max) => (min + max) / 2n,
    lastSeeds,
  );
  if (prepared.kind === 'refused') throw new Error(prepared.message);
  return prepared;
}

function seeded(seed: number, properties = {}): object {
  return {
    nodes: [
      {
        id: 1,
        type: 'Seed (rgthree)',
        outputs: [{ name: 'SEED', type: 'INT' }],
        widgets_values: [seed, '', '', ''],
        properties,
      },
      { id: 2, type: 'Keep', inputs: [{ name: 'value', type: 'INT', link: 1 }] },
    ],
    links: [[1, 1, 0, 2, 0, 'INT']],
  };
}

function sentSeed({ promptText }: PreparedRun): unknown {
  return (JSON.parse(promptText) as Record<string, { inputs: { seed?: unknown } }>)[1]?.inputs.seed;
}

describe("a run with rgthree's Seed", () => {
  it('sends a random seed between its limits for -1, and records it', () => {
    const sent = run(seeded(-1, { randomMin: 10, randomMax: 30 }));
    expect(sentSeed(sent)).toBe(20);
    expect(sent.origin.seeds).toEqual({ '1.seed': '20' });
    expect(sent.workflowText).toContain('"widgets_values":[20,');
    expect(sentSeed(run(seeded(-1)))).toBe(2 ** 49);
  });

  it('counts on from the last seed for -2 and -3, which is random without one', () => {
    expect(sentSeed(run(seeded(-2), { '1.seed': '41' }))).toBe(42);
    expect(sentSeed(run(seeded(-3), { '1.seed': '41' }))).toBe(40);
    expect(sentSeed(run(seeded(-2, { randomMin: 2, randomMax: 4 })))).toBe(3);
  });

  it('sends a random seed for -1 of efficiency-nodes, too', () => {
    const sampler = { id: 1, type: 'KSampler (Efficient)', outputs: [{ name: 'SEED', type: 'INT' }] };
    const graph = { ...seeded(0), nodes: [{ ...sampler, widgets_values: [-1, null] }] };
    expect(sentSeed(run({ ...graph, links: [] }))).toBe(2 ** 49);
  });

  it('sends the lowest one where a test has to be repeatable', () => {
    expect(sentSeed(run(seeded(-1, { randomMin: 10, randomMax: 30 }), {}, 'first'))).toBe(10);
  });

  it('never sends what would be special again, and keeps other seeds', () => {
    expect(sentSeed(run(seeded(-3), { '1.seed': '0' }))).toBe(2 ** 49);
    expect(sentSeed(run(seeded(7)))).toBe(7);
    expect(sentSeed(run(seeded(-1.5)))).toBe(-1.5);
  });
});

describe("a run with rgthree's Random Unmuter", () => {
  function branches(...modes: readonly number[]): object {
    const seeds = modes.map((mode, index) => ({
      id: index + 1,
      type: 'Seed (rgthree)',
      mode,
      outputs: [{ name: 'SEED', type: 'INT' }],
      widgets_values: [index + 1],
    }));
    const ends = seeds.map(({ id }) => ({ name: id === 1 ? 'value' : 'other', type: 'INT', link: id }));
    const unmuter = {
      id: 8,
      type: 'Random Unmuter (rgthree)',
      inputs: seeds.map(({ id }) => ({ name: '', type: '*', link: id + 4 })),
    };
    return {
      nodes: [...seeds, { id: 7, type: 'Keep', inputs: ends }, unmuter],
      links: seeds.flatMap(({ id }) => [
        [id, id, 0, 7, id - 1, 'INT'],
        [id + 4, id, 0, 8, id - 1, 'INT'],
      ]),
    };
  }
  const sentNodes = ({ promptText }: PreparedRun): string[] => Object.keys(JSON.parse(promptText) as object);

  it('unmutes one of its inputs if all are muted, and says which in the workflow that it sends', () => {
    const sent = run(branches(2, 2));
    expect(sentNodes(sent)).toHaveLength(2);
    expect(sent.workflowText?.match(/"mode":0/g)).toHaveLength(1);
  });

  it('changes nothing if one is active', () => {
    expect(sentNodes(run(branches(2, 0)))).toEqual(['2', '7']);
  });

  it('looks into subgraphs that contain others many times, or themselves, only once', () => {
    const subgraphs = Array.from({ length: 40 }, (_, level) => ({
      id: `s${level}`,
      name: '',
      nodes: [1, 2].map((id) => ({ id, type: `s${(level + 1) % 40}`, mode: 2 })),
      links: [],
    }));
    const shown = [{ id: 7, type: 'Keep' }];
    const outer = { id: 1, type: 's0', mode: 2, outputs: [{ name: '', type: '*' }] };
    const unmuter = { id: 8, type: 'Random Unmuter (rgthree)', inputs: [{ name: '', type: '*', link: 5 }] };
    const graph = { nodes: [outer, ...shown, unmuter], links: [[5, 1, 0, 8, 0, '*']] };
    expect(() => run({ ...graph, definitions: { subgraphs } })).toThrow('contain');
  });

  it('finds its inputs behind reroutes, however many, and though they lead in a circle', () => {
    const last = 3000;
    const reroutes = Array.from({ length: last }, (_, index) => {
      const link = index + 100;
      return {
        id: link,
        type: 'Reroute',
        inputs: [{ name: '', type: '*', link }],
        outputs: [{ links: [link + 1] }],
      };
    });
    const [seed] = (branches(2) as { nodes: object[] }).nodes;
    const unmuter = {
      id: 8,
      type: 'Random Unmuter (rgthree)',
      inputs: [100 + last, 9000].map((link) => ({ name: '', type: '*', link })),
    };
    const circle = { id: 9, type: 'Reroute', inputs: [{ name: '', type: '*', link: 9001 }] };
    const graph = {
      nodes: [seed, ...reroutes, circle, { id: 7, type: 'Keep' }, unmuter],
      links: [
        [100, 1, 0, 100, 0, '*'],
        ...reroutes.slice(1).map(({ id }) => [id, id - 1, 0, id, 0, '*']),
        [100 + last, 99 + last, 0, 8, 0, '*'],
        [9000, 9, 0, 8, 1, '*'],
        [9001, 9, 0, 9, 0, '*'],
      ],
    };
    expect(sentNodes(run(graph))).toEqual(['1', '7']);
  });
});
