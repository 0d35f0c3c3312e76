export type RunStage =
  | { readonly kind: 'checking' }
  | { readonly kind: 'uploading'; readonly name: string; readonly index: number; readonly count: number }
  | { readonly kind: 'connecting' }
  /** Another window or command had the run: for some seconds it is watched whether it still works. */
  | { readonly kind: 'watchingLock' }
  | { readonly kind: 'submitting' }
  /** The server accepted nothing and said when to retry; called every second. `seconds` are left `of` all. */
  | { readonly kind: 'waiting'; readonly seconds: number; readonly of: number }
  /** It is unclear whether the server accepted the run (`wasAnswered`: it answered). `seconds` until the next look. */
  | { readonly kind: 'lookingForJob'; readonly wasAnswered?: boolean; readonly seconds?: number };
