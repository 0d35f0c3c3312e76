/** The order of waiting jobs: the lower number goes first, then the smaller id. */
interface Ordered {
  readonly number: number;
  readonly id: string;
}

/**
 * The waiting jobs of the local server: a binary heap, which the queue answer shows unchanged (protocol 1.8: sorted
 * only at the first place).
 */
export class PendingHeap<T extends Ordered> {
  readonly #items: T[] = [];

  /** In heap order. */
  get items(): readonly T[] {
    return this.#items;
  }

  get inOrder(): readonly T[] {
    return [...this.#items].sort(compare);
  }

  push(item: T): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (first === undefined || last === undefined || this.#items.length === 0) return first;
    this.#items[0] = last;
    this.#sink(0);
    return first;
  }

  remove(id: string): T | undefined {
    const at = this.#items.findIndex((item) => item.id === id);
    if (at < 0) return undefined;
    const [removed] = this.#items.splice(at, 1);
    for (let index = this.#items.length >> 1; index >= 0; index--) this.#sink(index);
    return removed;
  }

  clear(): readonly T[] {
    return this.#items.splice(0);
  }

  #rise(at: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  #sink(at: number): void {
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      const child = this.#isBefore(right, left) ? right : left;
      if (!this.#swapIfBefore(child, at)) return;
      at = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#items[a], this.#items[b]];
    return first !== undefined && second !== undefined && compare(first, second) < 0;
  }

  #swapIfBefore(lower: number, upper: number): boolean {
    const [first, second] = [this.#items[lower], this.#items[upper]];
    if (first === undefined || second === undefined || compare(first, second) >= 0) return false;
    this.#items[upper] = first;
    this.#items[lower] = second;
    return true;
  }
}

function compare(a: Ordered, b: Ordered): number {
  return a.number - b.number || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
