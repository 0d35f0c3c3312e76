import type { Catalog } from '../catalog/catalog';
import type { Completion } from './completion';
import type { WorkflowDocument } from './workflowDocument';

/** What can be written at an offset, best first. Works while the text is broken in mid typing. */
export function complete(doc: WorkflowDocument, offset: number, catalog?: Catalog): Completion[] {
  return [];
}
