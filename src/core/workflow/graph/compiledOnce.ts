import type { Catalog } from '../../catalog/catalog';
import { parseJson } from '../../json/tree';
import { type Prompt, readPrompt } from '../prompt';
import { compileGraph } from './compileGraph';
import type { Graph } from './graph';
import type { GraphProblem } from './graphProblem';
import type { SourceMap } from './sourceMap';

/** The prompt of a graph, read, with the way back to the file; or why there is none. */
export type GraphPrompt =
  | {
      readonly kind: 'compiled';
      readonly prompt: Prompt;
      readonly source: SourceMap;
      readonly warnings: readonly GraphProblem[];
    }
  | { readonly kind: 'failed'; readonly problem: GraphProblem };

const known = new WeakMap<Graph, { readonly catalog: Catalog; readonly compiled: GraphPrompt }>();

/** The prompt of an open file with `{a|b}` as it stands: checks, lenses and actions ask for that of the same graph. */
export function compiledOnce(graph: Graph, catalog: Catalog): GraphPrompt {
  const last = known.get(graph);
  if (last?.catalog === catalog) return last.compiled;
  const compilation = compileGraph(graph, catalog);
  const compiled: GraphPrompt =
    compilation.kind === 'failed'
      ? compilation
      : {
          kind: 'compiled',
          prompt: readPrompt(parseJson(compilation.promptText)),
          source: compilation.source,
          warnings: compilation.warnings,
        };
  known.set(graph, { catalog, compiled });
  return compiled;
}
