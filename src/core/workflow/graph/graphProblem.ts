import type { JsonNode } from '../../json/node';
import type { TextEdit } from '../../json/textEdit';
import { t } from '../../safety/localize';

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
  | 'link-lost'
  /** Links that a node pack makes, but made otherwise when the file was saved. */
  | 'other-links'
  | 'links-not-read'
  /** Values that the editor would send otherwise. */
  | 'other-values'
  | 'too-large'
  | 'not-a-graph';

export const unknownNodeCodes: ReadonlySet<GraphProblemCode> = new Set(['unknown-node', 'values-lost']);

const lossCodes: ReadonlySet<GraphProblemCode> = new Set(['values-lost', 'value-not-sent', 'link-lost']);

export function isLoss({ code }: GraphProblem): boolean {
  return lossCodes.has(code);
}

export interface GraphProblem {
  readonly code: GraphProblemCode;
  readonly message: string;
  readonly node: JsonNode;
  readonly nodeId?: string;
  readonly related?: readonly { readonly node: JsonNode; readonly message: string }[];
  /** The links of a loop, one of which must go. */
  readonly links?: readonly JsonNode[];
  /** Edits after which the editor reads the file in the same way. */
  readonly edits?: readonly TextEdit[];
}

/** Ends a compilation; caught where it started. */
export class GraphRefusal extends Error {
  override readonly name = 'GraphRefusal';
  constructor(readonly problem: GraphProblem) {
    super(problem.message);
  }
}

/** Refuses what no real graph has: thousands of promoted widgets, deep nesting, or ways of links without an end. */
export function tooComplex(node: JsonNode, code: GraphProblemCode = 'too-large'): GraphRefusal {
  const message = t`The links and subgraphs of this graph are too complex. Unpack some of its subgraphs.`;
  return new GraphRefusal({ code, message, node });
}
