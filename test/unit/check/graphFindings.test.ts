import { describe, expect, it } from 'vitest';
import { exactFrom } from '../../../src/core/json/exactValue';
import { writeExact } from '../../../src/core/json/exactWriter';
import { applyEdits } from '../../../src/core/json/textEdit';
import { fixesForFinding } from '../../../src/core/language/edits/fixes';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { check, lines, the } from './checkTexts';
import { graph, links, loader, sampler, save, type Changes, type Slot } from './graphTexts';

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

  it('inside a subgraph used twice are reported once', () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const part = {
      ...{ id, name: 'Part', version: 1, inputs: [] },
      outputs: [{ id: 'o', name: 'MODEL', type: 'MODEL', linkIds: [1] }],
      nodes: [{ ...loader, id: 7, widgets_values: ['z.safetensors'] }],
      links: [{ id: 1, origin_id: 7, origin_slot: 0, target_id: -20, target_slot: 0, type: 'MODEL' }],
    };
    const instance = (nodeId: number, link: number): Slot => ({
      ...{ id: nodeId, type: id, mode: 0, inputs: [], properties: {}, widgets_values: [] },
      outputs: [{ name: 'MODEL', type: 'MODEL', links: [link] }],
    });
    const second = { ...sampler, id: 5, inputs: [{ name: 'model', type: 'MODEL', link: 3 }] };
    const third = { ...save, id: 6, inputs: [{ name: 'images', type: 'IMAGE', link: 4 }] };
    const text = graph({
      loader: instance(1, 1),
      more: [instance(4, 3), second, third],
      links: [...links, [3, 4, 0, 5, 0, 'MODEL'], [4, 5, 0, 6, 0, 'IMAGE']],
      rest: { definitions: { subgraphs: [part] } },
    });
    expect(check(text).verdict?.nodeErrors.size).toBe(2);
    expect(lines(text)).toEqual(['error option-unknown "z.safetensors"']);
  });
});

describe('what the editor does to a graph', () => {
  /** The finding of a code in a graph with changed members, and the graph after its fix. */
  function fixed(
    code: string,
    more: Slot,
    changes: Changes = {},
  ): { severity: string; message: string; after: string } {
    const text = graph({ ...changes, rest: more });
    const finding = the(code, text);
    const after = applyEdits(text, fixesForFinding(WorkflowDocument.of(text), finding)[0]?.edits ?? []);
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
    expect(message).toContain('loses 2 of them');
    expect((JSON.parse(after) as { links: unknown }).links).toEqual(links);
    expect(lines(after)).toEqual([]);
    expect(lines(graph({ rest: { links: objects, version: 1 } }))).toEqual([]);
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

  it('with values by name', () => {
    const values = { seed: 18446744073709551615n, steps: 30, cfg: 7.5, scheduler: 'simple' };
    const written = writeExact(exactFrom(values));
    const text = graph({ sampler: { widgets_values: 'VALUES' } }).replace('"VALUES"', written);
    const finding = the('editor-values-by-name', text);
    expect(finding.message).toContain('it loses steps, cfg, seed, scheduler.');
    const after = applyEdits(text, fixesForFinding(WorkflowDocument.of(text), finding)[0]?.edits ?? []);
    expect(after).toContain('"widgets_values":[30, 7.5, 18446744073709551615, "fixed", true, "simple", ""]');
    expect(lines(after)).toEqual([]);
  });
});
