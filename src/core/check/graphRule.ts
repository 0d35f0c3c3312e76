import type { Catalog } from '../catalog/catalog';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import type { JsonObject } from '../json/node';
import type { Graph, GraphLevel, SubgraphDefinition } from '../workflow/graph/graph';
import type { GraphLink } from '../workflow/graph/graphLinks';
import type { GraphNode } from '../workflow/graph/graphNode';
import type { LiveInput } from '../workflow/graph/liveNode';
import { loadedInputs } from '../workflow/graph/mergedInputs';
import type { Place, RuleFinding } from './rule';
import { t } from '../safety/localize';

/** One level of a graph file, the root or the inside of a subgraph, made ready for the rules. */
export interface LevelView {
  readonly graph: Graph;
  readonly level: GraphLevel;
  readonly subgraph: SubgraphDefinition | undefined;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly catalog: Catalog | undefined;
  readonly definitionOf: (node: GraphNode) => NodeDefinition | undefined;
  /** The inputs of a node once the editor has loaded it. */
  readonly inputsOf: (node: GraphNode) => readonly LiveInput[];
  /** "The server", or its name. */
  readonly server: string;
}

/** Examines one level of a graph file; positions are those of the file. */
export type GraphRule = (view: LevelView, report: (ruleFinding: RuleFinding) => void) => void;

export function graphLevelViews(graph: Graph, catalog: Catalog | undefined, server: string): LevelView[] {
  const definitionOf = ({ type }: GraphNode): NodeDefinition | undefined => catalog?.get(type);
  const view = (level: GraphLevel, subgraph?: SubgraphDefinition): LevelView => ({
    graph,
    level,
    subgraph,
    nodes: new Map(level.nodes.map((node) => [node.id, node])),
    catalog,
    definitionOf,
    inputsOf: (node) => loadedInputs(node, level, definitionOf(node), graph.subgraphs.get(node.type)),
    server,
  });
  return [view(graph), ...[...graph.subgraphs.values()].map((each) => view(each, each))];
}

export function levelObject({ graph, subgraph }: LevelView): JsonObject | undefined {
  if (subgraph) return subgraph.node;
  return graph.node.kind === 'object' ? graph.node : undefined;
}

/** The mode of a subgraph inside another one has no effect (workflows 2, E). */
export function hasOutput(view: LevelView, node: GraphNode): boolean {
  const subgraph = view.graph.subgraphs.get(node.type);
  if (!subgraph) return view.definitionOf(node)?.isOutputNode === true;
  const known = outputsInside.get(view) ?? new Map<SubgraphDefinition, boolean>();
  outputsInside.set(view, known);
  const found = known.get(subgraph) ?? hasOutputInside(view, subgraph);
  known.set(subgraph, found);
  return found;
}

const outputsInside = new WeakMap<LevelView, Map<SubgraphDefinition, boolean>>();

function hasOutputInside({ graph, definitionOf }: LevelView, subgraph: SubgraphDefinition): boolean {
  const inside = new Set([subgraph]);
  for (const { nodes } of inside) {
    for (const node of nodes) {
      const inner = graph.subgraphs.get(node.type);
      if (inner) inside.add(inner);
      else if (node.mode === 'always' && definitionOf(node)?.isOutputNode === true) return true;
    }
  }
  return false;
}

export function graphNodeLabel({ id, title, type }: GraphNode): string {
  return t`${title ?? type} (node ${id})`;
}

export function linkHere({ id, node }: GraphLink): Place & { readonly message: string } {
  return { range: node, message: t`Link ${id} is here.` };
}

/** An input in messages; those of reroutes have no name. */
export function slotName(name = '', slot: number): string {
  return name === '' ? t`input ${slot}` : name;
}
