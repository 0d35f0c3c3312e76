import { describe, expect, it } from 'vitest';

import { inputChoices, readBatchInputs } from '../../../src/core/batch/batchInputs';
import { Catalog } from '../../../src/core/catalog/catalog';
import { applyEdits } from '../../../src/core/json/textEdit';
import { inlayHints } from '../../../src/core/language/annotations/inlayHints';
import { completeAtOffset } from '../../../src/core/language/completion/complete';
import { workflowActions } from '../../../src/core/language/edits/actions';
import { hoverAtOffset } from '../../../src/core/language/hover/hover';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { autogrow } from '../../support/dynamicInputs';

const catalog = Catalog.fromDefinitions({
  Rows: {
    input: {
      required: {
        g: [
          'COMFY_DYNAMICGROUP_V3',
          {
            template: {
              required: { name: [['a', 'b']], seed: ['INT', { max: 9, control_after_generate: true }] },
            },
            min: 1,
            max: 3,
          },
        ],
        edit: ['VIDEO_EDIT', { default: { trim: {} } }],
        served: ['COMBO', { remote_combo: { route: '/files' } }],
      },
    },
    output: ['IMAGE'],
    output_node: true,
  },
  Branch: {
    input: {
      required: {
        autogrow: autogrow({ value: ['*'] }, { prefix: 'value' }),
        branch: ['COMFY_BRANCH_SELECTOR', {}],
      },
    },
    output: ['*'],
  },
});

const rows = JSON.stringify({
  last_node_id: 3,
  last_link_id: 3,
  nodes: [
    { id: 1, type: 'Rows', widgets_values: [2, 'a', 4, 'fixed', 'b', 5, 'randomize', { trim: {} }, 'x'] },
    {
      id: 2,
      type: 'Branch',
      inputs: [
        { name: 'autogrow.value0', type: '*', link: 1, label: 'day' },
        { name: 'autogrow.value1', type: '*', link: 2 },
      ],
      widgets_values: ['day'],
    },
    { id: 3, type: 'Rows', widgets_values_named: { g: 1, 'g.0.name': 'b' } },
  ],
  links: [
    [1, 1, 0, 2, 0, '*'],
    [2, 1, 0, 2, 1, '*'],
  ],
  version: 0.4,
});
const doc = WorkflowDocument.of(rows);

function words(text: string, of: WorkflowDocument = doc): string[] {
  return completeAtOffset(of, of.text.indexOf(text) + 1, catalog).map(({ label }) => label);
}

describe('widgets of newer node types', () => {
  it('are named beside their values, in every row', () => {
    const labels = inlayHints(doc, { offset: 0, length: rows.length }, catalog).map(({ label }) => label);
    const [first, second] = ['g.0', 'g.1'].map((row) => [`${row}.name`, `${row}.seed`, 'after each run']);
    expect(labels).toEqual(
      expect.arrayContaining(['g', ...(first ?? []), ...(second ?? []), 'edit', 'branch']),
    );
  });

  it('are explained', () => {
    const text = (at: string): string | undefined => hoverAtOffset(doc, rows.indexOf(at), catalog)?.markdown;
    expect(text('2,"a"')).toContain('Rows: 1 to 3');
    expect(text('5,"randomize"')).toContain('**g.1.seed**');
    expect(text('"x"')).toContain('Options come from another service.');
  });

  it('complete their values: fields of rows, and the inputs of a branch', () => {
    expect(words('"b",5')).toEqual(['a', 'b']);
    expect(words('"day"]')).toEqual(['day', 'value1']);
    expect(words('"b"}')).toEqual(['a', 'b']);
    const prompt = '{"1": {"class_type": "Rows", "inputs": {"g.0.name": "a", "edit": 1}}}';
    expect(words('1}}}', WorkflowDocument.of(prompt))).toEqual(['{"trim": {}}']);
    expect(words('"edit"', WorkflowDocument.of(prompt.replace('"edit": 1', '"edit"')))).toContain('g.0.seed');
  });

  it('can be varied in a batch, and get new seeds', () => {
    const found = readBatchInputs(doc, catalog);
    const choices = found.kind === 'inputs' ? inputChoices(found.inputs, rows) : [];
    expect(choices.map(({ selector, value, field }) => `${selector} ${value} ${field.kind}`)).toEqual(
      expect.arrayContaining(['1.g.0.name a options', 'Rows.g.1.seed 5 int', '3.g.0.name b options']),
    );
    const seeds = workflowActions(doc, rows.indexOf('"Rows"') + 1, { catalog, randomSeed: () => 7n });
    const [drawn, kept] = ['newSeed', 'fixSeed'].map((name) => {
      return applyEdits(rows, seeds.find((each) => each.name === name)?.edits ?? []);
    });
    expect(drawn).toContain('[2,"a",7,"fixed","b",7,"randomize",');
    expect(kept).toContain('[2,"a",4,"fixed","b",5,"fixed",');
  });
});
