import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { applyEdits } from '../../../src/core/json/textEdit';
import { fixAll, fixesForFinding } from '../../../src/core/language/edits/fixes';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { check, lines, the } from './checkTexts';
import { graph, links, loader, sampler, save, type Slot } from './graphTexts';

/** The loader's link comes from a node that doesn't exist, so the graph can't be converted. */
const fromNowhere = [[1, 99, 0, 2, 0, 'MODEL'], ...links.slice(1)];

describe('faults of the graph', () => {
  it('at slots that a subgraph no longer has', () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const outputs = [{ id: 'o', name: 'IMAGE', type: 'IMAGE', linkIds: [] }];
    const part = { id, name: 'Part', version: 1, inputs: [], outputs, nodes: [], links: [] };
    const instance = {
      ...{ type: id, properties: {}, widgets_values: [] },
      inputs: [
        { name: 'model', type: 'MODEL', link: 1 },
        { name: 'vae', type: 'VAE', link: null },
      ],
      outputs: [
        { name: 'IMAGE', type: 'IMAGE', links: [2] },
        { name: 'MASK', type: 'MASK', links: [] },
      ],
    };
    const text = graph({ sampler: instance, rest: { definitions: { subgraphs: [part] } } });
    expect(lines(text, { catalog: undefined })).toEqual(['warning stale-subgraph-slot "model"']);
    const renamed = text.replace('"IMAGE","type":"IMAGE","linkIds"', '"OUT","type":"IMAGE","linkIds"');
    expect(lines(renamed, { catalog: undefined })).toEqual([
      'warning stale-subgraph-slot "model"',
      'warning stale-subgraph-slot "IMAGE"',
    ]);
  });

  it('with two nodes of one ID: one loses its links, and the fix gives it a new ID', () => {
    const outputs = [{ name: 'MODEL', type: 'MODEL', links: [3] }];
    const other = { ...loader, id: 2, title: 'Other', outputs };
    const end = { ...sampler, id: 5, inputs: [{ name: 'model', type: 'MODEL', link: 3 }], outputs: [] };
    const text = graph({ more: [other, end], links: [...links, [3, 2, 0, 5, 0, 'MODEL']] });
    const finding = the('duplicate-node', text);
    expect(finding).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('gives "Other" another one and drops its links') as string,
    });
    const fixed = applyEdits(text, fixesForFinding(WorkflowDocument.of(text), finding)[0]?.edits ?? []);
    const read = JSON.parse(fixed) as { last_node_id: number; nodes: { id: number }[]; links: unknown[][] };
    expect(read.nodes.map(({ id }) => id)).toEqual([1, 2, 3, 10, 5]);
    expect(read.links.at(-1)).toEqual([3, 10, 0, 5, 0, 'MODEL']);
    expect(read.links[0]).toEqual(links[0]);
    expect(read.last_node_id).toBe(10);
    expect(lines(fixed)).toEqual([]);
    const counted = text.replace('"last_node_id":9', '"last_node_id":1e100');
    expect(counted).not.toBe(text);
    const [fix] = fixesForFinding(WorkflowDocument.of(counted), the('duplicate-node', counted));
    const { nodes } = JSON.parse(applyEdits(counted, fix?.edits ?? [])) as { nodes: { id: number }[] };
    expect(nodes.map(({ id }) => id)).toEqual([1, 2, 3, 6, 5]);
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

  it('in leftover links are hints; those in output lists are not reported', () => {
    const leftOver = [...links, [3, 1, 0, 8, 0, 'MODEL']];
    expect(lines(graph({ links: leftOver }), {}, true)).toEqual(['hint dangling-link [3,1,0,8,0,"MODEL"]']);
    const outputs = [{ ...loader.outputs[0], links: [1, 77, 78] }, ...loader.outputs.slice(1)];
    expect(lines(graph({ loader: { outputs } }), {}, true)).toEqual([]);
  });

  it('that prevent conversion are reported at the link', () => {
    const text = graph({ links: fromNowhere });
    expect(lines(text).map((line) => line.split(' ')[1])).toEqual(['graph-not-convertible']);
    expect(check(text).verdict).toBeUndefined();
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
    expect(lines(muted)).toEqual(['error muted-source "model"']);
    const bypassed = graph({ loader: { mode: 4 } });
    expect(lines(bypassed)).toEqual(['error bypass-without-match 4']);
  });

  it('in nodes that exist only in the ComfyUI editor', () => {
    const outputs = [{ name: '*', type: '*', links: [] }];
    const wire = { id: 8, type: 'WireThing', mode: 0, inputs: [], outputs, properties: {} };
    expect(lines(graph({ more: [wire] }))).toEqual(['error unknown-class "WireThing"']);
    expect(the('unknown-class', graph({ more: [wire] })).message).toContain(
      'If it exists only in the ComfyUI editor, replace it with links.',
    );
    const refused = graph({ more: [wire], links: fromNowhere });
    expect(lines(refused)).toContain('warning unknown-virtual-node "WireThing"');
    const note = { id: 8, type: 'Sticker', mode: 0, inputs: [], outputs: [], properties: {} };
    expect(lines(graph({ more: [note] }))).toEqual([]);
  });

  it("in missing node types inside a group node, which the editor then doesn't expand", () => {
    const inner = (type: string, index: number, pack?: string) => ({
      ...{ type, index, inputs: [], outputs: [], properties: pack === undefined ? {} : { cnr_id: pack } },
    });
    const pair = {
      nodes: [inner('Loader', 0), inner('InkBrush', 1, 'ink-pack'), inner('Wash', 2)],
      links: [],
    };
    const outputs = [{ name: 'IMAGE', type: 'IMAGE', links: [] }];
    const instance = (id: number) => ({ id, type: 'workflow>Pair', mode: 0, inputs: [], outputs });
    const text = graph({ more: [instance(7), instance(8)], rest: { extra: { groupNodes: { Pair: pair } } } });
    const unknown = check(text).findings.filter(({ code }) => code === 'unknown-class');
    expect(unknown.map(({ message }) => message)).toEqual([
      "The group node Pair (nodes 7 and 8) needs 2 node types that the server doesn't have: InkBrush from ink-pack, and Wash. Install the missing packs, or remove the node.",
    ]);
    expect(unknown[0]?.fix).toMatchObject({ kind: 'findPack', classType: 'InkBrush', pack: 'ink-pack' });
    const onSandbox = check(text, { isSandbox: true }).findings.map(({ message }) => message);
    expect(onSandbox.join()).toContain(
      "The sandbox doesn't have 2 node types of this file: InkBrush from ink-pack",
    );
  });

  it("in models that the server doesn't have", () => {
    const models = [
      { name: 'new.safetensors', directory: 'checkpoints', url: 'https://example.org/new.safetensors' },
    ];
    // The file keeps what it said of a model, whatever is chosen since, here one that the server has.
    expect(lines(graph({ loader: { properties: { models } } }))).toEqual([]);
    const values = { properties: { models }, widgets_values: ['sub/new.safetensors'] };
    const off = graph({ loader: { ...values, mode: 4 } });
    expect(lines(off).filter((line) => line.includes('model-not'))).toEqual([]);
    // A graph that can't be converted has no values but those that it stores.
    const broken = { links: fromNowhere };
    const stored = graph({ loader: values, ...broken });
    expect(the('model-not-on-server', stored).message).toContain('to checkpoints from https://example.org');
    const changed = graph({ loader: { properties: { models } }, ...broken });
    expect(lines(changed).filter((line) => line.includes('model-not'))).toEqual([]);
    // If the node needs the model, its value is the only finding.
    const asked = graph({ loader: { properties: { models }, widgets_values: ['sub/new.safetensors'] } });
    expect(lines(asked)).toEqual(['error option-unknown "sub/new.safetensors"']);
    expect(the('option-unknown', asked).message).toContain('to checkpoints from https://example.org');
  });
});
