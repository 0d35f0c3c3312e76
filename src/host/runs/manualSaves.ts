/** Tells saves that a person asked for from automatic ones. */
export class ManualSaves {
  readonly #under = new Set<string>();

  /** A save of a file begins; one that failed before it leaves nothing behind. */
  begins(file: string, byHand: boolean): void {
    if (byHand) this.#under.add(file);
    else this.#under.delete(file);
  }

  /** The file is saved: was it by hand? */
  ends(file: string): boolean {
    return this.#under.delete(file);
  }
}
