import type { SandboxValue } from '../nodes/sandboxNode';

/** The outputs of a node that ran: per slot a list of values, as the server maps nodes over lists. */
export interface NodeOutputs {
  readonly slots: readonly (readonly SandboxValue[])[];
  /** The output record and where it came from, when the node showed something. */
  readonly shown?:
    | {
        readonly output: Readonly<Record<string, readonly unknown[]>>;
        readonly meta: Readonly<Record<string, unknown>>;
      }
    | undefined;
}

/** Enough for several runs with pictures of usual size; the least recently used results go first. */
const defaultLimitBytes = 512 * 1024 * 1024;

/**
 * Results of earlier runs of one server by what they were made from (class, inputs, and the same of everything before
 * them), so that unchanged nodes are not run again, whatever their ids are.
 */
export class ExecutionCache {
  readonly #entries = new Map<string, { readonly outputs: NodeOutputs; readonly bytes: number }>();
  #bytes = 0;

  constructor(private readonly limitBytes = defaultLimitBytes) {}

  get(key: string): NodeOutputs | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.outputs;
  }

  set(key: string, outputs: NodeOutputs): void {
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

/** Bytes of the pixels and samples below a value; everything else counts a little. */
function sizeOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, member) => sum + sizeOf(member), 16);
  if (typeof value === 'object' && value !== null) return sizeOf(Object.values(value));
  return 16;
}
