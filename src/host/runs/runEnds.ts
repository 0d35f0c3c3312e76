import type { Job } from '../../core/jobs/job';
import type { SavedFile } from '../outputs/savedOutputs';
import { contextKeys } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { Log } from '../platform/log';
import { tellProblem } from '../platform/problems';
import type { EndNotice } from './endNotice';
import type { RunDiagnostics } from './runDiagnostics';

/** Tells once how a run of this window ended: where it failed, in a notification, and why its outputs aren't saved. */
export class RunEnds {
  /** Jobs cancelled from this window. */
  readonly #cancelledHere = new Set<string>();
  /** Pointer ID -> the last reported failure. */
  readonly #notified = new Map<string, string>();

  constructor(
    private readonly diagnostics: RunDiagnostics,
    private readonly notice: EndNotice,
    private readonly log: Log,
  ) {}

  /** Records that the user of this window asked to cancel these jobs. */
  expectCancelled(jobIds: readonly string[], expected: boolean): void {
    for (const id of jobIds) {
      if (expected) this.#cancelledHere.add(id);
      else this.#cancelledHere.delete(id);
    }
  }

  /** Its outputs are saved next. */
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

  /** Everything that it made is on disk. */
  saved(job: Job, files: readonly SavedFile[]): void {
    const isCancelledHere = this.#cancelledHere.delete(job.id);
    if (job.state !== 'cancelled' || !isCancelledHere) this.notice.ended(job, files);
  }

  /** Why outputs are not on disk is reported once; the row in the Jobs view shows it until they are. */
  failed(id: string, error: unknown, words: string): void {
    if (this.#notified.get(id) === words) this.log.error('Outputs are still owed', error);
    else tellProblem(error, this.log);
    this.#notified.set(id, words);
  }
}
