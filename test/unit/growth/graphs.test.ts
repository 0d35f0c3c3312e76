import { describe, expect, it } from 'vitest';

import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { differencesText } from '../../../src/core/diff/differenceWords';
import { workflowMeaning } from '../../../src/core/diff/meaning';
import { workflowDifferences } from '../../../src/core/diff/workflowDifferences';
import { palettes } from '../../../src/core/drawing/canvasPalette';
import { drawingJson } from '../../../src/core/drawing/drawingJson';
import { drawingSvg } from '../../../src/core/drawing/drawingSvg';
import { drawWorkflow } from '../../../src/core/drawing/drawWorkflow';
import { GraphRefusal } from '../../../src/core/workflow/graph/graphProblem';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { expectGentleGrowth } from '../../support/growth';
import { drawn, graphs, nested } from './graphShapes';
import { compileAnyGraph } from '../../support/sentInputs';
import { catalog } from './shapes';

/** Some shapes have three nodes for each step. */
const sizes = { from: 256, to: 6_000 };

/** A refusal is an answer. */
async function orRefused<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GraphRefusal) return undefined;
    throw error;
  }
}

describe('a graph', { timeout: 300_000 }, () => {
  it.each(Object.entries(graphs))('takes time that grows with it to be checked: %s', async (_name, input) => {
    await expectGentleGrowth({
      ...sizes,
      input,
      run: (text) => checkWorkflow(WorkflowDocument.of(text), { catalog }),
    });
  });

  it.each(Object.entries({ ...graphs, ...drawn }))(
    'takes time that grows with it to be drawn: %s',
    async (_name, input) => {
      await expectGentleGrowth({
        ...sizes,
        input,
        run: (text) =>
          orRefused(async () => {
            const drawing = await drawWorkflow(WorkflowDocument.of(text), catalog);
            return drawing && drawingSvg(drawing, palettes.dark) + drawingJson(drawing);
          }),
      });
    },
  );

  it.each(Object.entries(graphs))(
    'takes time that grows with it to be compared: %s',
    async (_name, input) => {
      await expectGentleGrowth({
        ...sizes,
        input,
        run: (text) =>
          orRefused(() => {
            const [before = new Map(), after = new Map()] = [text, text.replaceAll('"id":', '"id":1')].map(
              (each) => workflowMeaning(WorkflowDocument.of(each), catalog, false),
            );
            return differencesText(workflowDifferences(before, after), { before, after });
          }),
      });
    },
  );
});

describe('a graph that expands without limit', () => {
  it.each([
    ['subgraphs of which each holds two of the next, 30 deep', nested(30, 2)],
    ['the same with long ids', nested(16, 2, 'x'.repeat(20_000))],
    ['the same with a long text in the last', nested(14, 2, '', 'x'.repeat(100_000))],
    ['many subgraphs deep', nested(20_000, 1)],
  ])('is refused: %s', (_name, text) => {
    const compilation = compileAnyGraph(text, catalog);
    expect(compilation).toMatchObject({ kind: 'failed' });
    const code = compilation.kind === 'failed' && compilation.problem.code;
    expect(['too-large', 'subgraph-loop']).toContain(code);
  });

  it('is reported as a finding', () => {
    const { findings } = checkWorkflow(WorkflowDocument.of(nested(30, 2)), { catalog });
    expect(findings[0]).toMatchObject({ code: 'graph-not-convertible' });
    expect(findings[0]?.message).toContain('more than 50,000 nodes');
  });
});
