import type { SendingStep } from './run';

export type RunStage =
  | { readonly kind: 'checking' }
  | { readonly kind: 'uploading'; readonly name: string; readonly index: number; readonly count: number }
  | { readonly kind: 'connecting' }
  /** Another window or command had the run: for some seconds it is watched whether it still works. */
  | { readonly kind: 'watchingLock' }
  | SendingStep;
