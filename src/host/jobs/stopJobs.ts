import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { CancelResult } from '../../core/jobs/cancelJobs';
import { commands } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { count } from '../runs/consent';
import type { RunEnds } from '../runs/runEnds';
import type { Servers } from '../servers/servers';

/** The ways to stop jobs: one or many, all that wait, and what runs, whoever it belongs to. */
export class StopJobs {
  constructor(
    private readonly servers: Servers,
    private readonly store: JobStore,
    private readonly ends: RunEnds,
  ) {}

  async cancel(jobs: readonly Job[]): Promise<void> {
    const live = jobs.filter((job) => !isTerminal(job.state));
    const results = await Promise.allSettled(live.map((job) => this.#cancelOne(job)));
    const came = (what: CancelResult): number =>
      results.filter((result) => result.status === 'fulfilled' && result.value === what).length;
    if (came('alreadyEnded') > 0) {
      void vscode.window.showInformationMessage(
        `${count(came('alreadyEnded'), 'job')} had ended before the cancellation came.`,
      );
    }
    if (came('stillRunning') > 0) {
      void vscode.window.showWarningMessage(
        `The server goes on with ${count(came('stillRunning'), 'job')} although asked to cancel: a node may not stop before it is through.`,
      );
    }
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async #cancelOne(job: Job): Promise<CancelResult> {
    const session = await this.servers.sessionOf(job.server);
    if (!session) {
      throw new UserProblem(
        `${labelOf(job)} cannot be cancelled: its server is no longer in the list.`,
        'Add the server again, then cancel the job.',
        [{ label: 'Select Server', command: commands.selectServer }],
      );
    }
    return this.#expecting([job.id], () => session.tracker.cancel(job.id));
  }

  /** Empties the server's list of waiting jobs, after asking. */
  async cancelPending(): Promise<void> {
    const session = await this.servers.quietSession();
    if (!session) return;
    const pending = this.store
      .jobs()
      .filter((job) => job.state === 'pending' && job.server === session.origin);
    if (pending.length === 0) return;
    const foreign = pending.filter((job) => job.origin === undefined).length;
    const whose = foreign > 0 ? `${count(foreign, 'job')} of them were submitted elsewhere.` : '';
    const answer = await vscode.window.showWarningMessage(
      `Cancel ${count(pending.length, 'queued job')} on ${session.server.name}?`,
      { modal: true, detail: whose },
      'Cancel Jobs',
    );
    if (answer !== 'Cancel Jobs') return;
    const { notCancelled } = await this.#expecting(
      pending.map(({ id }) => id),
      () => session.tracker.cancelPending(),
    );
    if (notCancelled.length > 0) {
      void vscode.window.showInformationMessage(
        `${count(notCancelled.length, 'job')} had begun before the cancellation came.`,
      );
    }
  }

  /** Stops what runs now. Unlike cancelling it can hit somebody else's job, so it says whose it is and asks. */
  async interrupt(chosen: readonly Job[]): Promise<void> {
    const { servers, store } = this;
    const origin = chosen[0]?.server;
    const session = origin === undefined ? await servers.quietSession() : await servers.sessionOf(origin);
    if (!session) return;
    const running = (chosen.length > 0 ? chosen : store.jobs()).filter(
      (job) => job.state === 'running' && job.server === session.origin,
    );
    const job = running.length > 1 ? await pickJob(running) : running[0];
    if (!job) {
      if (running.length === 0) void vscode.window.showInformationMessage('Nothing runs there now.');
      return;
    }
    const whose = job.origin
      ? 'You submitted it from this machine.'
      : 'It was NOT submitted from here: it may belong to somebody else.';
    const answer = await vscode.window.showWarningMessage(
      `Interrupt ${labelOf(job)} on ${session.server.name}?`,
      { modal: true, detail: `${whose} What it has made so far is lost.` },
      'Interrupt',
    );
    if (answer !== 'Interrupt') return;
    await this.#expecting([job.id], () => session.tracker.interruptRunning(job.id));
  }

  /** The end of a job that was cancelled here is no news to the one who cancelled it. */
  async #expecting<T>(ids: readonly string[], ask: () => Promise<T>): Promise<T> {
    this.ends.expectCancelled(ids, true);
    try {
      return await ask();
    } catch (error) {
      this.ends.expectCancelled(ids, false);
      throw error;
    }
  }
}

export function labelOf(job: Job): string {
  return job.origin?.label ?? `job ${job.id.slice(0, 8)}`;
}

async function pickJob(jobs: readonly Job[]): Promise<Job | undefined> {
  const picked = await vscode.window.showQuickPick(
    jobs.map((job) => ({
      label: labelOf(job),
      description: job.origin ? 'yours' : 'submitted elsewhere',
      job,
    })),
    { placeHolder: 'Which running job shall be interrupted?' },
  );
  return picked?.job;
}
