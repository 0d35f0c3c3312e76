/** One line from the tests inside the extension host to the runner outside. */
export type HostEvent =
  | { readonly kind: 'start'; readonly vsCode: string; readonly node: string; readonly app: string }
  | { readonly kind: 'pass'; readonly title: string; readonly ms: number }
  | { readonly kind: 'fail' | 'retry'; readonly title: string; readonly error: string }
  | { readonly kind: 'skip'; readonly title: string }
  | { readonly kind: 'end'; readonly failures: number };
