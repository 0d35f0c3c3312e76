/** A file being written. `close` must be called exactly once, also after a failed write. */
export interface OutputSink {
  /** Resolves when the bytes are passed to the system, so that a fast server can't fill the memory. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the bytes are on the disk itself: a power cut after this loses none of them. */
  sync(): Promise<void>;
  close(): Promise<void>;
  readonly size: number;
}

/**
 * The only folder that outputs are saved in. Names are single safe segments (`safeFileName`); every method rejects with
 * an `OutputError`, and nothing that exists is ever overwritten, except a run record by its own newer version
 * (`replace`).
 */
export interface OutputFolder {
  exists(name: string): Promise<boolean>;
  /** Names of all that is in the folder; none when it is not there yet. */
  list(): Promise<readonly string[]>;
  /** Names of its files alone: anyone may have put a link there, and it might lead elsewhere. */
  listFiles(): Promise<readonly string[]>;
  /**
   * The text of a file; undefined if there is none.
   * @throws OutputError also if it is larger than `limit` bytes, or not a file
   */
  read(name: string, limit: number): Promise<string | undefined>;
  /** Size and SHA-256 (hex) of a file; undefined when there is none. */
  fingerprint(name: string): Promise<Fingerprint | undefined>;
  create(name: string): Promise<OutputSink>;
  /**
   * Gives a finished file its name; fails with reason `exists` instead of overwriting.
   * @param isFlushed false: a power cut may lose the new name
   */
  rename(from: string, to: string, isFlushed?: boolean): Promise<void>;
  /** Atomically replaces a file that we wrote ourselves: only for the run record. */
  replace(from: string, to: string, isFlushed?: boolean): Promise<void>;
  /** Writes a short text of ours over the one before, in place and unflushed: whoever reads it meanwhile may see half. */
  stamp(name: string, text: string): Promise<void>;
  /** Bytes that may still be written to the folder's disk; undefined if the system does not say. */
  free(): Promise<number | undefined>;
  remove(name: string): Promise<void>;
  /** The location of the file for the user: a path or a URI. */
  location(name: string): string;
}

export interface Fingerprint {
  readonly bytes: number;
  readonly sha256: string;
}

/** Between two lists of a folder, ms. */
const listEvery = 10_000;

/** Thousands of rows would list thousands of files. A name that was taken meanwhile is refused when it is given. */
export function seldomListed(folder: OutputFolder): OutputFolder {
  let listedAt = -Infinity;
  let names: Promise<readonly string[]> = Promise.resolve([]);
  const list = (): Promise<readonly string[]> => {
    if (performance.now() - listedAt < listEvery) return names;
    listedAt = performance.now();
    names = folder.list();
    names.catch(() => (listedAt = -Infinity));
    return names;
  };
  return new Proxy(folder, {
    get: (target, member) =>
      member === 'list' ? list : (Reflect.get(target, member) as () => unknown).bind(target),
  });
}
