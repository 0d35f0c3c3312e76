import type { Catalog } from '../../catalog/catalog';
import { compileGraph } from '../../workflow/graph/compileGraph';
import type { GraphProblem } from '../../workflow/graph/graphProblem';
import { indented } from '../../json/indentedText';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

/** A graph in the API format, laid out to be read, or why that cannot be. */
export type ApiConversion =
  | { readonly kind: 'converted'; readonly text: string; readonly warnings: readonly GraphProblem[] }
  | { readonly kind: 'failed'; readonly problem: GraphProblem };

/** The prompt that the ComfyUI editor would send for a graph file; undefined for other files. */
export function convertToApi(doc: WorkflowDocument, catalog: Catalog): ApiConversion | undefined {
  if (!doc.graph) return undefined;
  const compiled = compileGraph(doc.graph, catalog);
  if (compiled.kind === 'failed') return compiled;
  return {
    kind: 'converted',
    text: `${indented(compiled.prompt.document.text)}\n`,
    warnings: compiled.warnings,
  };
}
