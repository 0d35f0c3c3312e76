/** The running number of submissions. It also counts those that are refused, as on the real server. */
export class SubmissionCounter {
  #next = 0;

  /** The place in the queue: an own number as it is, `front` as the negative count. */
  take(number: number | undefined, front: boolean): number {
    if (number !== undefined) return number;
    const count = this.#next++;
    return front ? -count : count;
  }

  reset(): void {
    this.#next = 0;
  }
}
