import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../../src/core/check/checkWorkflow';
import { applyEdits } from '../../../../src/core/json/textEdit';
import { fixesForFinding } from '../../../../src/core/language/edits/fixes';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';

const images = { images: ['IMAGE'] };
const catalog = Catalog.fromDefinitions({
  Loader: { input: { required: {} }, output: ['MODEL'] },
  Blank: { input: { required: {} }, output: ['MASK', 'IMAGE'] },
  Blur: { input: { required: { image: ['IMAGE'] } }, output: ['IMAGE'] },
  SaveImage: {
    input: { required: { ...images, filename_prefix: ['STRING', { default: 'ComfyUI' }] } },
    output: [],
    output_node: true,
    display_name: 'Save Image',
  },
  PreviewImage: { input: { required: images }, output: [], output_node: true, display_name: 'Preview Image' },
});

/** Title and text of each fix for the missing output. */
function mended(text: string): { title: string; text: string }[] {
  const finding = checkWorkflow(WorkflowDocument.of(text), { catalog }).findings.find(
    ({ code }) => code === 'no-output-node',
  );
  const found = finding ? fixesForFinding(WorkflowDocument.of(text), finding, { catalog }) : [];
  return found.map(({ title, edits }) => ({ title, text: applyEdits(text, edits) }));
}

function verdictOf(text: string): unknown {
  return checkWorkflow(WorkflowDocument.of(text), { catalog }).verdict?.valid;
}

describe('the fix for a workflow without an output node', () => {
  it('adds one to a prompt, at the unused output', () => {
    const prompt = {
      '1': { class_type: 'Blank', inputs: {} },
      '7': { class_type: 'Blur', inputs: { image: ['1', 1] }, _meta: { title: 'Soft' } },
      '3': { class_type: 'Loader', inputs: {} },
    };
    for (const text of [JSON.stringify(prompt), JSON.stringify(prompt, undefined, 2)]) {
      const found = mended(text);
      expect(found.map(({ title }) => title)).toEqual([
        'Add Save Image at Soft (node 7)',
        'Add Preview Image at Soft (node 7)',
      ]);
      expect(JSON.parse(found[0]?.text ?? '')).toEqual({
        ...prompt,
        '8': {
          class_type: 'SaveImage',
          inputs: { images: ['7', 0], filename_prefix: 'ComfyUI' },
          _meta: { title: 'Save Image' },
        },
      });
      for (const each of found) expect(verdictOf(each.text)).toBe(true);
    }
  });

  it('adds one to a graph, with its link on both sides', () => {
    const node = { mode: 0, inputs: [], pos: [10, 20], size: [100, 50] };
    const outputs = [
      { name: 'MASK', type: 'MASK', links: null },
      { name: 'IMAGE', type: 'IMAGE', links: null },
    ];
    const nodes = [{ ...node, id: 4, type: 'Blank', outputs }];
    const graph = { last_node_id: 9, last_link_id: 5, nodes, links: [], version: 0.4 };
    for (const text of [JSON.stringify(graph), JSON.stringify(graph, undefined, 2)]) {
      const found = mended(text);
      expect(found.map(({ title }) => title)).toEqual([
        'Add Save Image at Blank (node 4)',
        'Add Preview Image at Blank (node 4)',
      ]);
      const made = JSON.parse(found[0]?.text ?? '') as typeof graph;
      expect(made).toMatchObject({
        last_node_id: 10,
        last_link_id: 6,
        links: [[6, 4, 1, 10, 0, 'IMAGE']],
        nodes: [
          { outputs: [{ links: null }, { links: [6] }] },
          { id: 10, type: 'SaveImage', pos: [170, 20], widgets_values: ['ComfyUI'] },
        ],
      });
      for (const each of found) expect(verdictOf(each.text)).toBe(true);
    }
  });

  it('offers nothing when no output fits', () => {
    expect(mended(JSON.stringify({ '3': { class_type: 'Loader', inputs: {} } }))).toEqual([]);
  });
});
