import type { PackCard } from './packCard';

/**
 * Which pack brings a class: `provides` where the registry or the file says so, `maybe` where a search found it. What
 * ComfyUI brings itself is in no pack.
 */
export type PackAnswer =
  | { readonly kind: 'found'; readonly how: 'provides' | 'maybe'; readonly card: PackCard }
  | { readonly kind: 'core' }
  | { readonly kind: 'none' };

/** A class type that the server does not have. */
export interface UnknownClass {
  readonly classType: string;
  /** The id of its pack that the workflow file names. */
  readonly pack?: string | undefined;
  /** The repository of its pack on GitHub that the workflow file names, `owner/name`. */
  readonly repository?: string | undefined;
}

/** The classes of ComfyUI itself, as far as they are known: the registry is not asked for them (protocol 6.2). */
export interface CoreClasses {
  /** By what has been read so far, without waiting. */
  knows(classType: string): boolean;
  has(classType: string): Promise<boolean>;
}
