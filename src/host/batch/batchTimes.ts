import { medianRunTime } from '../../core/batch/batchTime';
import type { OutputFolder } from '../../core/outputs/outputFolder';

/** A server of a batch. */
export interface TimedServer {
  readonly name: string;
  /** Missing for a sandbox that has not been started. */
  readonly origin: string | undefined;
}

/** How long a batch takes, ms; or the servers that have not run its workflow before. */
export type BatchTime =
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'unknown'; readonly servers: readonly string[] };

/** Tells how long batches of one workflow take, by the earlier runs in its output folder, which it reads once. */
export class BatchTimes {
  readonly #folder: OutputFolder;
  readonly #workflow: string;
  readonly #known = new Map<string, Promise<number | undefined>>();

  /** @param label name of the workflow file, as in the run records */
  constructor(folder: OutputFolder, label: string) {
    this.#folder = folder;
    this.#workflow = label;
  }

  /**
   * The servers share the rows, each as fast as it was before.
   * @throws the reason of an aborted signal
   */
  async of(rows: number, servers: readonly TimedServer[], signal: AbortSignal): Promise<BatchTime> {
    signal.throwIfAborted();
    const times = await Promise.all(servers.map(({ origin }) => this.#timeOn(origin, signal)));
    const unknown = servers.filter((_, index) => times[index] === undefined).map(({ name }) => name);
    if (unknown.length > 0 || servers.length === 0) return { kind: 'unknown', servers: unknown };
    const perMs = times.reduce<number>((sum, time) => sum + 1 / Math.max(1, time ?? 1), 0);
    return { kind: 'time', ms: rows / perMs };
  }

  /** There are new runs. */
  forget(): void {
    this.#known.clear();
  }

  #timeOn(origin: string | undefined, signal: AbortSignal): Promise<number | undefined> {
    if (origin === undefined) return Promise.resolve(undefined);
    const known = this.#known.get(origin);
    if (known) return known;
    const time = medianRunTime(this.#folder, this.#workflow, [origin], signal);
    this.#known.set(origin, time);
    const forget = (): void => {
      if (this.#known.get(origin) === time) this.#known.delete(origin);
    };
    // Whoever asks next reads it anew.
    signal.addEventListener('abort', forget, { once: true });
    time.then(() => signal.removeEventListener('abort', forget), forget);
    return time;
  }
}
