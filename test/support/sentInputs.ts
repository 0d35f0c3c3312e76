import { Catalog } from '../../src/core/catalog/catalog';
import { parseJson } from '../../src/core/json/tree';
import {
  compileGraph,
  type CompileOptions,
  type GraphCompilation,
} from '../../src/core/workflow/graph/compileGraph';
import { readGraph } from '../../src/core/workflow/graph/graph';

/** Compiles a graph that is given as data or as a text. */
export function compileAnyGraph(
  graph: unknown,
  catalog: Catalog,
  options?: CompileOptions,
): GraphCompilation {
  const document = parseJson(typeof graph === 'string' ? graph : JSON.stringify(graph));
  if (!document.root) throw new Error('no JSON');
  return compileGraph(readGraph(document, document.root), catalog, options);
}

export interface PlainNode {
  readonly inputs: Record<string, unknown>;
  readonly class_type: string;
}

/** The prompt that is sent for a graph, as plain data. */
export function promptOfGraph(...given: Parameters<typeof compileAnyGraph>): Record<string, PlainNode> {
  const compiled = compileAnyGraph(...given);
  if (compiled.kind === 'failed') throw new Error(compiled.problem.message);
  return JSON.parse(compiled.prompt.document.text) as Record<string, PlainNode>;
}

/** A node of a graph file whose other members don't matter. */
export interface FileNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What the nodes of a graph send, by node ID, if a server defines their types with these inputs. */
export function sentByNodes(
  inputs: Readonly<Record<string, object>>,
  nodes: readonly FileNode[],
  links: readonly unknown[] = [],
): Record<string, Record<string, unknown>> {
  const definitions = Object.entries(inputs).map(([type, input]) => [type, { input, output: ['THING'] }]);
  const catalog = Catalog.fromDefinitions(Object.fromEntries(definitions) as Record<string, object>);
  const graph = { nodes: nodes.map((node, index) => ({ id: index + 1, ...node })), links, version: 0.4 };
  const prompt = promptOfGraph(graph, catalog);
  return Object.fromEntries(Object.entries(prompt).map(([id, node]) => [id, node.inputs]));
}

/** What a node sends that is alone in its graph. */
export function sentInputs(input: object, node: FileNode): Record<string, unknown> {
  return sentByNodes({ [node.type]: input }, [node])['1'] ?? {};
}
