import { Catalog } from '../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { compileGraph } from '../../../src/core/workflow/graph/compileGraph';
import { readGraph } from '../../../src/core/workflow/graph/graph';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { definitionsText, graphTextOfLength, largestGraphText, parseFile } from '../files';
import { type BenchRow, inTurns, type Task, timeLine } from '../measure';

/** The text length that 99 of 100 graph files do not exceed (workflows 6). */
const p99Length = 254_283;

/** Checks the text after typing one more digit into the first number of a widget, a different one each time. */
function keystroke(text: string, catalog: Catalog): Task {
  const at = /"widgets_values"\s*:\s*\[[^\]]*?\d/.exec(text);
  const offset = at ? at.index + at[0].length : text.indexOf('"nodes"');
  let stroke = 0;
  return () => {
    const typed = text.slice(0, offset) + String(stroke++ % 10) + text.slice(offset);
    return () => checkWorkflow(WorkflowDocument.of(typed), { catalog });
  };
}

export const diagnostics: BenchRow = {
  name: 'diagnostics',
  measure: async () => {
    const definitions = definitionsText();
    const catalog = Catalog.fromText(definitions);
    const [large, p99] = [largestGraphText(), graphTextOfLength(p99Length)];
    const { document, root } = parseFile(large);
    const times = await inTurns(
      {
        first: () => {
          const fresh = Catalog.fromText(definitions);
          return () => checkWorkflow(WorkflowDocument.of(large), { catalog: fresh });
        },
        typed: keystroke(large, catalog),
        p99: keystroke(p99, catalog),
        compile: () => () => compileGraph(readGraph(document, root), catalog),
      },
      25,
    );
    return [
      timeLine('first diagnostics of the graph file with most nodes', 60, times.first),
      timeLine('the same after a keystroke', 25, times.typed),
      timeLine('graph file of the 99th percentile, after a keystroke', 8, times.p99),
      timeLine('graph -> prompt of the graph file with most nodes', 8, times.compile),
    ];
  },
};
