import type { JsonNode } from '../../json/node';
import type { TextEdit } from '../../json/textEdit';

/** Why the ComfyUI editor would refuse a graph, or what it would silently change. */
export type GraphProblemCode =
  | 'slot-missing'
  | 'origin-missing'
  | 'link-loop'
  | 'subgraph-loop'
  | 'unknown-node'
  /** A node of an unknown type whose values have no names. */
  | 'values-lost'
  /** A value of a known node type that no rule explains. */
  | 'value-not-sent'
  /** A link that nothing is sent for. */
  | 'link-lost'
  /** Links that a node pack makes, but made otherwise when the file was saved. */
  | 'other-links'
  | 'links-not-read'
  /** Values that the editor would send otherwise. */
  | 'other-values'
  | 'too-large'
  | 'not-a-graph';

/** Findings about nodes of a type that the server does not know. */
export const unknownNodeCodes: ReadonlySet<GraphProblemCode> = new Set(['unknown-node', 'values-lost']);

const lossCodes: ReadonlySet<GraphProblemCode> = new Set(['values-lost', 'value-not-sent', 'link-lost']);

/** Whether a prompt lacks something that is in the graph. */
export function isLoss({ code }: GraphProblem): boolean {
  return lossCodes.has(code);
}

/** A finding with its place in the text. */
export interface GraphProblem {
  readonly code: GraphProblemCode;
  /** What is wrong and what to do about it, for the user. */
  readonly message: string;
  readonly node: JsonNode;
  /** The node with the problem, by its id in the prompt. */
  readonly nodeId?: string;
  readonly related?: readonly { readonly node: JsonNode; readonly message: string }[];
  /** The links of a loop, one of which must go. */
  readonly links?: readonly JsonNode[];
  /** What to write so that the editor reads the file in the same way. */
  readonly edits?: readonly TextEdit[];
}

/** Ends a compilation; caught where it started. */
export class GraphRefusal extends Error {
  override readonly name = 'GraphRefusal';
  constructor(readonly problem: GraphProblem) {
    super(problem.message);
  }
}
