import type { Catalog } from '../catalog/catalog';
import type { JsonRange } from '../json/node';
import type { WorkflowDocument } from './workflowDocument';

/** Markdown about a piece of text. Words that came from a server or a file are escaped in it. */
export interface Hover extends JsonRange {
  readonly markdown: string;
}

/** What is known about the node, input, link or type at an offset. */
export function hover(doc: WorkflowDocument, offset: number, catalog?: Catalog): Hover | undefined {
  return undefined;
}
