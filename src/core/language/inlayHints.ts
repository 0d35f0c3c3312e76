import type { Catalog } from '../catalog/catalog';
import type { JsonRange } from '../json/node';
import type { WorkflowDocument } from './workflowDocument';

/** A few words shown in the text, at an offset. */
export interface InlayHint {
  readonly offset: number;
  readonly label: string;
  /** `before` the value at the offset, or `after` it. */
  readonly side: 'before' | 'after';
  readonly kind: 'link' | 'widget' | 'seedControl';
  readonly tooltip?: string;
}

/** Titles beside links, names beside widget values of graph files, and what happens to a seed after a run. */
export function inlayHints(doc: WorkflowDocument, range: JsonRange, catalog?: Catalog): InlayHint[] {
  return [];
}
