/** Where a file of the sandbox lies, in the words of the view endpoint (protocol 1.7). */
export interface StoredFile {
  readonly filename: string;
  /** Empty, or folders joined by `/`. */
  readonly subfolder: string;
  readonly type: 'input' | 'output' | 'temp';
}

/**
 * The storage of the sandbox as nodes see it. Nothing in here may reach outside: a name that climbs (`..`, absolute)
 * is simply unknown on reading and refused with an error on writing.
 */
export interface SandboxFiles {
  has(file: StoredFile): boolean;
  /** Undefined: there is no such file. */
  read(file: StoredFile): Uint8Array | undefined;
  /** Replaces a file of that name. */
  write(file: StoredFile, bytes: Uint8Array): void;
  /** File names directly in a folder of an area; empty for an unknown folder. */
  names(type: StoredFile['type'], subfolder: string): readonly string[];
}
