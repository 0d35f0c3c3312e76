import type { SandboxValue } from '../nodes/sandboxNode';

/** The outputs of a node that ran: a list of values per slot, as the server maps nodes over lists. */
export interface CachedOutputs {
  readonly slots: readonly (readonly SandboxValue[])[];
  /** The output record and its source, if the node showed anything. */
  readonly shown?:
    | {
        readonly output: Readonly<Record<string, readonly unknown[]>>;
        readonly meta: Readonly<Record<string, unknown>>;
      }
    | undefined;
}

/** Enough for several runs with pictures of the usual size; the least recently used results go first. */
const defaultLimitBytes = 512 * 1024 * 1024;

/**
 * Earlier results of one server, keyed by everything they were made from (node type, inputs, and the same for all
 * nodes before), so that unchanged nodes do not run again, whatever their ids.
 */
export class ExecutionCache {
  readonly #entries = new Map<string, { readonly outputs: CachedOutputs; readonly bytes: number }>();
  #bytes = 0;

  constructor(private readonly limitBytes = defaultLimitBytes) {}

  get(key: string): CachedOutputs | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.outputs;
  }

  set(key: string, outputs: CachedOutputs): void {
    this.delete(key);
    const bytes = sizeOf(outputs.slots);
    this.#entries.set(key, { outputs, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.limitBytes || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}

/** The bytes of pixels and samples in a value; everything else counts a little. */
function sizeOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, member) => sum + sizeOf(member), 16);
  if (typeof value === 'object' && value !== null) return sizeOf(Object.values(value));
  return 16;
}
