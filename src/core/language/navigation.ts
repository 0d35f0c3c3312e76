import type { JsonRange } from '../json/node';
import type { WorkflowDocument } from './workflowDocument';

/** A way from a piece of text to the node that it names. */
export interface Definition {
  readonly origin: JsonRange;
  /** The whole node. */
  readonly target: JsonRange;
  /** Its id. */
  readonly selection: JsonRange;
}

/** A place that names a node. */
export interface Reference extends JsonRange {
  /** `declaration`: the node itself. */
  readonly role: 'declaration' | 'link';
  /** The output that the link takes. */
  readonly slot?: number;
  /** The node that uses the output. */
  readonly usedBy?: string;
}

export function definition(doc: WorkflowDocument, offset: number): Definition | undefined {
  return undefined;
}

/** Everything that names the node at an offset: its id, then the links to it by output, in file order. */
export function references(doc: WorkflowDocument, offset: number): Reference[] {
  return [];
}
