import type { PackCard } from './packCard';

/** Which pack brings a class: `provides` where the registry or the file says so, `maybe` where a search found it. */
export type PackAnswer =
  | { readonly kind: 'found'; readonly how: 'provides' | 'maybe'; readonly card: PackCard }
  | { readonly kind: 'none' };

/** A class type that the server does not have. */
export interface UnknownClass {
  readonly classType: string;
  /** The id of its pack that the workflow file names. */
  readonly pack?: string | undefined;
}
