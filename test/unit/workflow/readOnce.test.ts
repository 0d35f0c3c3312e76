import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { modelsMissing } from '../../../src/core/check/modelsMissing';
import { parseJson } from '../../../src/core/json/tree';
import { inlayHints } from '../../../src/core/language/annotations/inlayHints';
import { workflowLenses } from '../../../src/core/language/annotations/lenses';
import { semanticTokens } from '../../../src/core/language/annotations/semanticTokens';
import { hoverAtOffset } from '../../../src/core/language/hover/hover';
import { workflowSymbols } from '../../../src/core/language/outline/symbols';
import { typesToRefresh } from '../../../src/core/language/typesToRefresh';
import { prepareRun } from '../../../src/core/runs/prepareRun';
import { nodePlaceInText } from '../../../src/core/workflow/promptPlaces';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

// Other test files have loaded the modules, and more will.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());

vi.mock(import('../../../src/core/json/tree'), async (original) => {
  const tree = await original();
  return { ...tree, parseJson: vi.fn(tree.parseJson) };
});

const type = (input: object, output: string[], isOutput = false) => ({
  input: { required: input },
  output,
  output_name: output,
  category: 'test',
  output_node: isOutput,
});
const catalog = Catalog.fromText(
  JSON.stringify({
    Load: type({ seed: ['INT', {}] }, ['IMAGE']),
    Save: type({ images: ['IMAGE'] }, [], true),
  }),
);
const prompt = JSON.stringify({
  1: { class_type: 'Load', inputs: { seed: 7 } },
  2: { class_type: 'Save', inputs: { images: ['1', 0] } },
});
const graph = JSON.stringify({
  last_node_id: 2,
  last_link_id: 1,
  nodes: [
    {
      id: 1,
      type: 'Load',
      mode: 0,
      inputs: [],
      outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1] }],
      widgets_values: [7],
    },
    { id: 2, type: 'Save', mode: 0, inputs: [{ name: 'images', type: 'IMAGE', link: 1 }], outputs: [] },
  ],
  links: [[1, 1, 0, 2, 0, 'IMAGE']],
  version: 0.4,
});

describe.each([
  ['API', prompt],
  ['graph', graph],
])('a workflow in the %s format', (_format, text) => {
  beforeEach(() => {
    vi.mocked(parseJson).mockClear();
  });

  test('is parsed once for check, lenses, hints, outline, hover, models and run together', () => {
    const workflow = WorkflowDocument.of(text);
    expect(checkWorkflow(workflow, { catalog }).findings).toEqual([]);
    workflowLenses(workflow, [], catalog);
    inlayHints(workflow, { offset: 0, length: text.length }, catalog);
    semanticTokens(workflow);
    workflowSymbols(workflow);
    hoverAtOffset(workflow, text.indexOf('Load'), catalog);
    modelsMissing(workflow, { catalog });
    typesToRefresh(workflow, catalog, 10);
    nodePlaceInText(workflow, '2');
    const run = prepareRun({ workflow, label: 'w.json' }, { seeds: 'keep' }, { catalog });
    expect(run).toMatchObject({ kind: 'prepared' });
    const texts = vi.mocked(parseJson).mock.calls.map(([parsed]) => parsed);
    expect(texts.filter((parsed) => parsed === text)).toHaveLength(1);
    expect(texts).toHaveLength(1);
  });
});
