import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../core/jobs/job';
import { commands, type CommandId } from '../platform/contributions';
import { registerCommand } from '../platform/commandRegistry';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { isCancellation } from '../platform/problems';
import type { RunChoices } from '../../core/runs/runChoices';
import type { Runs } from '../runs/runs';
import type { Servers } from '../servers/servers';
import type { Services } from '../services';
import type { ErrorReports } from './errorReport';
import type { RunsElsewhere } from './runsElsewhere';
import type { StopJobs } from './stopJobs';
import type { RowSubject } from './jobTree';

type JobCommand = readonly [
  id: CommandId,
  act: (jobs: readonly Job[], rows: readonly RowSubject[], args: readonly unknown[]) => unknown,
];

/** Commands on jobs. Each takes a row of the tree and the selection, or a job ID. */
export class JobCommands implements Feature {
  /** @param ready resolves when jobs are read back: before the first command uses them */
  constructor(
    private readonly log: Log,
    private readonly jobs: RunsElsewhere,
    private readonly ready: () => Promise<void>,
    private readonly selection: () => readonly RowSubject[],
    private readonly commands: readonly JobCommand[],
  ) {}

  register({ subscriptions }: vscode.ExtensionContext): void {
    for (const [id, act] of this.commands) {
      const run = async (...args: readonly unknown[]): Promise<unknown> => {
        await this.ready();
        const given = argumentRows(args);
        const rows = given.length > 0 ? given : this.selection();
        return act(this.#jobsOf(rows), rows, args);
      };
      subscriptions.push(registerCommand(this.log, id, run));
    }
  }

  #jobsOf(rows: readonly RowSubject[]): Job[] {
    const { store } = this.jobs;
    const ids = new Set(rows.map(({ jobId }) => jobId).filter((id) => id !== undefined));
    const jobs = [...ids].map((id) => store.get(id)).filter((job) => job !== undefined);
    return jobs.map((job) => this.jobs.named(job));
  }
}

export function stopCommands(
  { servers, store, ends }: Services,
  elsewhere: RunsElsewhere,
): readonly JobCommand[] {
  const stop = async (): Promise<StopJobs> => {
    const { StopJobs } = await import('./stopJobs');
    return new StopJobs(servers, store, ends, elsewhere);
  };
  return [
    [commands.cancelJobs, async (chosen) => (await stop()).cancel(chosen)],
    [commands.cancelPending, async () => (await stop()).cancelPending()],
    [commands.interrupt, async (chosen) => (await stop()).interrupt(chosen)],
  ];
}

export function againCommands(services: Services, runs: Runs): readonly JobCommand[] {
  const again =
    (seeds: RunChoices['seeds']) =>
    async (jobs: readonly Job[]): Promise<void> =>
      (await import('./runJobsAgain')).runJobsAgain(jobs, seeds, { ...services, runs });
  return [
    [commands.runAgain, again('keep')],
    [commands.runAgainWithNewSeeds, again('new')],
    [
      commands.runLostAgain,
      // IDs of jobs; all that are lost if missing.
      async (_jobs, _rows, [ids]) =>
        (await import('./runJobsAgain')).runLostAgain(Array.isArray(ids) ? ids.map(String) : undefined, {
          ...services,
          runs,
        }),
    ],
  ];
}

export function outputCommands(services: Services): readonly JobCommand[] {
  const outputs = () => import('./savedJobOutputs');
  return [
    [commands.openOutputs, async (jobs, rows) => (await outputs()).openOutputs(jobs, rows, services)],
    [commands.revealOutputs, async (jobs, rows) => (await outputs()).revealOutputs(jobs, rows, services)],
    [commands.saveOutputs, async (jobs) => (await outputs()).saveJobOutputs(jobs, services)],
  ];
}

export function reportCommands(reports: ErrorReports, servers: Servers, log: Log): readonly JobCommand[] {
  /** The server may know more than the events said; if it can't be reached, the report shows what is known. */
  const withTrace = async (job: Job): Promise<Job> => {
    if (job.failure !== undefined && job.failure.traceback.length > 0) return job;
    try {
      return await servers.details(job);
    } catch (error) {
      log.error('Details for a report', error);
      return job;
    }
  };
  return [
    [
      commands.showError,
      async (jobs) => {
        for (const job of jobs) await reports.show(await withTrace(job));
      },
    ],
  ];
}

/** @param isShown whether the view shows a job */
export function listCommands(services: Services, isShown: (job: Job) => boolean): readonly JobCommand[] {
  return [
    [commands.refreshJobs, async () => (await services.servers.quietSession())?.tracker.refresh()],
    [
      commands.copyJobId,
      async (jobs) => {
        if (jobs.length > 0) await vscode.env.clipboard.writeText(jobs.map(({ id }) => id).join('\n'));
      },
    ],
    [commands.removeJobs, (jobs) => remove(jobs, services)],
    [commands.removeFinished, () => remove(services.store.jobs().filter(isShown), services)],
  ];
}

/** Removes ended jobs from the list; their outputs stay on disk. */
async function remove(
  jobs: readonly Job[],
  { log, store, saved, pointers, temporary }: Services,
): Promise<void> {
  const ids = jobs.filter((job) => isTerminal(job.state)).map(({ id }) => id);
  for (const id of ids) store.remove(id);
  saved.forget(ids);
  const results = await Promise.allSettled([pointers.forget(ids), temporary.forget(ids)]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed && !isCancellation(failed.reason)) log.error('Forgetting jobs', failed.reason);
}

/** The rows of a command: a job ID, or the row under the pointer with the selection. */
export function argumentRows([first, all]: readonly unknown[]): readonly RowSubject[] {
  if (typeof first === 'string') return [{ kind: 'job', jobId: first }];
  if (Array.isArray(all) && all.length > 0) return all.filter(isRow);
  return isRow(first) ? [first] : [];
}

/** The job that a command's argument refers to. */
export function argumentJobId(argument: unknown): string | undefined {
  const [row] = argumentRows([argument]);
  return row?.jobId;
}

function isRow(value: unknown): value is RowSubject {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
