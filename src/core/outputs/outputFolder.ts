/** A file being written. `close` must be called exactly once, also after a failed write. */
export interface OutputSink {
  /** Resolves when the bytes are handed to the system, so that a fast server cannot fill the memory. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the bytes are on the disk itself: a power cut after this loses none of them. */
  sync(): Promise<void>;
  close(): Promise<void>;
  /** Bytes written so far. */
  readonly size: number;
}

/**
 * The one folder that outputs are put in. Names are single safe segments (`safeFileName`); every method rejects
 * with an `OutputError`, and nothing that is already there is ever overwritten,
 * except a run record by its own newer version (`replace`).
 */
export interface OutputFolder {
  exists(name: string): Promise<boolean>;
  /** Names of all that is in the folder; none when it is not there yet. */
  list(): Promise<readonly string[]>;
  /**
   * The text of a file; undefined when there is none.
   * @throws OutputError also for what is larger than `limit` bytes, or no file
   */
  read(name: string, limit: number): Promise<string | undefined>;
  /** Size and SHA-256 (hex) of a file; undefined when there is none. */
  fingerprint(name: string): Promise<Fingerprint | undefined>;
  /** Creates a new file; makes the folder when it is not there yet. */
  create(name: string): Promise<OutputSink>;
  /** Gives a finished file its name; fails with reason `exists` rather than overwrite. */
  rename(from: string, to: string): Promise<void>;
  /** Puts a finished file in the place of one that we wrote ourselves, in one step: for the run record alone. */
  replace(from: string, to: string): Promise<void>;
  /** Bytes that may still be written to the disk of the folder; undefined where the system does not tell. */
  free(): Promise<number | undefined>;
  /** Removes a file; one that is not there is no error. */
  remove(name: string): Promise<void>;
  /** Where a person finds the file: a path or a URI text. */
  location(name: string): string;
}

/** What a file holds. */
export interface Fingerprint {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}
