import { budgets } from '../safety/budgets';
import { OutputError } from './outputError';
import { t } from '../safety/localize';

/** How much of one job is saved at a time. */
export class SavingLimits {
  #files = 0;
  #bytes = 0;

  /** @param count files that there are to save */
  constructor(private readonly count: number) {}

  /** Bytes that the next file may have; throws when no more files are saved this time. */
  room(): number {
    if (this.#files >= budgets.outputFiles) {
      throw new OutputError(
        t`The job made ${this.count} files, but only ${budgets.outputFiles} are saved at a time.`,
        'tooMany',
      );
    }
    return budgets.outputJobBytes - this.#bytes;
  }

  took(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
  }
}
