import type { Job } from '../../core/jobs/job';
import type { SavedFile } from '../outputs/savedOutputs';
import { contextKeys } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { Log } from '../platform/log';
import { tellProblem } from '../platform/problems';
import type { EndNotice } from './endNotice';
import type { RunDiagnostics } from './runDiagnostics';

/** Shows once how a run of this window ended: where it failed, that it is over, and why its outputs aren't saved. */
export class RunEnds {
  readonly #cancelledHere = new Set<string>();
  /** Pointer ID -> the last reported failure. */
  readonly #notified = new Map<string, string>();

  constructor(
    private readonly diagnostics: RunDiagnostics,
    private readonly notice: EndNotice,
    private readonly log: Log,
  ) {}

  expectCancelled(jobIds: readonly string[], expected: boolean): void {
    for (const id of jobIds) {
      if (expected) this.#cancelledHere.add(id);
      else this.#cancelledHere.delete(id);
    }
  }

  /** A job has ended, and its outputs are saved next. */
  async ended(job: Job): Promise<void> {
    this.log.info(`${job.origin?.label ?? job.id}: ${job.state}.`);
    if (job.state === 'completed') setContext(contextKeys.ranToTheEnd, true);
    if (job.state === 'failed') {
      await this.diagnostics
        .showFailure(job)
        .catch((error: unknown) => this.log.error('Place of a failure', error));
    }
    this.diagnostics.forget(job.id);
  }

  /** All outputs of a job are on disk. */
  saved(job: Job, files: readonly SavedFile[]): void {
    const isCancelledHere = this.#cancelledHere.delete(job.id);
    if (job.state !== 'cancelled' || !isCancelledHere) this.notice.ended(job, files);
  }

  /** The row in the Jobs view repeats it, so one notification is enough. */
  failed(id: string, error: unknown, words: string): void {
    if (this.#notified.get(id) === words) this.log.error('Outputs are still owed', error);
    else tellProblem(error, this.log);
    this.#notified.set(id, words);
  }
}
