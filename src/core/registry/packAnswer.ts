import type { PackCard } from './packCard';

/**
 * Which pack provides a node type: `provides` if the registry or the file says so, `maybe` for a search result.
 * ComfyUI's own node types are in no pack.
 */
export type PackAnswer =
  | { readonly kind: 'found'; readonly how: 'provides' | 'maybe'; readonly card: PackCard }
  | { readonly kind: 'core' }
  | { readonly kind: 'none' };

/** A node type that the server does not have. */
export interface UnknownClass {
  readonly classType: string;
  /** The pack ID in the workflow file. */
  readonly pack?: string | undefined;
  /** The pack's GitHub repository in the workflow file, `owner/name`. */
  readonly repository?: string | undefined;
}

/** ComfyUI's own node types, as far as known: the registry is not asked about them (protocol 6.2). */
export interface CoreClasses {
  /** Uses what has been read so far, without waiting. */
  knows(classType: string): boolean;
  has(classType: string): Promise<boolean>;
}
