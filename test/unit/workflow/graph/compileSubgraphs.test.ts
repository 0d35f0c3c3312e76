import { readGraph } from '../../../../src/core/workflow/graph/graph';
import { describe, expect, it } from 'vitest';

import type { JsonNode } from '../../../../src/core/json/node';
import { sourceTextIn } from '../../../../src/core/json/textEdit';
import { parseJson } from '../../../../src/core/json/tree';
import { compileGraph, type GraphCompilation } from '../../../../src/core/workflow/graph/compileGraph';
import {
  catalog,
  compile,
  promptOf,
  loader,
  sampler,
  graphOf,
  subgraph,
  withInstance,
  seedOf,
} from './graphs';

const steps = { name: 'steps', type: 'INT', widget: { name: 'steps' }, link: 13 };

/** The subgraph whose sampler also has a slot for its steps, and what else is given. */
function withSteps(nodes: readonly object[], links: readonly object[], more: object = {}): object {
  const [inner] = subgraph.nodes;
  const sampler = { ...inner, inputs: [...(inner?.inputs ?? []), steps] };
  return { ...subgraph, nodes: [sampler, ...nodes], links: [...subgraph.links, ...links], ...more };
}

/** What the sampler inside the instance of a subgraph gets. */
function sentInside(definition: object, more: object): Record<string, unknown> | undefined {
  return promptOf({ ...withInstance(more), definitions: { subgraphs: [definition] } })['5:10']?.inputs;
}

describe('subgraphs', () => {
  it('are expanded under the ID of the instance; an inner ID used in the root gets a new one', () => {
    const prompt = promptOf(withInstance({}));
    expect(Object.keys(prompt)).toEqual(['1', '5:10']);
    expect(prompt['5:10']?.inputs).toEqual({ seed: 1, steps: 2, cfg: 3, model: ['1', 0] });
  });

  it('use the values of the instance, or the inner ones if the file says so', () => {
    expect(seedOf({ widgets_values: [42] })).toBe(42);
    expect(seedOf({ widgets_values: [] })).toBe(1);
    const lost = [{ originalEntry: ['-1', 'seed'], reason: 'missingSubgraphInput', hostValue: 77 }];
    expect(seedOf({ widgets_values: [42], properties: { proxyWidgetErrorQuarantine: lost } })).toBe(77);
  });

  it('read values at the index of their entry in proxyWidgets', () => {
    const proxies = [
      ['1', 'steps'],
      ['1', 'seed'],
    ];
    const given = { widgets_values: [42, 7], properties: { proxyWidgets: proxies } };
    expect(promptOf(withInstance(given))['5:10']?.inputs).toMatchObject({ seed: 7, steps: 42 });
    expect(seedOf({ widgets_values: [], properties: { proxyWidgets: proxies } })).toBe(1);
    const seedWith = (proxyWidgets: unknown): unknown =>
      seedOf({ widgets_values: [5, 6], properties: { proxyWidgets } });
    expect(seedWith([...proxies, [1, 'cfg']])).toBe(6);
    // The editor accepts neither a list in a text, nor a list with an invalid entry.
    expect(seedWith(JSON.stringify(proxies))).toBe(5);
    expect(seedWith([...proxies, ['1', 2]])).toBe(5);
  });

  it('set what an inner primitive set once the instance promotes it', () => {
    const fedAt = (slot: number, type = 'INT'): object =>
      withSteps(
        [{ id: 4, type: 'PrimitiveNode', outputs: [{ type, links: [13] }], widgets_values: [77, 'fixed'] }],
        [{ id: 13, origin_id: 4, origin_slot: 0, target_id: 1, target_slot: slot, type }],
      );
    const stepsOf = (definition: object, more: object): unknown => sentInside(definition, more)?.['steps'];
    const shown = { properties: { proxyWidgets: [['4', 'value']] } };
    expect(stepsOf(fedAt(3), {})).toBe(77);
    expect(stepsOf(fedAt(3), { ...shown, widgets_values: [9] })).toBe(9);
    expect(stepsOf(fedAt(3), { ...shown, widgets_values: [] })).toBe(2);
    // The input that names the link, not the slot that the link names.
    expect(stepsOf(fedAt(0), { ...shown, widgets_values: [9] })).toBe(9);
    // Not a widget of the primitive's type, so neither of them has a say.
    expect(stepsOf(fedAt(3, 'STRING'), { ...shown, widgets_values: [9] })).toBe(2);
    const control = { properties: { proxyWidgets: [['4', 'control_after_generate']] } };
    expect(stepsOf(fedAt(3), { ...control, widgets_values: ['fixed'] })).toBe(77);
  });

  it('send the inner value under a null of the instance', () => {
    const shown = (type: string, name: string, values: unknown[]): unknown => {
      const inputs = [{ name, type: 'STRING', widget: { name }, link: 1 }];
      const definition = {
        id: 'one',
        nodes: [{ id: 3, type, inputs, widgets_values: values }],
        links: [{ id: 1, origin_id: -10, origin_slot: 0, target_id: 3, target_slot: 0, type: 'STRING' }],
        inputs: [{ name, type: 'STRING', linkIds: [1] }],
        outputs: [],
      };
      const instance = { id: 5, type: 'one', inputs: [], widgets_values: [null] };
      return promptOf(graphOf([instance], [], { definitions: { subgraphs: [definition] } }))['5:3']?.inputs[
        name
      ];
    };
    expect(shown('Loader', 'name', ['b.safetensors'])).toBe('b.safetensors');
    expect(shown('Sampler', 'steps', [7, 'fixed', 30, 2])).toBe(30);
  });

  it('drop the link of an inner widget once the instance promotes it', () => {
    const source = { id: 4, type: 'Count', outputs: [{ type: 'INT', links: [13] }] };
    const link = { id: 13, origin_id: 4, origin_slot: 0, target_id: 1, target_slot: 2, type: 'INT' };
    const fed = withSteps([source], [link]);
    const stepsOf = (more: object): unknown => sentInside(fed, more)?.['steps'];
    expect(stepsOf({})).toEqual(['5:4', 0]);
    expect(stepsOf({ properties: { proxyWidgets: [['1', 'steps: none']] } })).toEqual(['5:4', 0]);
    expect(stepsOf({ properties: { proxyWidgets: [['1', '1: steps']] } })).toBe(2);
    expect(stepsOf({ widgets_values: [9], properties: { proxyWidgets: [['1', 'steps']] } })).toBe(9);
  });

  it('are not expanded when muted in the root; nested ones follow the modes of their nodes', () => {
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

  it('are rejected when an output is an input, or a path visits an inner node twice', () => {
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
    const link = (id: number, origin_id: number, target_id: number): object => ({
      ...{ id, origin_id, origin_slot: 0, target_id, target_slot: 0, type: 'MODEL' },
    });
    const out = (linkId: number): object[] => [{ name: 'out', type: 'MODEL', linkIds: [linkId] }];
    const straight = { ...ends, nodes: [], links: [link(1, -10, -20)], outputs: out(1) };
    expect(passing(straight)).toMatchObject({ kind: 'failed', problem: { code: 'origin-missing' } });
    const reroute = { id: 30, type: 'Reroute', inputs: [{ name: '', link: 1 }], outputs: [{ links: [2] }] };
    const rerouted = {
      ...ends,
      nodes: [reroute],
      links: [link(1, -10, 30), link(2, 30, -20)],
      outputs: out(2),
    };
    expect(passing(rerouted)).toMatchObject({ kind: 'failed', problem: { code: 'link-loop' } });
  });

  it('map back to the text', () => {
    const document = parseJson(JSON.stringify(withInstance({ widgets_values: [42] })));
    const compiled = document.root && compileGraph(readGraph(document, document.root), catalog);
    if (compiled?.kind !== 'compiled') throw new Error('refused');
    const { source } = compiled;
    const shown = (node: JsonNode | undefined): string =>
      node ? sourceTextIn(document.text, node) : 'nothing';
    expect(shown(source.input('5:10', 'seed'))).toBe('42');
    expect(shown(source.input('5:10', 'steps'))).toBe('2');
    expect(shown(source.input('1', 'name'))).toBe('"b.safetensors"');
    const inner = source.node('5:10');
    expect(inner && source.executedIds(inner)).toEqual(['5:10']);
    const graph = document.root && readGraph(document, document.root);
    const instance = graph?.nodes.find(({ id }) => id === '5')?.node;
    expect(instance && source.executedIds(instance)).toEqual(['5:10']);
    expect(source.node('77')).toBeUndefined();
  });
});

describe('group nodes', () => {
  const fileOf = (nodes: readonly object[], links: readonly unknown[], more: object): [object, object] => [
    { id: 2, type: 'workflow>Pair', outputs: [{}], ...more },
    { extra: { groupNodes: { Pair: { nodes, links, external: [] } } } },
  ];

  it('are not expanded with an unknown node inside, which the warning names', () => {
    const inner = ['Loader', 'Lost'].map((type, index) => ({ type, index }));
    const [node, rest] = fileOf(inner, [], {});
    const compiled = compile(graphOf([node], [], rest));
    if (compiled.kind === 'failed') throw new Error('refused');
    expect(Object.keys(JSON.parse(compiled.prompt.document.text) as object)).toEqual(['2']);
    expect(compiled.warnings.map(({ message }) => message)).toEqual([expect.stringContaining('Lost')]);
  });

  const inner = { type: 'Loader', index: 0, widgets_values: ['a.safetensors'], outputs: [{}, {}] };

  it("become subgraphs with the instance's values and new IDs after the last", () => {
    const inputs = [{ name: 'clip', type: 'CLIP', link: null }];
    const nodes = [inner, { type: 'Encode', index: 1, inputs, widgets_values: ['inner'] }];
    const values = { widgets_values: ['b.safetensors', 'outer'] };
    const [instance, rest] = fileOf(nodes, [[0, 1, 1, 0, 1, 'CLIP']], values);
    const prompt = promptOf(graphOf([instance], [], rest));
    expect(Object.keys(prompt)).toEqual(['12:10', '12:11']);
    expect(prompt['12:11']?.inputs).toEqual({ text: 'outer', clip: ['12:10', 1] });
  });

  it('take the values of all inner widgets, and hide inputs that are linked inside, by their names', () => {
    // In another order than that of the definition.
    const slots = [
      { name: 'positive', type: 'CONDITIONING' },
      { name: 'steps', type: 'INT', widget: { name: 'steps' } },
      { name: 'model', type: 'MODEL' },
    ];
    const values = { widgets_values: [1, 'fixed', 2, 3], outputs: [{}] };
    const nodes = [inner, { type: 'Sampler', index: 1, inputs: slots, ...values }];
    // The slot of a widget comes last, as does its value.
    const inputs = [
      { name: 'positive', type: 'CONDITIONING', link: 5 },
      { name: 'steps', type: 'INT', link: null },
    ];
    const own = { inputs, widgets_values: ['b.safetensors', 7, 'fixed', 9, 30] };
    const [instance, rest] = fileOf(nodes, [[0, 0, 1, 2, 1, 'MODEL']], own);
    const encode = { id: 1, type: 'Encode', outputs: [{}] };
    const prompt = promptOf(graphOf([encode, instance], [[5, 1, 0, 2, 0, 'CONDITIONING']], rest));
    expect(prompt['12:10']?.inputs).toEqual({ name: 'b.safetensors' });
    const links = { model: ['12:10', 0], positive: ['1', 0] };
    expect(prompt['12:11']?.inputs).toEqual({ seed: 7, steps: 30, cfg: 9, ...links });
  });
});
