export interface ViewOptions {
  readonly signal?: AbortSignal | undefined;
  /** First byte that is wanted. */
  readonly offset?: number | undefined;
  /** Largest edge in pixels (64 to 1024) of a small picture instead of the file; cloud only, ignored elsewhere. */
  readonly thumbnail?: number | undefined;
}

export interface ViewAnswer {
  /** Begins at `offset`, also when the server sent the whole file again. */
  readonly body: ReadableStream<Uint8Array>;
  /** Bytes of the whole file. */
  readonly size?: number;
  readonly mime?: string;
  /** The server takes up a file in the middle. */
  readonly resumable: boolean;
}
