/** Timers by key: one that starts replaces the one before. */
export class Timers<K> {
  readonly #timers = new Map<K, NodeJS.Timeout>();

  start(key: K, wait: number, act: () => void): void {
    this.stop(key);
    const ended = (): void => {
      this.#timers.delete(key);
      act();
    };
    this.#timers.set(key, setTimeout(ended, wait));
  }

  has(key: K): boolean {
    return this.#timers.has(key);
  }

  stop(key: K): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
