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

/** Files in memory: what tests use, and enough for a server that forgets when it stops. */
export class MemoryFiles implements SandboxFiles {
  readonly #files = new Map<string, { readonly file: StoredFile; readonly bytes: Uint8Array }>();

  has(file: StoredFile): boolean {
    return this.#files.has(keyOf(file));
  }

  read(file: StoredFile): Uint8Array | undefined {
    return this.#files.get(keyOf(file))?.bytes;
  }

  write(file: StoredFile, bytes: Uint8Array): void {
    if (climbs(file))
      throw new Error(`Saving outside the ${file.type} folder is not allowed: ${file.subfolder}`);
    this.#files.set(keyOf(file), { file, bytes });
  }

  names(type: StoredFile['type'], subfolder: string): readonly string[] {
    return [...this.#files.values()]
      .filter(({ file }) => file.type === type && file.subfolder === subfolder)
      .map(({ file }) => file.filename);
  }
}

function keyOf(file: StoredFile): string {
  return JSON.stringify([file.type, file.subfolder, file.filename]);
}

function climbs(file: StoredFile): boolean {
  const parts = [...file.subfolder.split(/[\\/]/), file.filename];
  return parts.includes('..') || file.subfolder.startsWith('/') || /[\\/]/.test(file.filename);
}
