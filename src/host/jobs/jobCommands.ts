import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../core/jobs/job';
import { missingOutputs } from '../../core/jobs/outputCount';
import type { JobStore } from '../../core/jobs/jobStore';
import { shown } from '../../core/safety/shownText';
import { commands, type CommandId } from '../platform/contributions';
import { registerCommand } from '../platform/commandRegistry';
import type { Log } from '../platform/log';
import { openFile, revealFile } from '../platform/openFile';
import { isCancellation, UserProblem } from '../platform/problems';
import type { RunEnds } from '../runs/runEnds';
import type { WindowRuns } from '../runs/windowRuns';
import type { RunChoices } from '../../core/runs/runChoices';
import type { Runs } from '../runs/runs';
import type { PointerStore } from '../ledger/pointerStore';
import type { WindowLedger } from '../ledger/windowLedger';
import type { Servers } from '../servers/servers';
import type { ErrorReports } from './errorReport';
import { labelOf } from '../../core/jobs/jobWords';
import type { RunsElsewhere } from './runsElsewhere';
import type { StopJobs } from './stopJobs';
import type { Consent } from '../runs/consent';
import type { RowSubject } from './row';
import type { SavedOutputs } from '../outputs/savedOutputs';
import type { TemporaryOutputs } from '../outputs/temporaryOutputs';
import { showInformation, withProgress } from '../platform/show';

/** At most this many outputs are opened at once. */
const openedAtOnce = 8;

export interface JobCommandParts {
  readonly log: Log;
  readonly store: JobStore;
  readonly servers: Servers;
  readonly runs: Runs;
  readonly pointers: PointerStore;
  readonly ledger: WindowLedger;
  readonly saved: SavedOutputs;
  readonly temporary: TemporaryOutputs;
  readonly windowRuns: WindowRuns;
  readonly reports: ErrorReports;
  readonly ends: RunEnds;
  readonly consent: Consent;
  readonly elsewhere: Pick<RunsElsewhere, 'named' | 'isMine'>;
  readonly isShown: (job: Job) => boolean;
  /** Jobs are read back before the first command uses them. */
  readonly ready: () => Promise<void>;
}

/** Commands on jobs. Each takes a row of the tree and the selection, or a job ID. */
export class JobCommands {
  readonly #parts: JobCommandParts;

  constructor(parts: JobCommandParts) {
    this.#parts = parts;
  }

  register(selection: () => readonly RowSubject[]): vscode.Disposable[] {
    const on = (id: CommandId, act: (rows: readonly RowSubject[]) => unknown): vscode.Disposable =>
      registerCommand(this.#parts.log, id, async (...args) => {
        await this.#parts.ready();
        const rows = rowsOf(args);
        return act(rows.length > 0 ? rows : selection());
      });
    return [
      on(commands.refreshJobs, () => this.#refresh()),
      on(commands.cancelJobs, async (rows) => (await this.#stop()).cancel(this.#jobs(rows))),
      on(commands.cancelPending, async () => (await this.#stop()).cancelPending()),
      on(commands.interrupt, async (rows) => (await this.#stop()).interrupt(this.#jobs(rows))),
      on(commands.runAgain, (rows) => this.#runAgain(this.#jobs(rows), 'keep')),
      on(commands.runAgainWithNewSeeds, (rows) => this.#runAgain(this.#jobs(rows), 'new')),
      registerCommand(this.#parts.log, commands.runLostAgain, async (ids) => {
        await this.#parts.ready();
        await this.#runLostAgain(ids);
      }),
      on(commands.openOutputs, (rows) => this.#openOutputs(rows)),
      on(commands.revealOutputs, (rows) => this.#revealOutputs(rows)),
      on(commands.saveOutputs, (rows) => this.#saveOutputs(this.#jobs(rows))),
      on(commands.showError, (rows) => this.#showError(this.#jobs(rows))),
      on(commands.copyJobId, (rows) => this.#copyId(this.#jobs(rows))),
      on(commands.removeJobs, (rows) => this.#remove(this.#jobs(rows))),
      on(commands.removeFinished, () =>
        this.#remove(this.#parts.store.jobs().filter((job) => this.#parts.isShown(job))),
      ),
    ];
  }

  async #stop(): Promise<StopJobs> {
    const { servers, store, ends, elsewhere } = this.#parts;
    const { StopJobs } = await import('./stopJobs');
    return new StopJobs(servers, store, ends, elsewhere);
  }

  #jobs(rows: readonly RowSubject[]): Job[] {
    const ids = new Set(rows.flatMap(({ jobId }) => jobId ?? []));
    return [...ids].flatMap((id) => {
      const job = this.#parts.store.get(id);
      return job ? [this.#parts.elsewhere.named(job)] : [];
    });
  }

  async #refresh(): Promise<void> {
    const session = await this.#parts.servers.quietSession();
    await session?.tracker.refresh();
  }

  async #runAgain(jobs: readonly Job[], seeds: RunChoices['seeds']): Promise<void> {
    const { runJobsAgain } = await import('./runJobsAgain');
    await runJobsAgain(jobs, seeds, this.#parts);
  }

  /** @param ids of jobs; all that are lost if missing */
  async #runLostAgain(ids: unknown): Promise<void> {
    const { runLostAgain } = await import('./runJobsAgain');
    await runLostAgain(Array.isArray(ids) ? ids.map(String) : undefined, this.#parts);
  }

  async #openOutputs(rows: readonly RowSubject[]): Promise<void> {
    const uris = await this.#savedUris(rows);
    for (const uri of uris.slice(0, openedAtOnce)) {
      await openFile(uri, { preview: uris.length === 1 });
    }
    if (uris.length > openedAtOnce) {
      void showInformation(
        shown`Opened the first ${openedAtOnce} of ${uris.length} outputs. To see all of them, use Reveal Outputs.`,
      );
    }
  }

  async #revealOutputs(rows: readonly RowSubject[]): Promise<void> {
    const [uri] = await this.#savedUris(rows);
    if (uri) await revealFile(uri);
  }

  /** The rows' files on disk; a job's outputs are fetched first if none were saved. */
  async #savedUris(rows: readonly RowSubject[]): Promise<vscode.Uri[]> {
    const { saved, temporary } = this.#parts;
    const uris: vscode.Uri[] = [];
    for (const row of rows) {
      const { kind, jobId, file } = row;
      if (jobId === undefined) continue;
      const uri = file && (saved.find(jobId, file) ?? temporary.find(jobId, file));
      if (uri) uris.push(uri);
      if (kind !== 'job') continue;
      if (saved.of(jobId).length === 0) await this.#saveOutputs(this.#jobs([row]));
      uris.push(...saved.of(jobId).map(({ location }) => vscode.Uri.file(location)));
    }
    return uris;
  }

  async #saveOutputs(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      const session = await this.#parts.servers.sessionOf(job.server);
      if (!session && this.#parts.servers.isOfSandbox(job)) {
        throw new UserProblem(
          shown`The outputs of ${labelOf(job)} are gone, because the sandbox that made them has stopped.`,
          shown`Run it again to recreate them.`,
          [{ label: shown`Run Again`, command: commands.runAgain, args: [job.id] }],
        );
      }
      if (!session) {
        throw new UserProblem(
          shown`The outputs of ${labelOf(job)} are on a server that has been removed.`,
          shown`Add the server again, then save the outputs.`,
        );
      }
      const abort = new AbortController();
      await withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: shown`Outputs of ${labelOf(job)}`,
          cancellable: true,
        },
        async (_progress, token) => {
          token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
          const isKnown = job.outputs.length > 0 && !missingOutputs(job);
          const known = isKnown ? job : await this.#parts.servers.details(job);
          const { windowRuns, ledger } = this.#parts;
          try {
            await windowRuns.save(known, session, abort.signal, await ledger.sent(job));
            await windowRuns.fetchTemporary(known, session, abort.signal);
          } finally {
            if (abort.signal.aborted) await windowRuns.leave(job.id);
          }
        },
      );
    }
  }

  async #showError(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) await this.#parts.reports.show(await this.#withTrace(job));
  }

  /** The server may know more than the events said; if it can't be reached, the report shows what is known. */
  async #withTrace(job: Job): Promise<Job> {
    if (job.failure !== undefined && job.failure.traceback.length > 0) return job;
    try {
      return await this.#parts.servers.details(job);
    } catch (error) {
      this.#parts.log.error('Details for a report', error);
      return job;
    }
  }

  async #copyId(jobs: readonly Job[]): Promise<void> {
    if (jobs.length > 0) await vscode.env.clipboard.writeText(jobs.map(({ id }) => id).join('\n'));
  }

  /** Removes ended jobs from the list; their outputs stay on disk. */
  async #remove(jobs: readonly Job[]): Promise<void> {
    const ids = jobs.filter((job) => isTerminal(job.state)).map(({ id }) => id);
    for (const id of ids) this.#parts.store.remove(id);
    this.#parts.saved.forget(ids);
    const results = await Promise.allSettled([
      this.#parts.pointers.forget(ids),
      this.#parts.temporary.forget(ids),
    ]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed && !isCancellation(failed.reason)) this.#parts.log.error('Forgetting jobs', failed.reason);
  }
}

/** The rows of a command: a job ID, or the row under the pointer with the selection. */
export function rowsOf([first, all]: readonly unknown[]): readonly RowSubject[] {
  if (typeof first === 'string') return [{ kind: 'job', jobId: first }];
  if (Array.isArray(all) && all.length > 0) return all.filter(isRow);
  return isRow(first) ? [first] : [];
}

/** The job that a command's argument refers to. */
export function jobIdOf(argument: unknown): string | undefined {
  const [row] = rowsOf([argument]);
  return row?.jobId;
}

function isRow(value: unknown): value is RowSubject {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
