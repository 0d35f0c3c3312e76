import type { Catalog } from '../catalog/catalog';
import type { TextEdit } from '../json/textEdit';
import type { RandomSeed } from '../workflow/seeds';
import type { WorkflowDocument } from './workflowDocument';

export type ActionName =
  | 'convertToApi'
  | 'newSeed'
  | 'newSeeds'
  | 'fixSeed'
  | 'bypassNode'
  | 'removeUnused'
  | 'wrapPost'
  | 'unwrapPost'
  | 'sortNodes';

/** A change that one can ask for where the cursor is. */
export type Action = { readonly name: ActionName; readonly title: string } & (
  | { readonly edits: readonly TextEdit[] }
  /** A text of its own, to open beside the file. */
  | { readonly newDocument: string; readonly warnings: readonly string[] }
);

export interface ActionOptions {
  readonly catalog?: Catalog | undefined;
  readonly randomSeed?: RandomSeed | undefined;
}

export function actions(doc: WorkflowDocument, offset: number, options?: ActionOptions): Action[] {
  return [];
}
