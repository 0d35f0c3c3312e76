import type { Catalog } from '../catalog/catalog';
import type { Finding } from '../check/finding';
import type { TextEdit } from '../json/textEdit';
import type { WorkflowDocument } from './workflowDocument';

/** A way to mend a finding. `request` is something that edits cannot do, for the editor to offer. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** The one that is surely meant; fix-all takes only these. */
  readonly preferred: boolean;
  readonly request?:
    | { readonly kind: 'findPack'; readonly classType: string; readonly pack?: string }
    | { readonly kind: 'uploadFile'; readonly fileName: string };
}

export function fixes(doc: WorkflowDocument, finding: Finding, catalog?: Catalog): Fix[] {
  return [];
}

/** The preferred fixes of all findings at once, as many as go together: run the check again for the rest. */
export function fixAll(doc: WorkflowDocument, findings: readonly Finding[], catalog?: Catalog): TextEdit[] {
  return [];
}
