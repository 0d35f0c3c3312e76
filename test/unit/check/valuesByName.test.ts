import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { checkGraph } from '../../../src/core/check/checkGraph';
import type { RuleFinding } from '../../../src/core/check/rule';
import { applyEdits, sourceTextIn } from '../../../src/core/json/textEdit';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

const catalog = Catalog.fromDefinitions({
  Sampler: {
    input: {
      required: {
        seed: ['INT', { control_after_generate: true }],
        steps: ['INT', { default: 20 }],
        cfg: ['FLOAT', { default: 7 }],
      },
    },
    output: ['LATENT'],
  },
  Video: {
    input: {
      required: { file: ['COMBO', { options: ['v.mp4'], video_upload: true }] },
      optional: { edit: ['VIDEO_EDIT', { features: ['trim'] }] },
    },
    input_order: { required: ['file'], optional: ['edit'] },
    output: ['VIDEO'],
  },
  Rows: {
    input: {
      required: {
        g: ['COMFY_DYNAMICGROUP_V3', { template: { required: { w: ['FLOAT', {}] } }, min: 1, max: 3 }],
      },
    },
    output: ['IMAGE'],
  },
  Images: {
    input: { required: { g: ['COMFY_DYNAMICGROUP_V3', { template: { required: { image: ['IMAGE'] } } }] } },
    output: ['IMAGE'],
  },
});

function graphOf(nodes: object[], more: object = {}): string {
  return JSON.stringify({ last_node_id: 9, last_link_id: 9, nodes, links: [], version: 0.4, ...more });
}

function findings(text: string, ...codes: string[]): readonly RuleFinding[] {
  const { graph } = WorkflowDocument.of(text);
  if (!graph) throw new Error('no graph');
  return checkGraph(graph, { catalog }, true).ruleFindings.filter(({ code }) => codes.includes(code));
}

/** The only finding of a code, its place, and the file after its fix. */
function found(code: string, text: string): { message: string; at: string; after: string } {
  const [finding, ...more] = findings(text, code);
  if (!finding) throw new Error('no finding');
  expect(more).toEqual([]);
  const { fix, message, range } = finding;
  const edits = fix?.kind === 'replaceTexts' ? fix.edits : [];
  return { message, at: sourceTextIn(text, range), after: applyEdits(text, edits) };
}

describe('a list of values and their names', () => {
  const names = { seed: 18, control_after_generate: 'fixed', steps: 33, cfg: 8 };
  const withBoth = (values: unknown[], more: object = {}): string =>
    graphOf([
      { id: 1, type: 'Sampler', widgets_values: values, widgets_values_named: { ...names, ...more } },
    ]);

  it('differ where the node type gained a widget, and the fix takes them by name', () => {
    const { message, at, after } = found('widget-names', withBoth([18, 33, 8]));
    expect(message).toContain('steps (8, by name 33), cfg (7.0, by name 8)');
    expect(at).toBe('33');
    expect(after).toContain('"widgets_values":[18, "fixed", 33, 8]');
    expect(findings(after, 'widget-names', 'widget-shifted')).toEqual([]);
  });

  it('are alike if a widget is gone or was added at the end, or only a control differs', () => {
    expect(findings(withBoth([18, 'fixed', 33, 8], { gone: 1 }), 'widget-names')).toEqual([]);
    expect(findings(withBoth([18, 'fixed', 33], { cfg: 7 }), 'widget-names')).toEqual([]);
    expect(findings(withBoth([18, 'randomize', 33, 8]), 'widget-names')).toEqual([]);
  });

  it('are missed where the file has only the names, and the fix writes the list', () => {
    const text = withBoth([]).replace('"widgets_values":[],', '');
    const { message, at, after } = found('editor-values-by-name', text);
    expect(message).toContain('so it loses seed, control_after_generate, steps, cfg');
    expect(at).toBe('"widgets_values_named"');
    expect(after).toContain('"cfg":8},"widgets_values":[18, "fixed", 33, 8]}');
    expect(findings(after, 'editor-values-by-name', 'widget-names')).toEqual([]);
  });

  it('keep every digit of the values by name', () => {
    const text = withBoth([1, 'fixed', 33, 8]).replace('"seed":18', '"seed":18446744073709551615');
    expect(found('widget-names', text).after).toContain('[18446744073709551615, "fixed", 33, 8]');
  });
});

describe('values that the editor reads otherwise', () => {
  it('are an old button in the place of an edit', () => {
    const text = graphOf([{ id: 1, type: 'Video', widgets_values: ['v.mp4', 'image'] }]);
    const { message, at, after } = found('editor-other-values', text);
    expect(message).toContain('has "image" where edit belongs. The ComfyUI editor would send it');
    expect(at).toBe('"image"');
    expect(after).toContain('["v.mp4", {"trim": {"start_time": 0, "duration": 0}}, "image"]');
    expect(findings(after, 'editor-other-values')).toEqual([]);
  });

  it('are nulls over values inside a subgraph, in whichever form the file promotes them', () => {
    const slot = { name: 'steps', type: 'INT', widget: { name: 'steps' }, link: 1 };
    const inner = {
      ...{ id: 'one', name: 'One', outputs: [], inputs: [{ name: 'steps', type: 'INT', linkIds: [1] }] },
      nodes: [{ id: 3, type: 'Sampler', inputs: [slot], widgets_values: [1, 'fixed', 30, 2] }],
      links: [{ id: 1, origin_id: -10, origin_slot: 0, target_id: 3, target_slot: 0, type: 'INT' }],
    };
    const properties = { proxyWidgets: [['3', 'cfg']] };
    for (const [more, name, value] of [
      [{}, 'steps', '30'],
      [{ properties }, 'cfg', '2'],
    ] as const) {
      const nodes = inner.nodes.map((node) => ({ ...node, inputs: [] }));
      const declared = name === 'steps' ? inner : { ...inner, inputs: [], links: [], nodes };
      const instance = { id: 5, type: 'one', inputs: [], widgets_values: [null], ...more };
      const text = graphOf([instance], { definitions: { subgraphs: [declared] } });
      const { message, at, after } = found('editor-other-values', text);
      expect(message).toContain(`One (node 5) has null for ${name}`);
      expect(at).toBe('null');
      expect(after).toContain(`"widgets_values":[${value}]`);
      expect(findings(after, 'editor-other-values')).toEqual([]);
    }
  });

  it('are missing values of rows, and rows that it does not show', () => {
    const many = graphOf([{ id: 1, type: 'Rows', widgets_values: [9, 0.5] }]);
    expect(found('editor-other-values', many)).toMatchObject({ at: '9', after: many });
    const images = graphOf([{ id: 1, type: 'Images', widgets_values: [1] }]);
    expect(found('editor-other-values', images)).toMatchObject({ at: '"Images"', after: images });
    expect(
      findings(graphOf([{ id: 1, type: 'Rows', widgets_values: [1, 0.5] }]), 'editor-other-values'),
    ).toEqual([]);
  });
});
