/** Distinguishes manual saves from auto saves. */
export class ManualSaves {
  readonly #under = new Set<string>();

  /** A save starts; one that failed earlier has no effect. */
  begins(file: string, byHand: boolean): void {
    if (byHand) this.#under.add(file);
    else this.#under.delete(file);
  }

  /** The file was saved: was it manual? */
  ends(file: string): boolean {
    return this.#under.delete(file);
  }
}
