import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { ServerSession } from '../../core/runs/serverSession';
import type { OutputSaver } from '../jobs/outputSaver';
import type { Log } from '../platform/log';
import { isCancellation, tellProblem } from '../platform/problems';
import type { EndNotice } from './endNotice';
import type { RunDiagnostics } from './runDiagnostics';

/** Waits for the jobs of this window to end, keeps their outputs, shows where they failed, and tells. */
export class RunEnds implements vscode.Disposable {
  readonly #saver: OutputSaver;
  readonly #diagnostics: RunDiagnostics;
  readonly #notice: EndNotice;
  readonly #log: Log;
  readonly #window = new AbortController();
  readonly #followed = new Set<string>();
  /** Jobs that were cancelled from this window. */
  readonly #cancelledHere = new Set<string>();

  constructor(saver: OutputSaver, diagnostics: RunDiagnostics, notice: EndNotice, log: Log) {
    this.#saver = saver;
    this.#diagnostics = diagnostics;
    this.#notice = notice;
    this.#log = log;
  }

  follow(jobId: string, session: ServerSession): void {
    if (this.#followed.has(jobId)) return;
    this.#followed.add(jobId);
    this.#wait(jobId, session).catch((error: unknown) => {
      if (!this.#window.signal.aborted && !isCancellation(error)) tellProblem(error, this.#log);
    });
  }

  /** Says whether the user of this window asked for the jobs to be cancelled. */
  expectCancelled(jobIds: readonly string[], expected: boolean): void {
    for (const id of jobIds) {
      if (!expected) this.#cancelledHere.delete(id);
      else if (this.#followed.has(id)) this.#cancelledHere.add(id);
    }
  }

  dispose(): void {
    this.#window.abort(new vscode.CancellationError());
  }

  async #wait(jobId: string, session: ServerSession): Promise<void> {
    let job: Job;
    try {
      job = await session.tracker.finished(jobId, this.#window.signal);
    } finally {
      this.#followed.delete(jobId);
    }
    this.#log.info(`${job.origin?.label ?? jobId}: ${job.state}.`);
    if (job.state === 'failed') {
      await this.#diagnostics
        .showFailure(job)
        .catch((error: unknown) => this.#log.error('Place of a failure', error));
    }
    const saved = await this.#saver.save(job, session.client, this.#window.signal);
    const cancelledHere = this.#cancelledHere.delete(jobId);
    if (job.state !== 'cancelled' || !cancelledHere) this.#notice.ended(job, saved);
  }
}
