import type { HttpStack } from './httpStack';

export declare function fetchStack(
  fetch: typeof globalThis.fetch,
  FormData: typeof globalThis.FormData,
  Blob: typeof globalThis.Blob,
): HttpStack;
