import type { JsonRange } from '../json/node';
import type { WorkflowDocument } from './workflowDocument';

export type TokenKind = 'nodeId' | 'classType' | 'link' | 'model' | 'type';

export interface SemanticToken extends JsonRange {
  readonly kind: TokenKind;
  /** The place where a node is declared, not one that names it. */
  readonly isDeclaration: boolean;
}

/** In the order of the text, without overlaps; none spans lines. */
export function semanticTokens(doc: WorkflowDocument): SemanticToken[] {
  return [];
}
