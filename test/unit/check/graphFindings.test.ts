import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { exactFrom } from '../../../src/core/json/exactValue';
import { writeExact } from '../../../src/core/json/exactWriter';
import { applyEdits } from '../../../src/core/json/textEdit';
import { fixAll, fixes } from '../../../src/core/language/edits/fixes';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { check, lines, the } from './checkTexts';

type Slot = Readonly<Record<string, unknown>>;

const loader = {
  id: 1,
  type: 'Loader',
  mode: 0,
  inputs: [],
  outputs: [
    { name: 'MODEL', type: 'MODEL', links: [1] },
    { name: 'CLIP', type: 'CLIP', links: null },
    { name: 'VAE', type: 'VAE', links: null },
  ],
  properties: { 'Node name for S&R': 'Loader' },
  widgets_values: ['a.safetensors'],
};

const sampler = {
  id: 2,
  type: 'Sampler',
  mode: 0,
  inputs: [{ name: 'model', type: 'MODEL', link: 1 }],
  outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [2] }],
  properties: { 'Node name for S&R': 'Sampler' },
  widgets_values: [20, 7, 1, 'fixed', true, 'normal', ''],
};

const save = {
  id: 3,
  type: 'Save',
  mode: 0,
  inputs: [{ name: 'images', type: 'IMAGE', link: 2 }],
  outputs: [],
  properties: { 'Node name for S&R': 'Save' },
  widgets_values: ['out'],
};

const links: readonly (readonly unknown[])[] = [
  [1, 1, 0, 2, 0, 'MODEL'],
  [2, 2, 0, 3, 0, 'IMAGE'],
];

interface Changes {
  readonly loader?: Slot;
  readonly sampler?: Slot;
  readonly save?: Slot;
  readonly more?: readonly Slot[];
  readonly links?: readonly unknown[];
}

/** The text of a valid graph, with changes to its nodes. */
function graph(changes: Changes = {}): string {
  const nodes = [
    { ...loader, ...changes.loader },
    { ...sampler, ...changes.sampler },
    { ...save, ...changes.save },
    ...(changes.more ?? []),
  ];
  return JSON.stringify({
    last_node_id: 9,
    last_link_id: 9,
    nodes,
    links: changes.links ?? links,
    version: 0.4,
  });
}

describe('a valid graph', () => {
  it('has no findings, and the verdict of the prompt it compiles to', () => {
    const report = check(graph());
    expect(report).toMatchObject({ format: 'graph', findings: [], checked: 'full' });
    expect(report.verdict).toMatchObject({ valid: true, goodOutputs: ['3'] });
  });

  it('has only its structure checked without definitions', () => {
    const text = graph({ links: links.slice(1) });
    expect(check(text, { catalog: undefined }).checked).toBe('structure');
    expect(lines(text, { catalog: undefined })).toEqual(['warning dangling-link 1']);
  });
});

describe('faults of the prompt', () => {
  it('are reported at the widget value and fixed there', () => {
    const text = graph({ sampler: { widgets_values: [0, 7, 1, 'fixed', true, 'norml', ''] } });
    expect(lines(text)).toEqual(['error below-minimum 0', 'error option-unknown "norml"']);
    const { fix, offset, nodeId, input } = the('option-unknown', text);
    expect([nodeId, input]).toEqual(['2', 'scheduler']);
    expect(fix).toMatchObject({ kind: 'replaceText', range: { offset }, texts: ['"normal"', '"simple"'] });
  });

  it('are reported at the link, the slot or the node type', () => {
    expect(lines(graph({ links: [[1, 1, 1, 2, 0, 'CLIP'], links[1]] }))).toEqual([
      'error link-type [1,1,1,2,0,"CLIP"]',
    ]);
    const open = [{ name: 'model', type: 'MODEL', link: null }];
    const found = lines(graph({ sampler: { inputs: open }, links: [links[1]], loader: { outputs: [] } }));
    expect(found).toEqual(['error missing-input "model"']);
    const unknown = graph({
      save: { type: 'Safe', properties: { 'Node name for S&R': 'Safe', cnr_id: 'safe-pack' } },
    });
    expect(lines(unknown)).toContain('error unknown-class "Safe"');
    expect(the('unknown-class', unknown).fix).toMatchObject({
      kind: 'findPack',
      pack: 'safe-pack',
      texts: ['"Save"'],
    });
  });

  it('are reported once per missing type, with the pack that the file names', () => {
    const properties = { 'Node name for S&R': 'Blur', cnr_id: 'blur-pack' };
    const blur = (id: number, type = 'Blur'): Slot => ({
      id,
      type,
      mode: 0,
      inputs: [],
      outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [] }],
      properties,
    });
    const text = graph({ more: [blur(7), blur(8), blur(9, 'Blurrier')] });
    const found = check(text).findings;
    expect(found.map(({ code, nodeId, nodeIds }) => [code, nodeId, nodeIds])).toEqual([
      ['unknown-class', '7', ['7', '8']],
      ['unknown-class', '9', undefined],
    ]);
    expect(found[0]?.message).toBe(
      "blur-pack: the server doesn't have the node type Blur (nodes 7 and 8). Install the pack, or use another node type.",
    );
    expect(lines(text, { isSandbox: true })).toEqual(['error unknown-class {']);
    expect(the('unknown-class', text, { isSandbox: true }).message).toBe(
      "Uses 2 node types that the sandbox doesn't have: Blur and Blurrier from blur-pack. To run this file, select a server that has them.",
    );
  });

  it('inside a subgraph used twice are reported once', () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const inner = { ...loader, id: 7, widgets_values: ['z.safetensors'] };
    const definition = {
      id,
      name: 'Part',
      version: 1,
      state: { lastNodeId: 9, lastLinkId: 9, lastGroupId: 0, lastRerouteId: 0 },
      inputNode: { id: -10 },
      outputNode: { id: -20 },
      inputs: [],
      outputs: [{ id: 'o', name: 'MODEL', type: 'MODEL', linkIds: [1] }],
      nodes: [inner],
      links: [{ id: 1, origin_id: 7, origin_slot: 0, target_id: -20, target_slot: 0, type: 'MODEL' }],
    };
    const instance = (nodeId: number, link: number): Slot => ({
      id: nodeId,
      type: id,
      mode: 0,
      inputs: [],
      outputs: [{ name: 'MODEL', type: 'MODEL', links: [link] }],
    });
    const second = {
      ...sampler,
      id: 5,
      inputs: [{ name: 'model', type: 'MODEL', link: 3 }],
      outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [4] }],
    };
    const third = { ...save, id: 6, inputs: [{ name: 'images', type: 'IMAGE', link: 4 }] };
    const text = JSON.stringify({
      last_node_id: 9,
      last_link_id: 9,
      nodes: [instance(1, 1), sampler, save, instance(4, 3), second, third],
      links: [...links, [3, 4, 0, 5, 0, 'MODEL'], [4, 5, 0, 6, 0, 'IMAGE']],
      definitions: { subgraphs: [definition] },
      version: 0.4,
    });
    expect(check(text).verdict?.nodeErrors.size).toBe(2);
    expect(lines(text)).toEqual(['error option-unknown "z.safetensors"']);
  });
});

describe('what the editor does to a graph', () => {
  /** The finding of a code in a graph with changed members, and the graph after its fix. */
  function fixed(
    code: string,
    more: object,
    changes: Changes = {},
  ): { severity: string; message: string; after: string } {
    const text = JSON.stringify({ ...(JSON.parse(graph(changes)) as object), ...more });
    const finding = the(code, text);
    const after = applyEdits(text, fixes(WorkflowDocument.of(text), finding)[0]?.edits ?? []);
    expect(check(after).findings.filter((each) => each.code === code)).toEqual([]);
    return { severity: finding.severity, message: finding.message, after };
  }

  it('with a link counter that is too low', () => {
    const { severity, after } = fixed('editor-link-counter', { last_link_id: 1 });
    expect(severity).toBe('warning');
    expect(after).toContain('"last_link_id":2');
    const definition = {
      id: 'part',
      state: { lastNodeId: 9, lastLinkId: 3 },
      inputs: [],
      outputs: [],
      nodes: [],
      links: [{ id: 12, origin_id: -10, origin_slot: 0, target_id: -20, target_slot: 0, type: 'MODEL' }],
    };
    expect(fixed('editor-link-counter', { definitions: { subgraphs: [definition] } }).after).toContain(
      '"lastLinkId":12',
    );
  });

  it('with links as objects', () => {
    const objects = links.map(([id, origin_id, origin_slot, target_id, target_slot, type]) => ({
      id,
      origin_id,
      origin_slot,
      target_id,
      target_slot,
      type,
    }));
    const { message, after } = fixed('editor-link-objects', { links: objects });
    expect(message).toContain('2 links');
    expect((JSON.parse(after) as { links: unknown }).links).toEqual(links);
    expect(lines(after)).toEqual([]);
    expect(lines(JSON.stringify({ ...(JSON.parse(graph()) as object), links: objects, version: 1 }))).toEqual(
      [],
    );
  });

  it.each([
    [[null, ...links], links],
    [[null, null, links[0], null, links[1], null, null], links],
    [[...links, null], links],
  ])('with null among its links', (given, left) => {
    expect(
      (JSON.parse(fixed('editor-null-entry', { links: given }).after) as { links: unknown }).links,
    ).toEqual(left);
  });

  it.each([{ version: 1 }, { version: '0.4' }, { version: undefined }])(
    'with links as lists, with %j',
    (more) => {
      const { severity, after } = fixed('graph-conversion', more);
      expect(severity).toBe('warning');
      expect(JSON.parse(after)).toMatchObject({ version: 0.4, links });
      expect(lines(after)).toEqual([]);
    },
  );

  it('with null as its only group', () => {
    expect(fixed('editor-null-entry', { groups: [null] }).after).toContain('"groups":[]');
  });

  it('with values by name', () => {
    const values = { seed: 18446744073709551615n, steps: 30, cfg: 7.5, scheduler: 'simple' };
    const written = writeExact(exactFrom(values));
    const text = graph({ sampler: { widgets_values: 'VALUES' } }).replace('"VALUES"', written);
    const finding = the('editor-values-by-name', text);
    expect(finding.message).toContain('it loses steps, cfg, seed, scheduler.');
    const after = applyEdits(text, fixes(WorkflowDocument.of(text), finding)[0]?.edits ?? []);
    expect(after).toContain('"widgets_values":[30, 7.5, 18446744073709551615, "fixed", true, "simple", ""]');
    expect(lines(after)).toEqual([]);
  });
});

describe('faults of the graph', () => {
  it('at slots that a subgraph no longer has', () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const definition = {
      id,
      name: 'Part',
      version: 1,
      state: { lastNodeId: 9, lastLinkId: 9, lastGroupId: 0, lastRerouteId: 0 },
      inputs: [],
      outputs: [{ id: 'o', name: 'IMAGE', type: 'IMAGE', linkIds: [] }],
      nodes: [],
      links: [],
    };
    const part = {
      id: 2,
      type: id,
      mode: 0,
      inputs: [
        { name: 'model', type: 'MODEL', link: 1 },
        { name: 'vae', type: 'VAE', link: null },
      ],
      outputs: [
        { name: 'IMAGE', type: 'IMAGE', links: [2] },
        { name: 'MASK', type: 'MASK', links: [] },
      ],
    };
    const text = JSON.stringify({
      last_node_id: 9,
      last_link_id: 9,
      nodes: [loader, part, save],
      links,
      definitions: { subgraphs: [definition] },
      version: 0.4,
    });
    expect(lines(text, { catalog: undefined })).toEqual(['warning stale-subgraph-slot "model"']);
    const renamed = text.replace(
      '"name":"IMAGE","type":"IMAGE","linkIds"',
      '"name":"OUT","type":"IMAGE","linkIds"',
    );
    expect(lines(renamed, { catalog: undefined })).toEqual([
      'warning stale-subgraph-slot "model"',
      'warning stale-subgraph-slot "IMAGE"',
    ]);
  });

  it('with two nodes of one ID: one is lost, and the fix gives it a new ID', () => {
    const other = {
      ...loader,
      id: 2,
      title: 'Other',
      outputs: [{ name: 'MODEL', type: 'MODEL', links: [3] }],
    };
    const end = { ...sampler, id: 5, inputs: [{ name: 'model', type: 'MODEL', link: 3 }], outputs: [] };
    const text = graph({ more: [other, end], links: [...links, [3, 2, 0, 5, 0, 'MODEL']] });
    const finding = the('duplicate-node', text);
    expect(finding).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('"Other" is missing') as string,
    });
    const fixed = applyEdits(text, fixes(WorkflowDocument.of(text), finding)[0]?.edits ?? []);
    const read = JSON.parse(fixed) as { last_node_id: number; nodes: { id: number }[]; links: unknown[][] };
    expect(read.nodes.map(({ id }) => id)).toEqual([1, 2, 3, 10, 5]);
    expect(read.links.at(-1)).toEqual([3, 10, 0, 5, 0, 'MODEL']);
    expect(read.links[0]).toEqual(links[0]);
    expect(read.last_node_id).toBe(10);
    expect(lines(fixed)).toEqual([]);
    const note = { id: 3, type: 'Note', mode: 0, inputs: [], outputs: [], properties: {} };
    expect(the('duplicate-node', graph({ more: [note] })).severity).toBe('hint');
    expect(check(graph({ more: [note] })).verdict?.valid).toBe(true);
  });

  it('with several nodes of one ID: one fix gives them all different IDs', () => {
    const copy = (id: number): Slot => ({ ...save, id, inputs: [], outputs: [] });
    const text = graph({ more: [copy(1), copy(3), copy(3)] });
    const doc = WorkflowDocument.of(text);
    const fixed = applyEdits(text, fixAll(doc, check(text, { catalog: undefined }).findings));
    const ids = (JSON.parse(fixed) as { nodes: { id: number }[] }).nodes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('in its links', () => {
    const lost = [{ name: 'model', type: 'MODEL', link: 3 }];
    const toNowhere = [...links, [3, 8, 0, 2, 0, 'MODEL']];
    expect(lines(graph({ sampler: { inputs: lost }, links: toNowhere }), { catalog: undefined })).toContain(
      'warning dangling-link [3,8,0,2,0,"MODEL"]',
    );
  });

  it('in leftover links are hints; those in output lists are not reported', () => {
    const leftOver = [...links, [3, 1, 0, 8, 0, 'MODEL']];
    expect(lines(graph({ links: leftOver }), {}, true)).toEqual(['hint dangling-link [3,1,0,8,0,"MODEL"]']);
    const outputs = [{ ...loader.outputs[0], links: [1, 77, 78] }, ...loader.outputs.slice(1)];
    expect(lines(graph({ loader: { outputs } }), {}, true)).toEqual([]);
  });

  it('between its links and its slots', () => {
    expect(lines(graph({ links: [...links, [3, 1, 0, 3, 0, 'MODEL']] }))).toEqual([
      'information link-table [3,1,0,3,0,"MODEL"]',
    ]);
    expect(lines(graph({ links: [links[0], [2, 2, 0, 1, 0, 'IMAGE']] }))).toContain('warning link-table 2');
  });

  it('that prevent conversion are reported at the link', () => {
    const text = graph({ links: links.slice(1) });
    expect(lines(text).map((line) => line.split(' ')[1])).toEqual(
      expect.arrayContaining(['dangling-link', 'graph-not-convertible']),
    );
    expect(check(text).verdict).toBeUndefined();
  });

  it('in its widget values', () => {
    const shifted = graph({ sampler: { widgets_values: ['x', 'y', 1, 'fixed', true, 'normal', ''] } });
    expect(lines(shifted)).toContain('warning widget-shifted "x"');
  });

  it('in missing widget values without a default', () => {
    expect(lines(graph({ sampler: { widgets_values: [20, 7] } }), {}, true)).toEqual([]);
    const bare = Catalog.fromDefinitions({
      Show: {
        input: { required: { images: ['IMAGE'], size: ['INT', {}], name: [[]], more: ['INT', {}] } },
        output: [],
        output_node: true,
      },
    });
    const node = { id: 1, type: 'Show', mode: 0, inputs: [], outputs: [], widgets_values: [] as unknown[] };
    const file = (values: unknown[]): string =>
      JSON.stringify({ nodes: [{ ...node, widgets_values: values }], links: [], version: 0.4 });
    const counts = (values: unknown[]): string[] =>
      lines(file(values), { catalog: bare }, true).filter((line) => line.includes('widget-count'));
    expect(counts([5])).toEqual(['hint widget-count [5]']);
    expect(counts([5, 'x'])).toEqual([]);
    expect(the('widget-count', file([5]), { catalog: bare }).message).toContain('no value for name,');
  });

  it('in muted and bypassed nodes', () => {
    const muted = graph({ loader: { mode: 2 } });
    expect(lines(muted)).toEqual(
      expect.arrayContaining(['warning muted-source "model"', 'error missing-input "model"']),
    );
    const bypassed = graph({ loader: { mode: 4 } });
    expect(lines(bypassed)).toContain('warning bypass-without-match 4');
  });

  it('in nodes that exist only in the ComfyUI editor', () => {
    const wire = {
      id: 8,
      type: 'WireThing',
      mode: 0,
      inputs: [],
      outputs: [{ name: '*', type: '*', links: [] }],
      properties: {},
    };
    expect(lines(graph({ more: [wire] }))).toEqual(['error unknown-class "WireThing"']);
    expect(the('unknown-class', graph({ more: [wire] })).message).toContain(
      'If it exists only in the ComfyUI editor, replace it with links.',
    );
    const refused = graph({
      more: [wire],
      sampler: { inputs: [{ name: 'model', type: 'MODEL', link: 99 }] },
    });
    expect(lines(refused)).toContain('warning unknown-virtual-node "WireThing"');
    const note = { id: 8, type: 'Sticker', mode: 0, inputs: [], outputs: [], properties: {} };
    expect(lines(graph({ more: [note] }))).toEqual([]);
  });

  it("in missing node types inside a group node, which the editor then doesn't expand", () => {
    const inner = (type: string, index: number, pack?: string) => ({
      type,
      index,
      inputs: [],
      outputs: [],
      properties: pack === undefined ? {} : { cnr_id: pack },
    });
    const pair = {
      nodes: [inner('Loader', 0), inner('InkBrush', 1, 'ink-pack'), inner('Wash', 2)],
      links: [],
    };
    const outputs = [{ name: 'IMAGE', type: 'IMAGE', links: [] }];
    const instance = (id: number) => ({ id, type: 'workflow>Pair', mode: 0, inputs: [], outputs });
    const file = JSON.parse(graph({ more: [instance(7), instance(8)] })) as object;
    const text = JSON.stringify({ ...file, extra: { groupNodes: { Pair: pair } } }, null, 1);
    const unknown = check(text).findings.filter(({ code }) => code === 'unknown-class');
    expect(unknown.map(({ message }) => message)).toEqual([
      "The group node Pair (nodes 7 and 8) needs 2 node types that the server doesn't have: InkBrush from ink-pack, and Wash. Install the packs that provide them, or remove the node.",
    ]);
    expect(unknown[0]?.fix).toMatchObject({ kind: 'findPack', classType: 'InkBrush', pack: 'ink-pack' });
    const onSandbox = check(text, { isSandbox: true }).findings.map(({ message }) => message);
    expect(onSandbox.join()).toContain(
      "Uses 2 node types that the sandbox doesn't have: InkBrush from ink-pack",
    );
  });

  it("in models that the server doesn't have", () => {
    const models = [
      { name: 'new.safetensors', directory: 'checkpoints', url: 'https://example.org/new.safetensors' },
    ];
    const text = graph({ loader: { properties: { models } } });
    expect(the('model-not-on-server', text).message).toContain('into checkpoints from https://example.org');
    const off = graph({ loader: { mode: 4, properties: { models } } });
    expect(lines(off).filter((line) => line.includes('model-not'))).toEqual([]);
    // If the node needs the model, its value is the only finding.
    const asked = graph({ loader: { properties: { models }, widgets_values: ['sub/new.safetensors'] } });
    expect(lines(asked)).toEqual(['error option-unknown "sub/new.safetensors"']);
    expect(the('option-unknown', asked).message).toContain('into checkpoints from https://example.org');
  });
});
