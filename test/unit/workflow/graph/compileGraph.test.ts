import { describe, expect, it } from 'vitest';

import { sourceTextIn } from '../../../../src/core/json/textEdit';
import type { CompileOptions } from '../../../../src/core/workflow/graph/compileGraph';
import { compile, promptOf, loader, sampler, graphOf, withInstance } from './graphs';

describe('compileGraph', () => {
  it('reads values by position, skips the control widget, and resolves links', () => {
    expect(promptOf(graphOf([loader, sampler()]))).toEqual({
      1: { inputs: { name: 'b.safetensors' }, class_type: 'Loader', _meta: { title: 'Loader' } },
      3: {
        inputs: { seed: 7, steps: 30, cfg: 7.5, model: ['1', 0] },
        class_type: 'Sampler',
        _meta: { title: 'Sampler' },
      },
    });
  });

  it('names the pack of a node after its title, as far as it is well formed', () => {
    const properties = { ver: 'v0.3.40', cnr_id: 'comfy-core', aux_id: 'name/', models: [] };
    const text = JSON.stringify(graphOf([{ ...loader, properties }]));
    const compiled = compile(text);
    expect(compiled.kind === 'compiled' && compiled.prompt.document.text).toContain(
      '"_meta":{"title":"Loader","cnr_id":"comfy-core","ver":"0.3.40"}',
    );
  });

  it('keeps every digit of integers and writes floats as the editor does', () => {
    const text = JSON.stringify(graphOf([loader, sampler()]));
    const compiled = compile(text.replace('[7,"fixed",30,7.5]', '[18446744073709551615,"fixed",30,7.0]'));
    expect(compiled.kind === 'compiled' && compiled.prompt.document.text).toContain(
      '"seed":18446744073709551615,"steps":30,"cfg":7,',
    );
  });

  it('reads links of version 1 and values by name', () => {
    const link = { id: 1, origin_id: 1, origin_slot: 0, target_id: 3, target_slot: 0, type: 'MODEL' };
    const graph = graphOf([loader, sampler({ widgets_values: { cfg: 2, seed: 5 } })], [link], { version: 1 });
    expect(promptOf(graph)['3']?.inputs).toEqual({ seed: 5, steps: 20, cfg: 2, model: ['1', 0] });
  });

  it('follows bypassed nodes by type, and reroutes', () => {
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
    const inputs = [{ name: 'MODEL', type: 'MODEL', link: 4 }];
    const set = { id: 4, type: 'SetNode', widgets_values: ['m'], inputs };
    const get = { id: 5, type: 'GetNode', widgets_values: ['m'], outputs: [{ type: 'MODEL', links: [1] }] };
    const links = [
      [4, 1, 0, 4, 0, 'MODEL'],
      [1, 5, 0, 3, 0, 'MODEL'],
    ];
    const prompt = promptOf(graphOf([loader, set, get, sampler()], links));
    expect(prompt['3']?.inputs.model).toEqual(['1', 0]);
    expect(Object.keys(prompt)).toEqual(['1', '3']);
  });

  it('writes the value of a primitive into the widgets it is linked to', () => {
    const outputs = [{ type: 'INT', links: [2] }];
    const primitive = { id: 4, type: 'PrimitiveNode', widgets_values: [99, 'fixed'], outputs };
    const seed = { name: 'seed', type: 'INT', widget: { name: 'seed' }, link: 2 };
    const graph = graphOf([primitive, sampler({ inputs: [seed] })], [[2, 4, 0, 3, 0, 'INT']]);
    expect(promptOf(graph)).toEqual({
      3: expect.objectContaining({ inputs: { seed: 99, steps: 30, cfg: 7.5 } }) as unknown,
    });
  });

  it('fits the number of a primitive to the range and step of its targets', () => {
    const sent = (value: unknown, links: number[], name = 'wide'): unknown => {
      const type = name === 'part' ? 'FLOAT' : 'INT';
      const primitive = { id: 4, type: 'PrimitiveNode', widgets_values: [value], outputs: [{ type }] };
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
    // What the output lists does not count.
    expect(sent(500, [77, 0])).toBe(504);
  });

  it('drops inputs of other branches of a dynamic combo, and keeps growing ones by name', () => {
    const inputsOf = (key: string, names: string[]): string[] => {
      const source = { id: 4, type: 'Count', outputs: [{ links: [] }] };
      const inputs = names.map((name, index) => ({ name, type: 'INT', link: index + 1 }));
      const links = names.map((_, index) => [index + 1, 4, 0, 1, index, 'INT']);
      const target = { id: 1, type: 'Collect', inputs, widgets_values: [key] };
      return Object.keys(promptOf(graphOf([source, target], links))['1']?.inputs ?? {});
    };
    expect(inputsOf('many', ['how.all.n0', 'how.all.n1'])).toEqual(['how', 'how.all.n0', 'how.all.n1']);
    // The editor loses what follows a gap; a server takes it.
    expect(inputsOf('many', ['how.all.n0', 'how.all.n2'])).toEqual(['how', 'how.all.n0', 'how.all.n2']);
    expect(inputsOf('many', ['how.all.n9'])).toEqual(['how']);
    expect(inputsOf('many', ['how.one'])).toEqual(['how']);
    expect(inputsOf('gone', ['how.all.n0'])).toEqual(['how']);
  });

  it('drops the values that old files keep for inputs without a widget', () => {
    const forced = (values: unknown[]): unknown => {
      return promptOf(graphOf([{ id: 1, type: 'Forced', widgets_values: values }], []))['1']?.inputs;
    };
    expect(forced([1, 2, 3])).toEqual({ first: 1, last: 3 });
    expect(forced([1, 3])).toEqual({ first: 1, last: 3 });
  });

  it('wraps lists, which the server would read as links', () => {
    const prompt = promptOf(graphOf([sampler({ inputs: [], widgets_values: [[1, 2], 'fixed', 3, 4] })], []));
    expect(prompt['3']?.inputs.seed).toEqual({ __value__: [1, 2] });
  });

  it('handles {a|b} as requested', () => {
    const encode = { id: 1, type: 'Encode', widgets_values: ['a {red|blue} hat // later'] };
    const textFor = (options: CompileOptions): unknown =>
      promptOf(graphOf([encode], []), options)['1']?.inputs.text;
    expect(textFor({})).toBe('a {red|blue} hat // later');
    expect(textFor({ dynamicPrompts: 'first' })).toBe('a red hat ');
    expect(textFor({ dynamicPrompts: 'random', random: () => 0.9 })).toBe('a blue hat ');
  });

  it('replaces dates and values of other nodes in file names', () => {
    const prefix = 'x/%date:yyyy-MM-dd%/%date:yy-yyy-y%/%Loader.name%/%nothing%';
    const save = { id: 2, type: 'SaveImage', widgets_values: [prefix] };
    const prompt = promptOf(graphOf([loader, save], []), { now: new Date(2026, 0, 5) });
    expect(prompt['2']?.inputs.filename_prefix).toBe('x/2026-01-05/26-yyy-y/b.safetensors/%nothing%');
  });

  it('sends unknown types with their name, and drops decoration', () => {
    const unknown = { id: 4, type: 'Elsewhere', inputs: [{ name: 'model', type: 'MODEL', link: 1 }] };
    const graph = graphOf([loader, unknown, { id: 5, type: 'Sticker' }]);
    expect(promptOf(graph)['4']).toMatchObject({ class_type: 'Elsewhere', inputs: { model: ['1', 0] } });
    expect(promptOf(graph)).not.toHaveProperty('5');
    expect(compile(graph)).toMatchObject({ warnings: [{ code: 'unknown-node' }] });
  });

  it.each<[string, object, object]>([
    [
      'the slots of the widgets',
      {
        inputs: [slotOf('model'), slotOf('text', 'text'), slotOf('seed', 'seed')],
        widgets_values: ['a', 5, 'fixed'],
      },
      { text: 'a', seed: 5 },
    ],
    ['an object of values', { widgets_values: { text: 'a', videopreview: { hidden: true } } }, { text: 'a' }],
    [
      'the names beside the list',
      { widgets_values: ['a', 5], widgets_values_named: { text: 'a', n: 5 } },
      { text: 'a', n: 5 },
    ],
    ['nothing, since there is no value', { widgets_values: [] }, {}],
  ])('keeps the values of an unknown type by %s', (_, node, inputs) => {
    const graph = graphOf([{ id: 4, type: 'Elsewhere', inputs: [slotOf('x')], ...node }], []);
    expect(promptOf(graph)['4']?.inputs).toEqual(inputs);
    expect(compile(graph)).toMatchObject({ warnings: [{ code: 'unknown-node' }] });
  });

  it.each<[string, object]>([
    ['no widget has a name', { inputs: [slotOf('model')], widgets_values: ['a', 5] }],
    ['some widgets have none', { inputs: [slotOf('text', 'text')], widgets_values: ['a', 5] }],
  ])('says that an unknown type loses its values when %s', (_, node) => {
    const compiled = compile(graphOf([{ id: 4, type: 'Elsewhere', title: 'Far', ...node }], []));
    if (compiled.kind === 'failed') throw new Error(compiled.problem.message);
    expect(JSON.parse(compiled.prompt.document.text)).toMatchObject({ '4': { inputs: {} } });
    expect(compiled.warnings).toMatchObject([{ code: 'values-lost', nodeId: '4' }]);
    expect(compiled.warnings[0]?.message).toBe(
      "Far (node 4) loses its values (2), because the server doesn't have the node type Elsewhere and the file doesn't name its widgets. Use a server that has it.",
    );
  });

  it('compiles links that the ComfyUI editor would not read, and says so', () => {
    const compiled = compile({ ...graphOf([loader, sampler()]), version: undefined });
    expect(compiled).toMatchObject({ kind: 'compiled', warnings: [{ code: 'links-not-read' }] });
    expect(compiled).toHaveProperty('prompt.document.text', expect.stringContaining('"model":["1",0]'));
  });

  it('rejects links from missing nodes, at their place', () => {
    const text = JSON.stringify(graphOf([sampler()]));
    const compiled = compile(text);
    if (compiled.kind !== 'failed') throw new Error('not refused');
    expect(compiled.problem.code).toBe('origin-missing');
    expect(sourceTextIn(text, compiled.problem.node)).toContain('"name":"model"');
  });

  it('rejects cycles of reroutes and subgraphs that contain themselves', () => {
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

describe('any input', () => {
  const text = JSON.stringify(withInstance({ widgets_values: [42] }));
  it.each([1e100, 2 ** 53, Number.MAX_SAFE_INTEGER])('ends when the counter of IDs is %d', (last) => {
    const counted = JSON.parse(text) as {
      readonly definitions: { readonly subgraphs: readonly [{ readonly nodes: object[] }] };
    };
    counted.definitions.subgraphs[0].nodes.push({ id: 5, type: 'Count' });
    expect(compile(JSON.stringify({ ...counted, last_node_id: last })).kind).toBe('compiled');
  });
});

function slotOf(name: string, widget?: string): object {
  return { name, type: '*', link: null, ...(widget !== undefined && { widget: { name: widget } }) };
}
