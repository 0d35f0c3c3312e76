/** Counts submissions, refused ones too, as the real server does. */
export class SubmissionCounter {
  #next = 0;

  /** The place in the queue: a given number as it is, `front` as the negative count. */
  take(number: number | undefined, front: boolean): number {
    if (number !== undefined) return number;
    const count = this.#next++;
    return front ? -count : count;
  }

  reset(): void {
    this.#next = 0;
  }
}
