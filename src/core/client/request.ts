import type { FormPart } from './httpStack';

export type RequestBody =
  | { readonly json: unknown }
  | { readonly text: string; readonly mime: string }
  | { readonly form: readonly FormPart[] };

/** How one HTTP request is made, to whichever service: `Transport` reads it, and nothing of a run is in it. */
export interface RequestOptions {
  /** GET unless told. */
  readonly method?: string | undefined;
  /** Not tried again whatever happens: a GET that acts, or one that somebody waits for no longer than once. */
  readonly once?: boolean | undefined;
  /** From the root of the server, such as `/api/queue`. */
  readonly path: string;
  /**
   * A whole address that the server gave out, asked instead and bare: no credential and none of our own headers go
   * there. `path` then only names the request in errors and the log.
   */
  readonly elsewhere?: string | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: RequestBody | undefined;
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Statuses outside 2xx that the caller reads itself. */
  readonly accepts?: ((status: number) => boolean) | undefined;
  /** Milliseconds for the whole request with all its tries (of a stream: until its headers); 30 s unless told. */
  readonly deadline?: number | undefined;
  /** Milliseconds without a byte after which a stream counts as dead; 60 s unless told. */
  readonly stall?: number | undefined;
  /** Milliseconds for the whole body of a stream; 12 h unless told. */
  readonly total?: number | undefined;
  /** Largest body that is read; 32 MB unless told. Streams have no limit of their own. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: ((received: number, total: number | undefined) => void) | undefined;
}
