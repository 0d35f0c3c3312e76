import type { TextEdit } from '../json/textEdit';

export type CompletionKind = 'classType' | 'input' | 'value' | 'link' | 'nodeId' | 'slot' | 'model' | 'property';

/** One suggestion. The edit replaces what stands at the cursor; in a snippet `$1`, `${2:…}` are places to fill. */
export interface Completion {
  readonly kind: CompletionKind;
  readonly label: string;
  /** A few words beside the label. */
  readonly detail?: string;
  /** Where a description can be asked for: see `describeClass`. */
  readonly classType?: string;
  readonly documentation?: string;
  readonly edit: TextEdit;
  readonly isSnippet: boolean;
  /** What typed text is compared with. */
  readonly filterText: string;
  /** Suggestions are shown in the order of these. */
  readonly sortText: string;
  readonly deprecated?: boolean;
  readonly preselect?: boolean;
}
