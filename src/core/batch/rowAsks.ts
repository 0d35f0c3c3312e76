import type { UploadQuestion } from '../runs/localMedia';
import type { PreparedPartnerNode } from '../runs/preparedRun';
import type { RunCallbacks } from '../runs/runWorkflow';
import type { BatchAsks } from './batchWork';

/** What one row asks. */
export type RowAsks = Pick<RunCallbacks, 'localMedia' | 'mayUpload' | 'maySpend' | 'mayRunUnheard'>;

/** Passes each question on once, and answers the other rows with the same. */
export class AskedOnce implements RowAsks {
  readonly #asks: BatchAsks;
  readonly #rows: () => number;
  readonly #answers = new Map<string, Promise<boolean>>();
  readonly mayRunUnheard: RowAsks['mayRunUnheard'];

  /** @param rows how many rows are still to run */
  constructor(asks: BatchAsks, rows: () => number) {
    this.#asks = asks;
    this.#rows = rows;
    const { mayRunUnheard: ask } = asks;
    this.mayRunUnheard = ask && ((reason, session) => this.#once('unheard', () => ask(reason, session)));
  }

  localMedia(name: string): ReturnType<BatchAsks['localMedia']> {
    return this.#asks.localMedia(name);
  }

  mayUpload(files: readonly UploadQuestion[]): Promise<boolean> {
    return this.#once(JSON.stringify(files.map(({ place }) => place)), () => this.#asks.mayUpload(files));
  }

  maySpend(nodes: readonly PreparedPartnerNode[]): Promise<boolean> {
    return this.#once('spend', () => this.#asks.maySpend(nodes, this.#rows()));
  }

  mayMovePaid(server: string): Promise<boolean> {
    return this.#once(`move ${server}`, () => this.#asks.mayMovePaid(server));
  }

  /** The batch starts again: so do the questions. */
  forget(): void {
    this.#answers.clear();
  }

  #once(key: string, ask: () => Promise<boolean>): Promise<boolean> {
    const answer = this.#answers.get(key) ?? ask();
    this.#answers.set(key, answer);
    return answer;
  }
}
