import { ExecutionCache, type CachedOutputs } from '../execution/executionCache';

/**
 * The cache of a local server, which counts prompts: a result goes when this many prompts in a row did not use it.
 * For one job at a time.
 */
export class RecentPromptsCache extends ExecutionCache {
  /** Key to the number of the run that last used it. */
  readonly #lastUse = new Map<string, number>();
  #run = 0;

  /** @param patience after how many prompts without use a result goes; 1: keeps only what the last prompt used. */
  constructor(private readonly patience: number) {
    super();
  }

  override get(key: string): CachedOutputs | undefined {
    const outputs = super.get(key);
    if (outputs) this.#lastUse.set(key, this.#run);
    return outputs;
  }

  override set(key: string, outputs: CachedOutputs): void {
    this.#lastUse.set(key, this.#run);
    super.set(key, outputs);
  }

  endRun(): void {
    for (const [key, run] of this.#lastUse) {
      if (this.#run - run < this.patience) continue;
      this.#lastUse.delete(key);
      this.delete(key);
    }
    this.#run++;
  }
}
