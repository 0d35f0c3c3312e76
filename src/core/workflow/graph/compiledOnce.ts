import type { Catalog } from '../../catalog/catalog';
import { compileGraph, type GraphCompilation } from './compileGraph';
import type { Graph } from './graph';

const known = new WeakMap<Graph, { readonly catalog: Catalog; readonly compiled: GraphCompilation }>();

/** An open file's prompt with `{a|b}` unchanged, shared by checks, code lenses and actions. */
export function compiledOnce(graph: Graph, catalog: Catalog): GraphCompilation {
  const last = known.get(graph);
  if (last?.catalog === catalog) return last.compiled;
  const compiled = compileGraph(graph, catalog);
  known.set(graph, { catalog, compiled });
  return compiled;
}
