import type { OutputFile } from '../protocol/outputFile';

/** The answer to a request for a file: bytes as they come. */
export interface OutputAnswer {
  readonly body: ReadableStream<Uint8Array>;
  /** Bytes of the whole file, when the server says. */
  readonly size?: number | undefined;
  readonly mime?: string | undefined;
  /** The server takes up a file in the middle. */
  readonly resumable: boolean;
}

/** Where output files come from: the part of the execution client that saving needs. */
export interface OutputSource {
  view(
    file: OutputFile,
    options: { readonly signal?: AbortSignal | undefined; readonly offset?: number | undefined },
  ): Promise<OutputAnswer>;
}
