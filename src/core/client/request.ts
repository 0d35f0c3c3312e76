import type { FormPart } from './httpStack';

export type RequestBody =
  | { readonly json: unknown }
  | { readonly text: string; readonly mime: string }
  | { readonly form: readonly FormPart[] };

/** How one HTTP request is made, to whichever service: `Transport` reads it, and nothing of a run is in it. */
export interface RequestOptions {
  readonly method?: string | undefined;
  /** Never retried: a GET with effects, or one whose caller waits only for a single attempt. */
  readonly once?: boolean | undefined;
  readonly path: string;
  /** A full address from the server, requested without credentials. `path` then only names the request. */
  readonly elsewhere?: string | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: RequestBody | undefined;
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly asBearer?: boolean | undefined;
  readonly accepts?: ((status: number) => boolean) | undefined;
  /** Milliseconds for the entire request with all attempts (for a stream: until its headers); 30 s by default. */
  readonly deadline?: number | undefined;
  /** Milliseconds without a byte after which a stream counts as dead; 60 s unless told. */
  readonly stall?: number | undefined;
  /** Milliseconds for the entire body of a stream; 12 h by default. */
  readonly total?: number | undefined;
  /** Maximum body size; 32 MB by default. Streams have no limit here. */
  readonly maxBytes?: number | undefined;
  /** Objects, lists and values of the answer, if fewer than usual. */
  readonly maxValues?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: ((received: number, total: number | undefined) => void) | undefined;
}
