import * as vscode from 'vscode';
import { countAt } from '../../core/safety/lists';
import { isTerminal, type Job, type JobOrigin } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { Log } from '../platform/log';
import type { PointerStore } from '../ledger/pointerStore';
import type { WindowLedger } from '../ledger/windowLedger';
import { isOurs } from './treeGroups';

/** A run sent from this machine, but not from this window. */
export interface RunElsewhere {
  readonly origin: JobOrigin;
  /** `window`: another window has a pointer to it; `record`: a run record of this workspace names it. */
  readonly from: 'window' | 'record';
}

export interface RunsElsewhereParts {
  readonly store: Pick<JobStore, 'jobs' | 'get' | 'live' | 'onDidChange'>;
  readonly pointers: Pick<PointerStore, 'read'>;
  readonly ledger: Pick<WindowLedger, 'onDidChange' | 'noteChange' | 'runOf'>;
  readonly log: Pick<Log, 'error'>;
  /** Before each of the searches for an unknown job (ms): its sender may say later what it sent. */
  readonly pauses?: readonly number[];
}

const threePauses = [300, 3_000, 15_000];

export class RunsElsewhere {
  readonly #known = new Map<string, RunElsewhere & { readonly server: string }>();
  /** How often each unknown job was searched for. */
  readonly #searches = new Map<string, number>();
  readonly #pauses: readonly number[];
  readonly #stops: readonly { dispose(): void }[];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #found = new vscode.EventEmitter<readonly string[]>();
  readonly onDidChange = this.#found.event;

  constructor(private readonly parts: RunsElsewhereParts) {
    this.#pauses = parts.pauses ?? threePauses;
    const dispose = parts.store.onDidChange(({ added, removed }) => {
      for (const id of removed) this.#searches.delete(id);
      if (!added.some((id) => this.#isUnknown(parts.store.get(id)))) return;
      parts.ledger.noteChange();
      this.#searchSoon();
    });
    this.#stops = [this.#found, { dispose }, parts.ledger.onDidChange(() => this.#searchSoon(0))];
  }

  of({ id, server, origin }: Job): RunElsewhere | undefined {
    const known = origin ? undefined : this.#known.get(id);
    // IDs of different servers are unrelated.
    return known?.server === server ? known : undefined;
  }

  named(job: Job): Job {
    const known = this.of(job);
    return known ? { ...job, origin: known.origin } : job;
  }

  /** This user sent it. A record is no proof of that: a cloned repository has records as well. */
  isMine(job: Job): boolean {
    const known = this.#known.get(job.id);
    return isOurs(job) && !(known?.from === 'record' && known.server === job.server);
  }

  dispose(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const each of this.#stops) each.dispose();
  }

  #isUnknown(job: Job | undefined): boolean {
    return job !== undefined && job.origin === undefined && !this.#known.has(job.id);
  }

  #searchSoon(after?: number): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    const sought = this.parts.store.jobs().filter((job) => {
      // Everything about a job that has ended was written long ago.
      const most = isTerminal(job.state) ? 1 : this.#pauses.length;
      return this.#isUnknown(job) && countAt(this.#searches, job.id) < most;
    });
    if (sought.length === 0) return;
    const searches = Math.min(...sought.map(({ id }) => countAt(this.#searches, id)));
    this.#timer = setTimeout(() => void this.#search(sought), after ?? this.#pauses[searches]);
  }

  async #search(sought: readonly Job[]): Promise<void> {
    for (const { id } of sought) this.#searches.set(id, countAt(this.#searches, id) + 1);
    try {
      // Other windows write what they owe before they send it.
      await this.parts.pointers.read();
      const found: string[] = [];
      for (const job of sought) if (await this.#isFound(job)) found.push(job.id);
      if (found.length > 0 && !this.#isClosed) this.#found.fire(found);
    } catch (error) {
      this.parts.log.error('Looking for runs of other windows', error);
    }
    this.#timer = undefined;
    this.#searchSoon();
  }

  async #isFound({ id, server }: Job): Promise<boolean> {
    const run = await this.parts.ledger.runOf({ id, server });
    // A record that was made to save someone else's outputs says nothing about who sent the job.
    if (run?.record.sentAt === undefined) return false;
    const { recordJobOrigin } = await import('../../core/records/recordSteps');
    const from = run.isOurs ? 'window' : 'record';
    this.#known.set(id, { server, origin: recordJobOrigin(run.record), from });
    return true;
  }
}
