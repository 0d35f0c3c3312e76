import type { Catalog } from '../catalog/catalog';
import type { JsonRange } from '../json/node';
import type { WorkflowDocument } from './workflowDocument';

/** A piece of text that opens something. */
export type DocumentLink = JsonRange &
  (
    | { readonly kind: 'url'; readonly url: string; readonly tooltip: string }
    /** A file that an input names, without its folder note; whether the workspace has it is for the caller to see. */
    | {
        readonly kind: 'file';
        readonly fileName: string;
        readonly folder: 'input' | 'output' | 'temp';
        readonly tooltip: string;
      }
  );

export function links(doc: WorkflowDocument, catalog?: Catalog): DocumentLink[] {
  return [];
}
