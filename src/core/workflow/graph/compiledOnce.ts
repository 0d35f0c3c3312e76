import type { Catalog } from '../../catalog/catalog';
import { compileGraph, type GraphCompilation } from './compileGraph';
import type { Graph } from './graph';

const known = new WeakMap<Graph, { readonly catalog: Catalog; readonly compiled: GraphCompilation }>();

/** The prompt of an open file with `{a|b}` as it stands: checks, lenses and actions ask for that of the same graph. */
export function compiledOnce(graph: Graph, catalog: Catalog): GraphCompilation {
  const last = known.get(graph);
  if (last?.catalog === catalog) return last.compiled;
  const compiled = compileGraph(graph, catalog);
  known.set(graph, { catalog, compiled });
  return compiled;
}
