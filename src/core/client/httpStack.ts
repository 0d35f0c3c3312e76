/** Every request uses `redirect: 'manual'`: following a redirect would pass the key to the storage host. */
export interface HttpStack {
  fetch(url: string, init: HttpInit): Promise<HttpAnswer>;
  /** Creates a multipart body with the stack's own classes, since a foreign FormData is not recognized. */
  form(parts: readonly FormPart[]): unknown;
}

export interface HttpInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | (object & {}) | undefined;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
}

export type FormPart =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string;
      readonly filename: string;
      readonly bytes: Uint8Array;
      readonly mime?: string | undefined;
    };
