import type { JsonNode } from '../../json/node';

/** Why the web editor would refuse a graph, or what it would silently do with it. */
export type GraphProblemCode =
  | 'link-missing'
  | 'slot-missing'
  | 'origin-missing'
  | 'link-loop'
  | 'subgraph-loop'
  | 'unknown-node'
  | 'links-by-pack'
  | 'links-not-read'
  | 'too-large'
  | 'not-a-graph';

/** A finding with its place in the text. */
export interface GraphProblem {
  readonly code: GraphProblemCode;
  /** What is wrong and what to do about it, for a person. */
  readonly message: string;
  readonly node: JsonNode;
  readonly related?: readonly { readonly node: JsonNode; readonly message: string }[];
}

/** Ends a compilation; caught where it began. */
export class GraphRefusal extends Error {
  override readonly name = 'GraphRefusal';
  constructor(readonly problem: GraphProblem) {
    super(problem.message);
  }
}
