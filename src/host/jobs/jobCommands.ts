import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { CancelResult } from '../../core/jobs/jobTracker';
import { commands, type CommandId } from '../platform/contributions';
import { registerCommand } from '../platform/commandRegistry';
import type { Log } from '../platform/log';
import { isCancellation, UserProblem } from '../platform/problems';
import { count } from '../runs/consent';
import type { Runs } from '../runs/runs';
import type { SubmittedRuns } from '../runs/submittedRuns';
import type { Servers } from '../servers/servers';
import type { ErrorReports } from './errorReport';
import type { TreeRow } from './jobTree';
import { sourceOf, type OutputSaver } from './outputSaver';
import type { SavedOutputs } from './savedOutputs';

/** More outputs than this are not opened at once. */
const openedAtOnce = 8;

export interface JobCommandParts {
  readonly log: Log;
  readonly store: JobStore;
  readonly servers: Servers;
  readonly runs: Runs;
  readonly submitted: SubmittedRuns;
  readonly saved: SavedOutputs;
  readonly saver: OutputSaver;
  readonly reports: ErrorReports;
  /** Jobs are read back before the first command acts on them. */
  readonly ready: () => Promise<void>;
}

/** What can be done with jobs. Every command takes a row of the tree with the selection, or the id of a job. */
export class JobCommands {
  readonly #parts: JobCommandParts;

  constructor(parts: JobCommandParts) {
    this.#parts = parts;
  }

  register(selection: () => readonly TreeRow[]): vscode.Disposable[] {
    const on = (id: CommandId, act: (rows: readonly TreeRow[]) => unknown): vscode.Disposable =>
      registerCommand(this.#parts.log, id, async (...args) => {
        await this.#parts.ready();
        const rows = rowsOf(args);
        return act(rows.length > 0 ? rows : selection());
      });
    return [
      on(commands.refreshJobs, () => this.#refresh()),
      on(commands.cancelJobs, (rows) => this.#cancel(this.#jobs(rows))),
      on(commands.cancelPending, () => this.#cancelPending()),
      on(commands.interrupt, (rows) => this.#interrupt(this.#jobs(rows))),
      on(commands.runAgain, (rows) => this.#runAgain(this.#jobs(rows))),
      on(commands.openOutputs, (rows) => this.#openOutputs(rows)),
      on(commands.revealOutputs, (rows) => this.#revealOutputs(rows)),
      on(commands.saveOutputs, (rows) => this.#saveOutputs(this.#jobs(rows))),
      on(commands.showError, (rows) => this.#showError(this.#jobs(rows))),
      on(commands.copyJobId, (rows) => this.#copyId(this.#jobs(rows))),
      on(commands.removeJobs, (rows) => this.#remove(this.#jobs(rows))),
      on(commands.removeFinished, () => this.#remove(this.#parts.store.jobs())),
    ];
  }

  #jobs(rows: readonly TreeRow[]): Job[] {
    const ids = new Set(rows.flatMap((row) => ('jobId' in row ? [row.jobId] : [])));
    return [...ids].flatMap((id) => this.#parts.store.get(id) ?? []);
  }

  async #refresh(): Promise<void> {
    const session = await this.#parts.servers.quietSession();
    await session?.tracker.refresh();
  }

  async #cancel(jobs: readonly Job[]): Promise<void> {
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
    const session = await this.#parts.servers.sessionOf(job.server);
    if (!session) {
      throw new UserProblem(
        `${labelOf(job)} cannot be cancelled: its server is no longer in the list.`,
        'Add the server again, then cancel the job.',
        [{ label: 'Select Server', command: commands.selectServer }],
      );
    }
    return session.tracker.cancel(job.id);
  }

  async #cancelPending(): Promise<void> {
    const session = await this.#parts.servers.quietSession();
    if (!session) return;
    const pending = this.#parts.store
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
    const { notCancelled } = await session.tracker.cancelPending();
    if (notCancelled.length > 0) {
      void vscode.window.showInformationMessage(
        `${count(notCancelled.length, 'job')} had begun before the cancellation came.`,
      );
    }
  }

  /** Stops what runs now. Unlike cancelling it can hit somebody else's job, so it says whose it is and asks. */
  async #interrupt(chosen: readonly Job[]): Promise<void> {
    const { servers, store } = this.#parts;
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
    if (answer === 'Interrupt') await session.tracker.interruptRunning(job.id);
  }

  /** Sends exactly what was sent before: the prompt kept here, or the one that the server remembers. */
  async #runAgain(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      const text =
        (await this.#parts.submitted.of(job.id))?.promptText ?? (await this.#promptFromServer(job));
      if (text === undefined) {
        throw new UserProblem(
          `The workflow of ${labelOf(job)} is not known any more.`,
          'Open its workflow file and run that.',
        );
      }
      const uri = sourceOf(job) ?? vscode.Uri.from({ scheme: 'untitled', path: `${job.id}.json` });
      await this.#parts.runs.run({ uri, text, label: labelOf(job) }, { seeds: 'keep' });
    }
  }

  async #promptFromServer(job: Job): Promise<string | undefined> {
    const session = await this.#parts.servers.sessionOf(job.server);
    return session?.promptTextOf(job.id);
  }

  async #openOutputs(rows: readonly TreeRow[]): Promise<void> {
    const uris = await this.#savedUris(rows);
    for (const uri of uris.slice(0, openedAtOnce)) {
      await vscode.commands.executeCommand('vscode.open', uri, { preview: uris.length === 1 });
    }
    if (uris.length > openedAtOnce) {
      void vscode.window.showInformationMessage(
        `The first ${openedAtOnce} of ${uris.length} outputs are open. Reveal Outputs shows them all in their folder.`,
      );
    }
  }

  async #revealOutputs(rows: readonly TreeRow[]): Promise<void> {
    const [uri] = await this.#savedUris(rows);
    if (!uri) return;
    const inWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    await vscode.commands.executeCommand(inWorkspace ? 'revealInExplorer' : 'revealFileInOS', uri);
  }

  /** Files on disk that the rows stand for; a job's outputs are fetched first when none has been saved. */
  async #savedUris(rows: readonly TreeRow[]): Promise<vscode.Uri[]> {
    const { saved } = this.#parts;
    const uris: vscode.Uri[] = [];
    for (const row of rows) {
      if (row.kind === 'output') uris.push(...[saved.find(row.jobId, row.file) ?? []].flat());
      else if (row.kind === 'job') {
        if (saved.of(row.jobId).length === 0) await this.#saveOutputs(this.#jobs([row]));
        uris.push(...saved.of(row.jobId).map(({ uri }) => uri));
      }
    }
    return uris;
  }

  async #saveOutputs(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      const session = await this.#parts.servers.sessionOf(job.server);
      if (!session) {
        throw new UserProblem(
          `The outputs of ${labelOf(job)} are on a server that is no longer in the list.`,
          'Add the server again, then save the outputs.',
        );
      }
      const abort = new AbortController();
      await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: `Outputs of ${labelOf(job)}`,
          cancellable: true,
        },
        async (_progress, token) => {
          token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
          const known = job.outputs.length > 0 ? job : await this.#parts.servers.details(job);
          await this.#parts.saver.save(known, session.client, abort.signal);
        },
      );
    }
  }

  async #showError(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) await this.#parts.reports.show(await this.#withTrace(job));
  }

  /** The server may know more than what came by; when it cannot be asked, the report shows what is known. */
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

  /** Takes ended jobs from the list; their outputs stay on disk. */
  async #remove(jobs: readonly Job[]): Promise<void> {
    const ids = jobs.filter((job) => isTerminal(job.state)).map(({ id }) => id);
    for (const id of ids) this.#parts.store.remove(id);
    const results = await Promise.allSettled([
      this.#parts.submitted.forget(ids),
      this.#parts.saved.forget(ids),
    ]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed && !isCancellation(failed.reason)) this.#parts.log.error('Forgetting jobs', failed.reason);
  }
}

/** The rows that a command was called for: a job's id, or the row under the mouse and the selection with it. */
function rowsOf([first, all]: readonly unknown[]): readonly TreeRow[] {
  if (typeof first === 'string') return [{ kind: 'job', id: `job:${first}`, jobId: first }];
  if (Array.isArray(all) && all.length > 0) return all.filter(isRow);
  return isRow(first) ? [first] : [];
}

/** The job that a command's argument means. */
export function jobIdOf(argument: unknown): string | undefined {
  const [row] = rowsOf([argument]);
  return row && 'jobId' in row ? row.jobId : undefined;
}

function isRow(value: unknown): value is TreeRow {
  return typeof value === 'object' && value !== null && 'kind' in value && 'id' in value;
}

function labelOf(job: Job): string {
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
