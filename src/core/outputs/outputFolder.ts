/** A file being written. `close` must be called exactly once, also after a failed write. */
export interface OutputSink {
  /** Resolves when the bytes are handed to the system, so that a fast server cannot fill the memory. */
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
  /** Bytes written so far. */
  readonly size: number;
}

/**
 * The one folder that outputs are put in. Names are single safe segments (`safeFileName`); every method rejects
 * with an `OutputError`, and nothing that is already there is ever overwritten.
 */
export interface OutputFolder {
  exists(name: string): Promise<boolean>;
  /** Creates a new file; makes the folder when it is not there yet. */
  create(name: string): Promise<OutputSink>;
  /** Gives a finished file its name; fails with reason `exists` rather than overwrite. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; one that is not there is no error. */
  remove(name: string): Promise<void>;
  /** Where a person finds the file: a path or a URI text. */
  location(name: string): string;
}
