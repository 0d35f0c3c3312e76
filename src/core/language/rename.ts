import type { JsonRange } from '../json/node';
import type { TextEdit } from '../json/textEdit';
import type { WorkflowDocument } from './workflowDocument';

/** The thing at this place cannot be renamed, or not to this name; the message says why. */
export class RenameError extends Error {
  override readonly name = 'RenameError';
}

/** What a rename would change. */
export interface RenameTarget extends JsonRange {
  readonly id: string;
}

/** The node id at an offset. Throws {@link RenameError} where there is none. */
export function prepareRename(doc: WorkflowDocument, offset: number): RenameTarget {
  throw new RenameError('Only node ids can be renamed.');
}

/** Edits that give the node at an offset another id, in every place that names it. Throws {@link RenameError}. */
export function rename(doc: WorkflowDocument, offset: number, newId: string): TextEdit[] {
  throw new RenameError('Only node ids can be renamed.');
}
