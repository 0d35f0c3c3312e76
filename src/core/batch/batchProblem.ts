import type { JsonRange } from '../json/node';

/** Why a batch can't be planned or continued. Nothing has been sent. */
export class BatchProblem extends Error {
  override readonly name = 'BatchProblem';

  /**
   * @param nextAction what to do about it, in a sentence
   * @param selector the input of the batch that it is about, as written
   */
  constructor(
    message: string,
    readonly nextAction: string,
    readonly selector?: string,
  ) {
    super(message);
  }
}

/** A problem at a place of a batch file (UTF-16 offsets). */
export interface BatchFinding extends JsonRange {
  readonly message: string;
}
