import { describe, expect, it } from 'vitest';

import { checkWorkflow } from '../../../../src/core/check/checkWorkflow';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { hoverAtOffset } from '../../../../src/core/language/hover/hover';
import { compileGraph, type GraphCompilation } from '../../../../src/core/workflow/graph/compileGraph';
import { sourceTextIn } from '../../../../src/core/json/textEdit';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';

const anything = { input: { required: {}, optional: { anything: ['*', {}] } }, output: [] };
const catalog = Catalog.fromDefinitions({
  Load: { input: { required: {} }, output: ['MODEL', 'VAE'] },
  Sample: { input: { required: { model: ['MODEL'], seed: ['INT', { default: 1 }] } }, output: ['LATENT'] },
  Decode: { input: { required: { vae: ['VAE'] } }, output: ['IMAGE'], output_node: true },
  Words: { input: { required: { how: [['a', 'b']] } }, output: ['STRING'] },
  Cond: { input: { required: {} }, output: ['COND'] },
  Guide: { input: { required: { positive: ['COND'], negative: ['COND'] } }, output: [] },
  Any: { input: { required: { source: ['*'] } }, output: [] },
  Int: { input: { required: { value: ['INT', { default: 5 }] } }, output: ['INT'] },
  'Seed Everywhere': { input: { required: { seed: ['INT', { default: 0 }] } }, output: ['INT'] },
  'Anything Everywhere': anything,
  'Anything Everywhere?': anything,
  'Prompts Everywhere': {
    input: { required: {}, optional: { positive: ['*', {}], negative: ['*', {}] } },
    output: [],
  },
});

type Settings = Readonly<Record<string, unknown>>;
type Row = readonly [number, number, number, number, number, string];

const set = (more: Settings = {}): object => ({
  ue_properties: { version: '7.0', widget_ue_connectable: {}, input_ue_unconnectable: {}, ...more },
});

const node = (id: number, type: string, more: object = {}): object => ({
  ...{ id, type, pos: [id * 1000, 0], size: [200, 100], properties: set() },
  ...more,
});

/** A node that broadcasts what these links bring. */
function sender(
  id: number,
  links: readonly (readonly [number, string, string?])[],
  settings: Settings = {},
): object {
  return node(id, 'Anything Everywhere', {
    inputs: links.map(([link, type, label], index) => ({
      ...{ name: index === 0 ? 'anything' : `anything1${index}`, type, link, label },
    })),
    properties: set(settings),
  });
}

const decode = (id: number, more: object = {}): object => {
  return node(id, 'Decode', { inputs: [{ name: 'vae', type: 'VAE', link: null }], ...more });
};
const vae = (link: number, origin: number, target: number): Row => [link, origin, 1, target, 0, 'VAE'];
const saved = (target: number, origin: number, more: object = {}): object => ({
  ...{ downstream: target, downstream_slot: 0, upstream: String(origin), upstream_slot: 1, controller: 2 },
  ...more,
});

function documentOf(nodes: readonly object[], links: readonly Row[], more: object = {}): WorkflowDocument {
  return WorkflowDocument.of(JSON.stringify({ last_node_id: 99, nodes, links, version: 0.4, ...more }));
}

function compiled(document: WorkflowDocument): Extract<GraphCompilation, { kind: 'compiled' }> {
  const made = document.graph && compileGraph(document.graph, catalog);
  if (made?.kind !== 'compiled') throw new Error('not compiled');
  return made;
}

/** The inputs of each node that is sent. */
function sent(nodes: readonly object[], links: readonly Row[], more: object = {}): Record<string, object> {
  const { text } = compiled(documentOf(nodes, links, more)).prompt.document;
  const prompt = JSON.parse(text) as Record<string, { readonly inputs: object }>;
  return Object.fromEntries(Object.entries(prompt).map(([id, { inputs }]) => [id, inputs]));
}

const problems = (nodes: readonly object[], links: readonly Row[], more: object = {}): string[] => {
  return compiled(documentOf(nodes, links, more)).warnings.map(({ code, message }) => `${code}: ${message}`);
};

const load = node(1, 'Load');
const one: readonly Row[] = [vae(1, 1, 2)];
const two: readonly Row[] = [vae(1, 1, 2), vae(2, 3, 4)];
const fromTwo = (first: Settings, second: Settings): object[] => {
  return [load, node(3, 'Load'), sender(2, [[1, 'VAE']], first), sender(4, [[2, 'VAE']], second)];
};

describe('links of Use Everywhere', () => {
  it.each([2, 2 ** 53])(
    'lead from what a node gets to all unconnected inputs of that type, beside link %d',
    (link) => {
      const connected = decode(6, { inputs: [{ name: 'vae', type: 'VAE', link }] });
      const nodes = [load, node(3, 'Load'), sender(2, [[1, 'VAE']]), decode(5), connected, node(7, 'Sample')];
      expect(sent(nodes, [...one, vae(link, 3, 6)])).toMatchObject({
        2: { anything: ['1', 1] },
        5: { vae: ['1', 1] },
        6: { vae: ['3', 1] },
        7: { seed: 1 },
      });
    },
  );

  it.each<[string, number, number, object]>([
    ['it is muted', 0, 2, {}],
    ['its origin is muted', 2, 0, {}],
    ['the input is closed', 0, 0, { properties: set({ input_ue_unconnectable: { vae: true } }) }],
    ['the node rejects links', 0, 0, { properties: { ...set(), rejects_ue_links: true } }],
  ])('are not made if %s', (_, originMode, senderMode, more) => {
    const broadcasting = { ...sender(2, [[1, 'VAE']]), mode: senderMode };
    expect(sent([{ ...load, mode: originMode }, broadcasting, decode(5, more)], one)['5']).toEqual({});
  });

  it('reach bypassed nodes, and come from before them', () => {
    const bypassed = node(3, 'Sample', { mode: 4, inputs: [{ name: 'model', type: 'MODEL', link: 1 }] });
    const nodes = [load, bypassed, sender(2, [[2, 'MODEL']]), node(5, 'Sample')];
    const links: Row[] = [
      [1, 1, 0, 3, 0, 'MODEL'],
      [2, 3, 0, 2, 0, 'MODEL'],
    ];
    expect(sent(nodes, links)['5']).toEqual({ seed: 1, model: ['1', 0] });
  });

  it('go to inputs of widgets only where they are open', () => {
    const nodes = [
      node(1, 'Int'),
      sender(2, [[1, 'INT']]),
      node(5, 'Sample', { properties: set({ widget_ue_connectable: { seed: true } }) }),
      node(6, 'Sample'),
      node(7, 'Sample', {
        properties: {},
        inputs: [{ name: 'seed', type: 'INT', link: null, widget: { name: 'seed' } }],
      }),
      node(8, 'Sample', { properties: {} }),
    ];
    expect(sent(nodes, [[1, 1, 0, 2, 0, 'INT']])).toMatchObject({
      5: { seed: ['1', 0] },
      6: { seed: 1 },
      7: { seed: ['1', 0] },
      8: { seed: 1 },
    });
  });

  it.each<[string, Settings, Settings, object]>([
    ['of equals none sends', {}, {}, {}],
    ['a restriction goes before none', { title_regex: 'Dec' }, {}, { vae: ['1', 1] }],
    ['a priority decides', { title_regex: 'Dec' }, { priority: '99' }, { vae: ['3', 1] }],
    ['a title that does not match', { title_regex: '^Other' }, {}, { vae: ['3', 1] }],
    ['an inverted one', { title_regex: '^Other', title_regex_invert: true }, {}, { vae: ['1', 1] }],
    ['a name of an input', { input_regex: '^v.e$' }, {}, { vae: ['1', 1] }],
    ['no regular expression', { title_regex: '[' }, {}, { vae: ['1', 1] }],
  ])('%s', (_, first, second, expected) => {
    expect(sent([...fromTwo(first, second), decode(5)], two)['5']).toEqual(expected);
  });

  it('stay in groups, outside of them, or in those with a title', () => {
    const groups = [{ title: 'Here', bounding: [1900, -50, 700, 400] }];
    const near = decode(5, { pos: [2100, 100] });
    const far = decode(6, { pos: [9000, 100] });
    const reached = (settings: Settings): string[] => {
      const made = sent([load, sender(2, [[1, 'VAE']], settings), near, far], one, { groups });
      return ['5', '6'].filter((id) => 'vae' in (made[id] ?? {}));
    };
    expect(reached({ group_restricted: 1 })).toEqual(['5']);
    expect(reached({ group_restricted: 2 })).toEqual(['6']);
    expect(reached({ group_regex: '^Here' })).toEqual(['5']);
    expect(reached({ group_regex: '^Here', group_regex_invert: true })).toEqual([]);
  });

  it('stay with a color, or go to all others', () => {
    const reached = (color_restricted: number): string[] => {
      const red = { ...sender(2, [[1, 'VAE']], { color_restricted }), color: '#f00' };
      const made = sent([load, red, decode(5, { color: '#f00' }), decode(6)], one);
      return ['5', '6'].filter((id) => 'vae' in (made[id] ?? {}));
    };
    expect([reached(1), reached(2)]).toEqual([['5'], ['6']]);
  });

  it.each<[string, number, string, string, object]>([
    ['exactly', 0, 'positive', 'neg', { positive: ['1', 0] }],
    ['by their start', 1, 'pos', 'neg', { positive: ['1', 0], negative: ['3', 0] }],
    ['by their end', 2, 'sitive', 'gative', { positive: ['1', 0], negative: ['3', 0] }],
    ['by the title of the node', 3, 'Here', 'There', { positive: ['1', 0], negative: ['1', 0] }],
    ['as regular expressions', 4, '^p', '^n', { positive: ['1', 0], negative: ['3', 0] }],
  ])('of one type go by the names of the inputs, %s', (_, repeated_type_rule, first, second, expected) => {
    const links: Row[] = [
      [1, 1, 0, 2, 0, 'COND'],
      [2, 3, 0, 2, 1, 'COND'],
    ];
    const labels = [[1, 'COND', first] as const, [2, 'COND', second] as const];
    const nodes = [node(1, 'Cond'), node(3, 'Cond'), sender(2, labels, { repeated_type_rule })];
    expect(sent([...nodes, node(5, 'Guide', { title: 'Here' })], links)['5']).toEqual(expected);
  });

  it('go to inputs of any type if asked to, but not from texts to lists', () => {
    const links: Row[] = [[1, 1, 0, 2, 0, 'STRING']];
    const open = set({ widget_ue_connectable: { how: true } });
    const nodes = (settings: Settings): object[] => [
      ...[node(1, 'Words'), sender(2, [[1, 'STRING']], settings), node(5, 'Any')],
      node(6, 'Words', { properties: open }),
    ];
    expect(sent(nodes({}), links)).toMatchObject({ 5: {}, 6: { how: 'a' } });
    const all = { send_to_any: 1, string_to_combo: 1 };
    expect(sent(nodes(all), links)).toMatchObject({ 5: { source: ['1', 0] }, 6: { how: 'a' } });
  });

  it('come from nodes that broadcast themselves', () => {
    const properties = { ...set({ output_not_broadcasting: { MODEL: true } }), ue_convert: true };
    const outputs = [
      { name: 'MODEL', type: 'MODEL' },
      { name: 'VAE', type: 'VAE' },
    ];
    const nodes = [node(1, 'Load', { properties, outputs }), decode(5), node(6, 'Sample')];
    expect(sent(nodes, [])).toMatchObject({ 5: { vae: ['1', 1] }, 6: { seed: 1 } });
    const seeds = { ...set({ seed_inputs: true, input_regex: 'seed' }), ue_convert: true };
    const open = set({ widget_ue_connectable: { seed: true } });
    const made = sent([node(1, 'Int', { properties: seeds }), node(5, 'Sample', { properties: open })], []);
    expect(made['5']).toEqual({ seed: ['1', 0] });
  });

  it('carry the value of a primitive', () => {
    const outputs = [{ type: 'INT', links: [1] }];
    const primitive = node(1, 'PrimitiveNode', { outputs, widgets_values: [9, 'fixed'] });
    const open = set({ widget_ue_connectable: { seed: true } });
    const nodes = [primitive, sender(2, [[1, 'INT']]), node(5, 'Sample', { properties: open })];
    expect(sent(nodes, [[1, 1, 0, 2, 0, 'INT']])['5']).toEqual({ seed: 9 });
  });

  it('are worked out inside subgraphs, from their inputs and to their outputs', () => {
    const inner = (id: number, origin_id: number, target_id: number, type: string): object => ({
      ...{ id, origin_id, origin_slot: 0, target_id, target_slot: 0, type },
    });
    const definition = {
      ...{ id: 'sub', name: 'Sub', inputs: [{ name: 'vae', type: 'VAE', linkIds: [1] }] },
      outputs: [{ name: 'image', type: 'IMAGE', linkIds: [] }],
      nodes: [decode(7), sender(8, [[1, 'VAE']]), sender(9, [[2, 'IMAGE']])],
      links: [inner(1, -10, 8, 'VAE'), inner(2, 7, 9, 'IMAGE')],
    };
    const instance = node(5, 'sub', {
      inputs: [{ name: 'vae', type: 'VAE', link: null }],
      outputs: [{ type: 'IMAGE', links: [2] }],
    });
    const any = node(6, 'Any', { inputs: [{ name: 'source', type: '*', link: 2 }] });
    const links: Row[] = [...one, [2, 5, 0, 6, 0, 'IMAGE']];
    const more = { definitions: { subgraphs: [definition] } };
    expect(sent([load, sender(2, [[1, 'VAE']]), instance, any], links, more)).toMatchObject({
      6: { source: ['5:7', 0] },
      '5:7': { vae: ['1', 1] },
    });
  });
});

describe('settings of older versions of Use Everywhere', () => {
  const old = { group_restricted: 0, color_restricted: 0, widget_ue_connectable: {} };

  it('are the texts of the widgets', () => {
    const limited = node(2, 'Anything Everywhere?', {
      inputs: [{ name: 'anything', type: 'VAE', link: 1 }],
      ...{ widgets_values: ['^Her', '.*', '.*'], properties: old },
    });
    const made = sent([load, limited, decode(5, { title: 'Here' }), decode(6)], one);
    expect(made).toMatchObject({ 5: { vae: ['1', 1] }, 6: {} });
  });

  it('tell prompts apart by the names of their inputs', () => {
    const prompts = node(2, 'Prompts Everywhere', {
      inputs: [
        { name: 'positive', type: 'COND', link: 1 },
        { name: 'negative', type: 'COND', link: 2 },
      ],
      properties: old,
    });
    const links: Row[] = [
      [1, 1, 0, 2, 0, 'COND'],
      [2, 3, 0, 2, 1, 'COND'],
    ];
    const made = sent([node(1, 'Cond'), node(3, 'Cond'), prompts, node(5, 'Guide')], links);
    expect(made['5']).toEqual({ positive: ['1', 0], negative: ['3', 0] });
  });

  it('lose what is linked after a gap in the earliest versions, and say so', () => {
    const inputs = [
      { name: 'anything', type: '*', link: null },
      { name: 'further', type: '*', link: 1 },
    ];
    const early = node(2, 'Anything Everywhere', { inputs, properties: {} });
    const links: Row[] = [[1, 1, 1, 2, 1, 'VAE']];
    expect(sent([load, early, decode(5)], links)['5']).toEqual({});
    expect(problems([load, early, decode(5)], links)).toEqual([
      'link-lost: The link to further of Anything Everywhere (node 2) is lost, because the node has no such input, or the list of links lacks it. Connect it again.',
    ]);
  });
});

describe('what the page saved', () => {
  const nodes = [load, node(3, 'Load'), sender(2, [[1, 'VAE']]), decode(5)];

  it('is removed where it is left over from a run', () => {
    const left = decode(5, { inputs: [{ name: 'vae', type: 'VAE', link: 7 }] });
    const extra = { links_added_by_ue: [7] };
    const links = [...one, vae(7, 3, 5)];
    expect(sent([...nodes.slice(0, 3), left], links, { extra })['5']).toEqual({ vae: ['1', 1] });
    expect(sent([load, node(3, 'Load'), left], links, { extra })['5']).toEqual({});
  });

  it.each<[string, readonly object[], string[]]>([
    ['the same', [saved(5, 1)], []],
    ['nothing', [], []],
    [
      'another origin',
      [saved(5, 3)],
      [
        'other-links: Use Everywhere connected Decode.vae (node 5) to Load when the file was saved, but connects it to Load now. Connect the input yourself to be sure.',
      ],
    ],
    ['a node that is gone', [saved(5, 3), saved(9, 1)], []],
    ['a sender that is gone', [saved(5, 3, { controller: 77 })], []],
  ])('is compared: %s', (_, ue_links, expected) => {
    expect(problems(nodes, one, { extra: { ue_links } })).toEqual(expected);
  });

  it('is compared both ways', () => {
    const more = { extra: { ue_links: [saved(5, 1)] } };
    expect(problems([...nodes, decode(6)], one, more)).toEqual([
      'other-links: Use Everywhere connected Decode.vae (node 6) to nothing when the file was saved, but connects it to Load now. Connect the input yourself to be sure.',
    ]);
    const closed = decode(5, { properties: set({ input_ue_unconnectable: { vae: true } }) });
    expect(problems([...nodes.slice(0, 3), closed], one, more)).toEqual([
      'other-links: Use Everywhere connected Decode.vae (node 5) to Load when the file was saved, but connects it to nothing now. Connect the input yourself to be sure.',
    ]);
  });

  it('is out of date where an input has a link of its own by now', () => {
    const own = decode(5, { inputs: [{ name: 'vae', type: 'VAE', link: 7 }] });
    const more = { extra: { ue_links: [saved(5, 1)] } };
    expect(problems([...nodes.slice(0, 3), own], [...one, vae(7, 3, 5)], more)).toEqual([]);
  });

  it('is a finding at the input', () => {
    const document = documentOf(nodes, one, { extra: { ue_links: [saved(5, 3)] } });
    const { findings } = checkWorkflow(document, { catalog });
    const [found] = findings.filter(({ code }) => code === 'links-differ');
    expect(found && sourceTextIn(document.text, found)).toBe('{"name":"vae","type":"VAE","link":null}');
    expect(findings.map(({ code }) => code)).not.toContain('missing-input');
    expect(findings.map(({ code, nodeId }) => `${code} ${nodeId}`)).not.toContain('unused-node 2');
  });
});

describe('around these links', () => {
  const document = documentOf([load, sender(2, [[1, 'VAE']]), decode(5)], one);

  it('a regular expression that could take too long sends nothing, and says so', () => {
    const nodes = [
      load,
      sender(2, [[1, 'VAE']], { title_regex: '(a+)+$' }),
      decode(5, { title: 'a'.repeat(50) }),
    ];
    expect(sent(nodes, one)['5']).toEqual({});
    expect(problems(nodes, one)).toEqual([
      'link-lost: Anything Everywhere (node 2) sends nothing here, because its regular expression could take too long: (a+)+$. Simplify it, or connect the inputs yourself.',
    ]);
  });

  it('the source map names the node that broadcasts', () => {
    const place = compiled(document).source.input('5', 'vae');
    expect(place && sourceTextIn(document.text, place)).toContain('"id":2,');
  });

  it('a hover over an input says where they come from', () => {
    const offset = document.text.lastIndexOf('"vae"');
    expect(hoverAtOffset(document, offset, catalog)?.markdown).toContain(
      'From Load, output 1, sent by Anything Everywhere (node `2`) when the graph runs.',
    );
  });
});
