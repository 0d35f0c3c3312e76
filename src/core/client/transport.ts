import type { z } from 'zod';
import type { FormPart, HttpStack } from './httpStack';

export type Credential =
  { readonly kind: 'apiKey'; readonly value: string } | { readonly kind: 'bearer'; readonly value: string };

/** Asked before every request, so that a new sign-in counts at once. */
export type CredentialSource = () => Promise<Credential | undefined>;

/** One request as the log may show it: no query, no header, no body. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly ms: number;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly problem?: string;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly http: HttpStack;
  readonly credential?: CredentialSource | undefined;
  /** For a proxy in front of the server; sent to the server's own origin only, like the credential. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly log?: ((line: RequestLine) => void) | undefined;
  readonly random?: (() => number) | undefined;
}

export type RequestBody =
  | { readonly json: unknown }
  | { readonly text: string; readonly mime: string }
  | { readonly form: readonly FormPart[] };

export interface RequestOptions {
  readonly method?: string | undefined;
  /** From the root of the server, such as `/api/queue`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: RequestBody | undefined;
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for the whole request with all its tries; 30 s unless told. */
  readonly deadline?: number | undefined;
  /** Largest body that is read; 32 MB unless told. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: ((received: number, total: number | undefined) => void) | undefined;
}

export interface TransportAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

export interface StreamAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array>;
}

export declare class Transport {
  constructor(options: TransportOptions);
  readonly baseUrl: string;
  request(options: RequestOptions): Promise<TransportAnswer>;
  json<T>(schema: z.ZodType<T>, options: RequestOptions): Promise<T>;
  text(options: RequestOptions): Promise<string>;
  stream(options: RequestOptions): Promise<StreamAnswer>;
  download(options: RequestOptions): Promise<StreamAnswer>;
}
