/** Which outputs are selected, and the active one, which keys move. Both outlive a filter only if they are shown. */
export class Selection {
  #ids: readonly number[] = [];
  #places: ReadonlyMap<number, number> = new Map();
  #selected = new Set<number>();
  #active: number | undefined;
  /** Where a range starts. */
  #anchor: number | undefined;

  /** The ids that can be selected, in order. */
  use(ids: readonly number[]): void {
    this.#ids = ids;
    this.#places = new Map(ids.map((id, index) => [id, index]));
    this.#selected = new Set([...this.#selected].filter((id) => this.#places.has(id)));
    if (this.#active !== undefined && !this.#places.has(this.#active)) this.#active = undefined;
    if (this.#anchor !== undefined && !this.#places.has(this.#anchor)) this.#anchor = undefined;
  }

  get active(): number | undefined {
    return this.#active;
  }

  /** In the order of the list. */
  get selected(): readonly number[] {
    return [...this.#selected].sort((a, b) => this.indexOf(a) - this.indexOf(b));
  }

  /** What an action is for: what is selected, else the active one. */
  get acting(): readonly number[] {
    if (this.#selected.size > 0) return this.selected;
    return this.#active === undefined ? [] : [this.#active];
  }

  has(id: number): boolean {
    return this.#selected.has(id);
  }

  /** -1 for one that is not in the list. */
  indexOf(id: number): number {
    return this.#places.get(id) ?? -1;
  }

  only(id: number): void {
    this.#selected = new Set([id]);
    this.#active = this.#anchor = id;
  }

  toggle(id: number): void {
    if (!this.#selected.delete(id)) this.#selected.add(id);
    this.#active = this.#anchor = id;
  }

  /** Selects from where the last selection started. */
  extendTo(id: number): void {
    const from = this.#anchor === undefined ? 0 : this.indexOf(this.#anchor);
    const to = this.indexOf(id);
    this.#selected = new Set(this.#ids.slice(Math.min(from, to), Math.max(from, to) + 1));
    this.#active = id;
  }

  /** Makes the output at this place active, or the nearest there is. */
  moveTo(index: number, isExtending: boolean): void {
    const id = this.#ids[Math.max(0, Math.min(this.#ids.length - 1, index))];
    if (id === undefined) return;
    if (isExtending) {
      this.#anchor ??= this.#active;
      this.extendTo(id);
    } else this.#active = this.#anchor = id;
  }

  all(): void {
    this.#selected = new Set(this.#ids);
  }

  clear(): void {
    this.#selected.clear();
  }
}
