import type { ServerEvent } from '../protocol/serverEvent';

export type StreamState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** `retryAt` in ms since the epoch. */
  | { readonly kind: 'waiting'; readonly retryAt: number; readonly reason: string }
  /** The server does not let this client in; nothing is tried again until `open` is called. */
  | { readonly kind: 'refused'; readonly status: number };

export interface StreamTiming {
  readonly pingEvery: number;
  readonly connectTimeout: number;
  readonly closeTimeout: number;
  readonly retryBase: number;
  readonly retryCeiling: number;
  readonly random: () => number;
}

export interface EventStreamOptions {
  /** Full address with token; asked at every connection, never logged. */
  readonly address: () => Promise<string>;
  readonly clientId: string;
  readonly onEvent: (event: ServerEvent) => void;
  readonly onState: (state: StreamState) => void;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly timing?: Partial<StreamTiming> | undefined;
}

export declare class EventStream {
  constructor(options: EventStreamOptions);
  readonly state: StreamState;
  open(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
