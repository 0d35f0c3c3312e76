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
  Count: { input: {}, output: ['INT'] },
  Canvas: {
    input: {
      required: {
        wide: ['INT', { default: 16, min: 16, max: 1024, step: 8 }],
        high: ['INT', { default: 16, min: 16, max: 2048, step: 16 }],
        part: ['FLOAT', { default: 0, min: 0, max: 1, step: 0.01 }],
      },
    },
    output: [],
  },
  Collect: {
    input: {
      required: {
        how: [
          'COMFY_DYNAMICCOMBO_V3',
          {
            options: [
              { key: 'one', inputs: { required: { one: ['THING', {}] } } },
              {
                key: 'many',
                inputs: {
                  required: {
                    all: [
                      'COMFY_AUTOGROW_V3',
                      {
                        template: { input: { required: { n: ['THING', {}] } }, prefix: 'n', min: 0, max: 5 },
                      },
                    ],
                  },
                },
              },
            ],
          },
        ],
      },
    },
    output: [],
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
      outputs: [{ type: 'INT', links: [2] }],
    };
    const seed = { name: 'seed', type: 'INT', widget: { name: 'seed' }, link: 2 };
    const graph = graphOf([primitive, sampler({ inputs: [seed] })], [[2, 4, 0, 3, 0, 'INT']]);
    expect(promptOf(graph)).toEqual({
      3: expect.objectContaining({ inputs: { seed: 99, steps: 30, cfg: 7.5 } }) as unknown,
    });
  });

  it('brings the number of a primitive to the range and the steps of what it feeds', () => {
    const sent = (value: unknown, links: number[], name = 'wide'): unknown => {
      const primitive = { id: 4, type: 'PrimitiveNode', widgets_values: [value], outputs: [{ links }] };
      const inputs = ['wide', 'high', 'part'].map((each, index) => {
        return {
          name: each,
          type: 'INT',
          widget: { name: each },
          link: links.includes(index) ? index : null,
        };
      });
      const target = { id: 1, type: 'Canvas', inputs, widgets_values: [32, 48, 0.5] };
      const table = links.filter((link) => link < 3).map((link) => [link, 4, 0, 1, link, 'INT']);
      return promptOf(graphOf([primitive, target], table))['1']?.inputs[name];
    };
    expect(sent(501, [0])).toBe(504);
    expect(sent(99999, [0])).toBe(1024);
    expect(sent(500, [0, 1], 'high')).toBe(512);
    expect(sent('many', [0])).toBeNull();
    expect(sent(0.12345, [2], 'part')).toBe(0.12);
    // Without a first link that is there, a primitive has no widget and writes nothing.
    expect(sent(500, [77, 0])).toBe(32);
  });

  it('gives a primitive without a value the one of the first widget that it feeds', () => {
    const primitive = { id: 4, type: 'PrimitiveNode', outputs: [{ links: [1, 2] }] };
    const inputs = ['wide', 'high'].map((name, index) => {
      return { name, type: 'INT', widget: { name }, link: index + 1 };
    });
    const links = [
      [1, 4, 0, 1, 0, 'INT'],
      [2, 4, 0, 1, 1, 'INT'],
    ];
    const target = { id: 1, type: 'Canvas', inputs, widgets_values: [64, 128, 0.5] };
    expect(promptOf(graphOf([primitive, target], links))['1']?.inputs).toMatchObject({ wide: 64, high: 64 });
  });

  it('drops inputs of widgets that a class no longer has; of two neighbours the second stays', () => {
    const source = { id: 4, type: 'Count', outputs: [{ links: [1, 2] }] };
    const inputs = ['old', 'older'].map((name, index) => {
      return { name, type: 'INT', widget: { name }, link: index + 1 };
    });
    const links = [
      [1, 4, 0, 1, 0, 'INT'],
      [2, 4, 0, 1, 1, 'INT'],
    ];
    const sent = promptOf(graphOf([source, { id: 1, type: 'Canvas', inputs }], links))['1']?.inputs;
    expect(sent).toEqual({ wide: 16, high: 16, part: 0, older: ['4', 0] });
  });

  it('drops inputs of other branches of a dynamic combo, and grown ones behind a gap', () => {
    const inputsOf = (key: string, names: string[]): string[] => {
      const source = { id: 4, type: 'Count', outputs: [{ links: [] }] };
      const inputs = names.map((name, index) => ({ name, type: 'INT', link: index + 1 }));
      const links = names.map((_, index) => [index + 1, 4, 0, 1, index, 'INT']);
      const target = { id: 1, type: 'Collect', inputs, widgets_values: [key] };
      return Object.keys(promptOf(graphOf([source, target], links))['1']?.inputs ?? {});
    };
    expect(inputsOf('many', ['how.all.n0', 'how.all.n1'])).toEqual(['how', 'how.all.n0', 'how.all.n1']);
    expect(inputsOf('many', ['how.all.n0', 'how.all.n2'])).toEqual(['how', 'how.all.n0']);
    expect(inputsOf('many', ['how.one'])).toEqual(['how']);
    expect(inputsOf('gone', ['how.all.n0'])).toEqual(['how']);
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

  it('takes null in a text field for an empty text', () => {
    expect(promptOf(graphOf([{ id: 1, type: 'Encode', widgets_values: [null] }], []))['1']?.inputs.text).toBe(
      '',
    );
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

  it('warns of nodes that add links in the browser', () => {
    const compiled = compile(graphOf([{ id: 1, type: 'Anything Everywhere', inputs: [{ name: 'in' }] }], []));
    expect(compiled).toMatchObject({ kind: 'compiled', warnings: [{ code: 'links-by-pack' }] });
  });

  it('compiles links that the page would not read, and says so', () => {
    const compiled = compile({ ...graphOf([loader, sampler()]), version: undefined });
    expect(compiled).toMatchObject({ kind: 'compiled', warnings: [{ code: 'links-not-read' }] });
    expect(compiled).toHaveProperty('promptText', expect.stringContaining('"model":["1",0]'));
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

function seedOf(more: object): unknown {
  return promptOf(withInstance(more))['5:10']?.inputs.seed;
}

describe('subgraphs', () => {
  it('are unfolded under the id of the instance; an inner id that the root has gets a new one', () => {
    const prompt = promptOf(withInstance({}));
    expect(Object.keys(prompt)).toEqual(['1', '5:10']);
    expect(prompt['5:10']?.inputs).toEqual({ seed: 1, steps: 2, cfg: 3, model: ['1', 0] });
  });

  it('take the values of the instance, or those inside where the file says so', () => {
    expect(seedOf({ widgets_values: [42] })).toBe(42);
    expect(seedOf({ widgets_values: [] })).toBe(1);
    const lost = [{ originalEntry: ['-1', 'seed'], reason: 'missingSubgraphInput', hostValue: 77 }];
    expect(seedOf({ widgets_values: [42], properties: { proxyWidgetErrorQuarantine: lost } })).toBe(77);
  });

  it('take values at the places where proxyWidgets names their widgets', () => {
    const proxies = [
      ['1', 'steps'],
      ['1', 'seed'],
    ];
    const given = { widgets_values: [42, 7], properties: { proxyWidgets: proxies } };
    expect(promptOf(withInstance(given))['5:10']?.inputs).toMatchObject({ seed: 7, steps: 42 });
    expect(seedOf({ widgets_values: [], properties: { proxyWidgets: proxies } })).toBe(1);
    expect(seedOf({ widgets_values: [5, 6], properties: { proxyWidgets: JSON.stringify(proxies) } })).toBe(6);
    // Where one entry is none, the editor reads none of them.
    expect(seedOf({ widgets_values: [5, 6], properties: { proxyWidgets: [...proxies, [1, 'cfg']] } })).toBe(
      5,
    );
  });

  it('make the first option of a combo of null, which is kept otherwise', () => {
    const shown = (type: string, name: string): unknown => {
      const inputs = [{ name, type: 'STRING', widget: { name }, link: 1 }];
      const definition = {
        id: 'one',
        nodes: [{ id: 3, type, inputs }],
        links: [{ id: 1, origin_id: -10, origin_slot: 0, target_id: 3, target_slot: 0, type: 'STRING' }],
        inputs: [{ name, type: 'STRING', linkIds: [1] }],
        outputs: [],
      };
      const instance = { id: 5, type: 'one', inputs: [], widgets_values: [null] };
      return promptOf(graphOf([instance], [], { definitions: { subgraphs: [definition] } }))['5:3']?.inputs[
        name
      ];
    };
    expect(shown('Loader', 'name')).toBe('a.safetensors');
    expect(shown('Sampler', 'steps')).toBeNull();
  });

  it('cut what an inner widget is linked to once the instance shows it', () => {
    const source = { id: 4, type: 'Count', outputs: [{ type: 'INT', links: [13] }] };
    const steps = { name: 'steps', type: 'INT', widget: { name: 'steps' }, link: 13 };
    const [inner] = subgraph.nodes;
    const fed = {
      ...subgraph,
      nodes: [{ ...inner, inputs: [...(inner?.inputs ?? []), steps] }, source],
      links: [
        ...subgraph.links,
        { id: 13, origin_id: 4, origin_slot: 0, target_id: 1, target_slot: 2, type: 'INT' },
      ],
    };
    const stepsOf = (more: object): unknown => {
      const definitions = { definitions: { subgraphs: [fed] } };
      return promptOf({ ...withInstance(more), ...definitions })['5:10']?.inputs.steps;
    };
    expect(stepsOf({})).toEqual(['5:4', 0]);
    expect(stepsOf({ properties: { proxyWidgets: [['1', 'steps: none']] } })).toEqual(['5:4', 0]);
    expect(stepsOf({ properties: { proxyWidgets: [['1', '1: steps']] } })).toBe(2);
    expect(stepsOf({ widgets_values: [9], properties: { proxyWidgets: [['1', 'steps']] } })).toBe(9);
  });

  it('stay folded when muted in the root; deeper ones are as active as the nodes inside them', () => {
    expect(Object.keys(promptOf(withInstance({ mode: 2 })))).toEqual(['1']);
    const outer = {
      id: 'outer',
      nodes: [{ id: 6, type: 'inner', mode: 2, inputs: [{ name: 'model', type: 'MODEL', link: 1 }] }],
      links: [{ id: 1, origin_id: -10, origin_slot: 0, target_id: 6, target_slot: 0, type: 'MODEL' }],
      inputs: [{ name: 'model', type: 'MODEL', linkIds: [1] }],
      outputs: [],
    };
    const definitions = { definitions: { subgraphs: [subgraph, outer] } };
    const prompt = promptOf({ ...withInstance({ type: 'outer' }), ...definitions });
    expect(Object.keys(prompt)).toEqual(['1', '5:6:10']);
  });

  it('are refused where an output is an input, or a way leads twice through one inner node', () => {
    const end = sampler({ inputs: [{ name: 'model', type: 'MODEL', link: 3 }] });
    const passing = (inner: object): GraphCompilation => {
      const slots = { inputs: [{ name: 'in', type: 'MODEL', link: 1 }], outputs: [{ links: [2] }] };
      const first = { id: 5, type: 'pass', ...slots };
      const second = { id: 6, type: 'pass', inputs: [{ name: 'in', type: 'MODEL', link: 2 }] };
      const links = [
        [1, 1, 0, 5, 0, 'MODEL'],
        [2, 5, 0, 6, 0, 'MODEL'],
        [3, 6, 0, 3, 0, 'MODEL'],
      ];
      return compile(graphOf([loader, first, second, end], links, { definitions: { subgraphs: [inner] } }));
    };
    const ends = { id: 'pass', inputs: [{ name: 'in', type: 'MODEL', linkIds: [1] }] };
    const straight = {
      ...ends,
      nodes: [],
      links: [{ id: 1, origin_id: -10, origin_slot: 0, target_id: -20, target_slot: 0, type: 'MODEL' }],
      outputs: [{ name: 'out', type: 'MODEL', linkIds: [1] }],
    };
    expect(passing(straight)).toMatchObject({ kind: 'failed', problem: { code: 'origin-missing' } });
    const rerouted = {
      ...ends,
      nodes: [{ id: 30, type: 'Reroute', inputs: [{ name: '', link: 1 }], outputs: [{ links: [2] }] }],
      links: [
        { id: 1, origin_id: -10, origin_slot: 0, target_id: 30, target_slot: 0, type: 'MODEL' },
        { id: 2, origin_id: 30, origin_slot: 0, target_id: -20, target_slot: 0, type: 'MODEL' },
      ],
      outputs: [{ name: 'out', type: 'MODEL', linkIds: [2] }],
    };
    expect(passing(rerouted)).toMatchObject({ kind: 'failed', problem: { code: 'link-loop' } });
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
  it('stay folded with an unknown node inside, which the warning names', () => {
    const group = {
      nodes: [
        { type: 'Loader', index: 0 },
        { type: 'Lost', index: 1 },
      ],
      links: [],
      external: [],
    };
    const node = { id: 1, type: 'workflow/Pair', inputs: [], outputs: [{ name: 'MODEL', type: 'MODEL' }] };
    const compiled = compile(graphOf([node], [], { extra: { groupNodes: { Pair: group } } }));
    if (compiled.kind === 'failed') throw new Error('refused');
    expect(Object.keys(JSON.parse(compiled.promptText) as object)).toEqual(['1']);
    expect(compiled.warnings.map(({ message }) => message)).toEqual([expect.stringContaining('Lost')]);
  });

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
