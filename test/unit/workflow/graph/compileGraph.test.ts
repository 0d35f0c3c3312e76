import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../../src/core/catalog/catalog';
import type { JsonNode } from '../../../../src/core/json/node';
import { applyEdits, replaceValue, textOf } from '../../../../src/core/json/textEdit';
import { parseJson } from '../../../../src/core/json/tree';
import {
  compileGraph,
  type CompileOptions,
  type GraphCompilation,
} from '../../../../src/core/workflow/graph/compileGraph';
import { valuesOf } from '../../../support/jsonValues';

const catalog = Catalog.fromDefinitions({
  Loader: { input: { required: { name: [['a.safetensors', 'b.safetensors']] } }, output: ['MODEL', 'CLIP'] },
  Encode: {
    input: { required: { clip: ['CLIP'], text: ['STRING', { multiline: true, dynamicPrompts: true }] } },
    output: ['CONDITIONING'],
    display_name: 'Encode Text',
  },
  Sampler: {
    input: {
      required: {
        model: ['MODEL'],
        positive: ['CONDITIONING'],
        seed: ['INT', { default: 0, max: 100, control_after_generate: true }],
        steps: ['INT', { default: 20 }],
        cfg: ['FLOAT', { default: 8 }],
      },
    },
    output: ['LATENT'],
  },
  Resize: {
    input: {
      required: {
        image: ['IMAGE'],
        how: [
          'COMFY_DYNAMICCOMBO_V3',
          {
            options: [
              { key: 'size', inputs: { required: { width: ['INT', { default: 1 }], height: ['INT', {}] } } },
              { key: 'factor', inputs: { required: { by: ['FLOAT', { default: 1 }] } } },
            ],
          },
        ],
        method: [['near', 'far']],
      },
    },
    output: ['IMAGE'],
  },
  Forced: {
    input: { required: { first: ['INT', {}], wired: ['INT', { forceInput: true }], last: ['INT', {}] } },
    output: [],
  },
  SaveImage: { input: { required: { images: ['IMAGE'], filename_prefix: ['STRING', {}] } }, output: [] },
});

function compile(graph: unknown, options?: CompileOptions): GraphCompilation {
  const document = parseJson(typeof graph === 'string' ? graph : JSON.stringify(graph));
  if (!document.root) throw new Error('no JSON');
  return compileGraph(document, document.root, catalog, options);
}

interface PlainNode {
  readonly inputs: Record<string, unknown>;
  readonly class_type: string;
}

function promptOf(graph: unknown, options?: CompileOptions): Record<string, PlainNode> {
  const compiled = compile(graph, options);
  if (compiled.kind === 'failed') throw new Error(compiled.problem.message);
  return JSON.parse(compiled.promptText) as Record<string, PlainNode>;
}

const loader = { id: 1, type: 'Loader', widgets_values: ['b.safetensors'], outputs: [{}, {}] };

function sampler(more: object = {}): object {
  return {
    id: 3,
    type: 'Sampler',
    inputs: [
      { name: 'model', type: 'MODEL', link: 1 },
      { name: 'positive', type: 'CONDITIONING', link: null },
    ],
    widgets_values: [7, 'fixed', 30, 7.5],
    ...more,
  };
}

function graphOf(nodes: unknown[], links: unknown[] = [[1, 1, 0, 3, 0, 'MODEL']], more: object = {}): object {
  return { last_node_id: 9, last_link_id: 9, nodes, links, version: 0.4, ...more };
}

describe('compileGraph', () => {
  it('takes values by position, jumps over the control, and names what a link comes from', () => {
    expect(promptOf(graphOf([loader, sampler()]))).toEqual({
      1: { inputs: { name: 'b.safetensors' }, class_type: 'Loader', _meta: { title: 'Loader' } },
      3: {
        inputs: { seed: 7, steps: 30, cfg: 7.5, model: ['1', 0] },
        class_type: 'Sampler',
        _meta: { title: 'Sampler' },
      },
    });
  });

  it('keeps every digit of integers and writes floats as the editor does', () => {
    const text = JSON.stringify(graphOf([loader, sampler()]));
    const compiled = compile(text.replace('[7,"fixed",30,7.5]', '[18446744073709551615,"fixed",30,7.0]'));
    expect(compiled.kind === 'compiled' && compiled.promptText).toContain(
      '"seed":18446744073709551615,"steps":30,"cfg":7,',
    );
  });

  it('reads links of version 1 and values by name', () => {
    const link = { id: 1, origin_id: 1, origin_slot: 0, target_id: 3, target_slot: 0, type: 'MODEL' };
    const graph = graphOf([loader, sampler({ widgets_values: { cfg: 2, seed: 5 } })], [link], { version: 1 });
    expect(promptOf(graph)['3']?.inputs).toEqual({ seed: 5, steps: 20, cfg: 2, model: ['1', 0] });
  });

  it('leaves muted nodes out with the links to them', () => {
    const prompt = promptOf(graphOf([{ ...loader, mode: 2 }, sampler()]));
    expect(prompt).toEqual({
      3: expect.objectContaining({ inputs: { seed: 7, steps: 30, cfg: 7.5 } }) as unknown,
    });
  });

  it('goes through bypassed nodes by type, and through reroutes', () => {
    const middle = { inputs: [{ name: '', type: '*', link: 4 }], outputs: [{ type: '*', links: [1] }] };
    const links = [
      [4, 1, 0, 2, 0, 'MODEL'],
      [1, 2, 0, 3, 0, 'MODEL'],
    ];
    for (const through of [
      { id: 2, type: 'Reroute', ...middle },
      { id: 2, type: 'Anything', mode: 4, ...middle },
      { id: 2, type: 'Reroute (rgthree)', ...middle },
    ]) {
      expect(promptOf(graphOf([loader, through, sampler()], links))['3']?.inputs.model).toEqual(['1', 0]);
    }
  });

  it('finds the setter of a getter', () => {
    const set = {
      id: 4,
      type: 'SetNode',
      widgets_values: ['m'],
      inputs: [{ name: 'MODEL', type: 'MODEL', link: 4 }],
    };
    const get = { id: 5, type: 'GetNode', widgets_values: ['m'], outputs: [{ type: 'MODEL', links: [1] }] };
    const links = [
      [4, 1, 0, 4, 0, 'MODEL'],
      [1, 5, 0, 3, 0, 'MODEL'],
    ];
    const prompt = promptOf(graphOf([loader, set, get, sampler()], links));
    expect(prompt['3']?.inputs.model).toEqual(['1', 0]);
    expect(Object.keys(prompt)).toEqual(['1', '3']);
  });

  it('writes the value of a primitive into the widgets that it feeds', () => {
    const primitive = {
      id: 4,
      type: 'PrimitiveNode',
      widgets_values: [99, 'fixed'],
      outputs: [{ type: 'INT' }],
    };
    const seed = { name: 'seed', type: 'INT', widget: { name: 'seed' }, link: 2 };
    const graph = graphOf([primitive, sampler({ inputs: [seed] })], [[2, 4, 0, 3, 0, 'INT']]);
    expect(promptOf(graph)).toEqual({
      3: expect.objectContaining({ inputs: { seed: 99, steps: 30, cfg: 7.5 } }) as unknown,
    });
  });

  it('expands dynamic combos from left to right', () => {
    const resize = (values: unknown[]): unknown => {
      return promptOf(graphOf([{ id: 1, type: 'Resize', widgets_values: values }], []))['1']?.inputs;
    };
    expect(resize(['size', 4, 5, 'far'])).toEqual({
      how: 'size',
      'how.width': 4,
      'how.height': 5,
      method: 'far',
    });
    expect(resize(['factor', 2, 'far'])).toEqual({ how: 'factor', 'how.by': 2, method: 'far' });
    expect(resize([])).toEqual({ how: 'size', 'how.width': 1, 'how.height': 0, method: 'near' });
  });

  it('drops the values that old files keep for inputs without a widget', () => {
    const forced = (values: unknown[]): unknown => {
      return promptOf(graphOf([{ id: 1, type: 'Forced', widgets_values: values }], []))['1']?.inputs;
    };
    expect(forced([1, 2, 3])).toEqual({ first: 1, last: 3 });
    expect(forced([1, 3])).toEqual({ first: 1, last: 3 });
  });

  it('wraps lists, which the server would take for links', () => {
    const prompt = promptOf(graphOf([sampler({ inputs: [], widgets_values: [[1, 2], 'fixed', 3, 4] })], []));
    expect(prompt['3']?.inputs.seed).toEqual({ __value__: [1, 2] });
  });

  it('does with {a|b} what it is told', () => {
    const encode = { id: 1, type: 'Encode', widgets_values: ['a {red|blue} hat // later'] };
    const textFor = (options: CompileOptions): unknown =>
      promptOf(graphOf([encode], []), options)['1']?.inputs.text;
    expect(textFor({})).toBe('a {red|blue} hat // later');
    expect(textFor({ dynamicPrompts: 'first' })).toBe('a red hat ');
    expect(textFor({ dynamicPrompts: 'random', random: () => 0.9 })).toBe('a blue hat ');
  });

  it('replaces dates and values of other nodes in file names', () => {
    const prefix = 'x/%date:yyyy-MM-dd%/%Loader.name%/%nothing%';
    const save = { id: 2, type: 'SaveImage', widgets_values: [prefix] };
    const prompt = promptOf(graphOf([loader, save], []), { now: new Date(2026, 0, 5) });
    expect(prompt['2']?.inputs.filename_prefix).toBe('x/2026-01-05/b.safetensors/%nothing%');
  });

  it('sends unknown types with their name, and drops decoration', () => {
    const unknown = { id: 4, type: 'Elsewhere', inputs: [{ name: 'model', type: 'MODEL', link: 1 }] };
    const compiled = compile(graphOf([loader, unknown, { id: 5, type: 'Sticker' }]));
    if (compiled.kind === 'failed') throw new Error(compiled.problem.message);
    const prompt = JSON.parse(compiled.promptText) as Record<string, PlainNode>;
    expect(prompt['4']).toMatchObject({ class_type: 'Elsewhere', inputs: { model: ['1', 0] } });
    expect(prompt).not.toHaveProperty('5');
    expect(compiled.warnings.map(({ code }) => code)).toEqual(['unknown-node']);
  });

  it('refuses links that are not there, at their place', () => {
    const document = parseJson(JSON.stringify(graphOf([sampler()], [])));
    const compiled = document.root && compileGraph(document, document.root, catalog);
    if (compiled?.kind !== 'failed') throw new Error('not refused');
    expect(compiled.problem.code).toBe('link-missing');
    expect(textOf(document.text, compiled.problem.node)).toContain('"name":"model"');
  });

  it('refuses circles of reroutes and subgraphs that contain themselves', () => {
    const reroute = (id: number, link: number): object => ({
      id,
      type: 'Reroute',
      inputs: [{ name: '', link }],
      outputs: [{}],
    });
    const links = [
      [1, 5, 0, 3, 0, '*'],
      [2, 6, 0, 5, 0, '*'],
      [3, 5, 0, 6, 0, '*'],
    ];
    const circle = compile(graphOf([sampler(), reroute(5, 2), reroute(6, 3)], links));
    expect(circle).toMatchObject({ kind: 'failed', problem: { code: 'link-loop' } });
    const definition = { id: 'self', nodes: [{ id: 1, type: 'self' }], links: [], inputs: [], outputs: [] };
    const self = compile(
      graphOf([{ id: 1, type: 'self' }], [], { definitions: { subgraphs: [definition] } }),
    );
    expect(self).toMatchObject({ kind: 'failed', problem: { code: 'subgraph-loop' } });
  });
});

/** A subgraph with one sampler inside whose seed and model come from the instance. */
const subgraph = {
  id: 'inner',
  name: 'Inside',
  nodes: [
    {
      id: 1,
      type: 'Sampler',
      inputs: [
        { name: 'model', type: 'MODEL', link: 10 },
        { name: 'seed', type: 'INT', widget: { name: 'seed' }, link: 11 },
      ],
      outputs: [{ type: 'LATENT', links: [12] }],
      widgets_values: [1, 'fixed', 2, 3],
    },
  ],
  links: [
    { id: 10, origin_id: -10, origin_slot: 0, target_id: 1, target_slot: 0, type: 'MODEL' },
    { id: 11, origin_id: -10, origin_slot: 1, target_id: 1, target_slot: 1, type: 'INT' },
    { id: 12, origin_id: 1, origin_slot: 0, target_id: -20, target_slot: 0, type: 'LATENT' },
  ],
  inputs: [
    { name: 'model', type: 'MODEL', linkIds: [10] },
    { name: 'seed', type: 'INT', linkIds: [11] },
  ],
  outputs: [{ name: 'LATENT', type: 'LATENT', linkIds: [12] }],
};

function withInstance(more: object): object {
  const instance = {
    id: 5,
    type: 'inner',
    inputs: [{ name: 'model', type: 'MODEL', link: 1 }],
    outputs: [{ type: 'LATENT' }],
    ...more,
  };
  return graphOf([loader, instance], [[1, 1, 0, 5, 0, 'MODEL']], { definitions: { subgraphs: [subgraph] } });
}

describe('subgraphs', () => {
  it('are unfolded under the id of the instance; an inner id that the root has gets a new one', () => {
    const prompt = promptOf(withInstance({}));
    expect(Object.keys(prompt)).toEqual(['1', '5:10']);
    expect(prompt['5:10']?.inputs).toEqual({ seed: 1, steps: 2, cfg: 3, model: ['1', 0] });
  });

  it('take the values of the instance, or those inside where the file says so', () => {
    expect(promptOf(withInstance({ widgets_values: [42] }))['5:10']?.inputs.seed).toBe(42);
    const proxied = { widgets_values: [42], properties: { proxyWidgets: [['1', 'seed']] } };
    expect(promptOf(withInstance(proxied))['5:10']?.inputs.seed).toBe(1);
  });

  it('stay folded when muted', () => {
    expect(Object.keys(promptOf(withInstance({ mode: 2 })))).toEqual(['1']);
  });

  it('lead back to the text', () => {
    const document = parseJson(JSON.stringify(withInstance({ widgets_values: [42] })));
    const compiled = document.root && compileGraph(document, document.root, catalog);
    if (compiled?.kind !== 'compiled') throw new Error('refused');
    const { source } = compiled;
    const shown = (node: JsonNode | undefined): string => (node ? textOf(document.text, node) : 'nothing');
    expect(shown(source.input('5:10', 'seed'))).toBe('42');
    expect(shown(source.input('5:10', 'steps'))).toBe('2');
    expect(shown(source.input('1', 'name'))).toBe('"b.safetensors"');
    expect(source.node('5:10')).toMatchObject({ graphNodeId: '1' });
    const [instance] = source.node('5:10')?.path ?? [];
    expect(instance && source.executedIds(instance)).toEqual(['5:10']);
    expect(source.node('77')).toBeUndefined();
  });
});

describe('group nodes', () => {
  it('become subgraphs with values from the instance and new numbers after the last', () => {
    const group = {
      nodes: [
        { type: 'Loader', index: 0, widgets_values: ['a.safetensors'], outputs: [{}, {}] },
        {
          type: 'Encode',
          index: 1,
          inputs: [{ name: 'clip', type: 'CLIP', link: null }],
          widgets_values: ['inner'],
        },
      ],
      links: [[0, 1, 1, 0, 1, 'CLIP']],
      external: [],
    };
    const instance = {
      id: 2,
      type: 'workflow>Pair',
      widgets_values: ['b.safetensors', 'outer'],
      outputs: [{}],
    };
    const prompt = promptOf(graphOf([instance], [], { extra: { groupNodes: { Pair: group } } }));
    expect(Object.keys(prompt)).toEqual(['12:10', '12:11']);
    expect(prompt['12:11']?.inputs).toEqual({ text: 'outer', clip: ['12:10', 1] });
  });
});

describe('any input', () => {
  const text = JSON.stringify(withInstance({ widgets_values: [42] }));
  const mutated = fc
    .array(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 2 })), { minLength: 1, maxLength: 4 })
    .map((changes) => {
      return changes.reduce((before, [place, value]) => {
        const values = valuesOf(parseJson(before).root);
        const target = values[place % values.length];
        return target ? applyEdits(before, [replaceValue(target, JSON.stringify(value))]) : before;
      }, text);
    });

  it('is compiled or refused, never thrown at, and each time the same', () => {
    fc.assert(
      fc.property(mutated, (each) => {
        const [first, second] = [compile(each), compile(each)];
        expect(first.kind).toBe(second.kind);
        if (first.kind === 'compiled' && second.kind === 'compiled') {
          expect(first.promptText).toBe(second.promptText);
          expect(parseJson(first.promptText).problems).toEqual([]);
          for (const id of Object.keys(JSON.parse(first.promptText) as object)) {
            const source = first.source.node(id);
            expect(source && first.source.executedIds(source.node)).toContain(id);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
