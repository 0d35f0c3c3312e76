import * as vscode from 'vscode';
import { isTerminal, type Job, nodeGivenName } from '../../core/jobs/job';
import { jobStateWords } from '../../core/jobs/jobWords';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { startOfSentence } from '../../core/safety/endSentence';
import { mapDefined } from '../../core/safety/lists';
import { t } from '../../core/safety/localize';
import { printable } from '../../core/safety/plainText';
import { exactTime } from '../../core/safety/timeText';
import { commands, type CommandId, documentScheme } from '../platform/contributions';
import { registerCommand } from '../platform/commandRegistry';
import type { Feature } from '../platform/feature';
import type { Platform } from '../platform/platform';
import { isCancellation } from '../platform/problems';
import { withoutSecrets } from '../platform/shownSecrets';
import type { Runs } from '../runs/runs';
import type { JobsFeature } from './jobsFeature';
import type { StopJobs } from './stopJobs';
import type { RowSubject } from './jobTree';

type JobCommand = readonly [
  id: CommandId,
  act: (jobs: readonly Job[], rows: readonly RowSubject[], args: readonly unknown[]) => unknown,
];

/** Commands on jobs. Each takes a row of the tree and the selection, or a job ID. */
export class JobCommands implements Feature {
  constructor(
    private readonly platform: Platform,
    private readonly runs: Runs,
    private readonly jobs: JobsFeature,
  ) {}

  register({ subscriptions }: vscode.ExtensionContext): void {
    subscriptions.push(
      vscode.workspace.registerTextDocumentContentProvider(documentScheme, {
        provideTextDocumentContent: (uri) => this.#report(uri),
      }),
      ...this.#commands().map(([id, act]) =>
        registerCommand(this.platform.log, id, async (...args) => {
          await this.runs.windowRuns.ready();
          const given = argumentRows(args);
          const rows = given.length > 0 ? given : this.jobs.selection;
          return act(this.#jobsOf(rows), rows, args);
        }),
      ),
    );
  }

  #jobsOf(rows: readonly RowSubject[]): Job[] {
    const ids = new Set(rows.map(({ jobId }) => jobId).filter((id) => id !== undefined));
    return mapDefined([...ids], (id) => this.runs.windowRuns.runs.job(id));
  }

  #commands(): readonly JobCommand[] {
    const { servers, windowRuns } = this.runs;
    const stop = async (): Promise<StopJobs> => {
      const { StopJobs } = await import('./stopJobs');
      return new StopJobs(servers, windowRuns.runs, (await windowRuns.attempts()).ends);
    };
    const again = () => import('./runJobsAgain');
    const outputs = () => import('./savedJobOutputs');
    return [
      [commands.cancelJobs, async (chosen) => (await stop()).cancel(chosen)],
      [commands.cancelPending, async () => (await stop()).cancelPending()],
      [commands.interrupt, async (chosen) => (await stop()).interrupt(chosen)],
      [commands.runAgain, async (jobs) => (await again()).runJobsAgain(jobs, 'keep', this.runs)],
      [commands.runAgainWithNewSeeds, async (jobs) => (await again()).runJobsAgain(jobs, 'new', this.runs)],
      // IDs of jobs; all that are lost if missing.
      [
        commands.runLostAgain,
        async (_jobs, _rows, [ids]) =>
          (await again()).runLostAgain(Array.isArray(ids) ? ids.map(String) : undefined, this.runs),
      ],
      [commands.openOutputs, async (jobs, rows) => (await outputs()).openOutputs(jobs, rows, windowRuns)],
      [commands.revealOutputs, async (jobs, rows) => (await outputs()).revealOutputs(jobs, rows, windowRuns)],
      [commands.saveOutputs, async (jobs) => (await outputs()).saveJobOutputs(jobs, windowRuns)],
      [commands.refreshJobs, async () => (await servers.quietSession())?.tracker.refresh()],
      [
        commands.copyJobId,
        async (jobs) => {
          if (jobs.length > 0) await vscode.env.clipboard.writeText(jobs.map(({ id }) => id).join('\n'));
        },
      ],
      [commands.removeJobs, (jobs) => this.#remove(jobs)],
      [
        commands.removeFinished,
        () => this.#remove(windowRuns.runs.jobs().filter((job) => this.jobs.section.shows(job))),
      ],
      [
        commands.showError,
        async (jobs) => {
          for (const job of jobs) {
            const document = await vscode.workspace.openTextDocument(reportUri(await this.#withTrace(job)));
            await vscode.window.showTextDocument(document, { preview: true });
          }
        },
      ],
    ];
  }

  async #report(uri: vscode.Uri): Promise<string | undefined> {
    // Documents of other kinds have an authority.
    if (uri.authority !== '') return undefined;
    const job = this.runs.windowRuns.runs.job(uri.query);
    if (!job) return `${t`This job is no longer in the list.`}\n`;
    const { explainFailure } = await import('../../core/jobs/failureExplanation');
    return withoutSecrets(reportText(job, this.runs.servers.nameOf(job.server), explainFailure));
  }

  /** Removes ended jobs from the list; their outputs stay on disk. */
  async #remove(jobs: readonly Job[]): Promise<void> {
    const { runs, pointers, temporary } = this.runs.windowRuns;
    const ids = jobs.filter((job) => isTerminal(job.state)).map(({ id }) => id);
    runs.hide(ids);
    const results = await Promise.allSettled([pointers.forget(ids), temporary.forget(ids)]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed && !isCancellation(failed.reason)) this.platform.log.error('Forgetting jobs', failed.reason);
  }

  /** The server may know more than the events said; if it can't be reached, the report shows what is known. */
  async #withTrace(job: Job): Promise<Job> {
    if (job.failure !== undefined && job.failure.traceback.length > 0) return job;
    try {
      return await this.runs.servers.details(job);
    } catch (error) {
      this.platform.log.error('Details for a report', error);
      return job;
    }
  }
}

/** The rows of a command: a job ID, or the row under the pointer with the selection. */
export function argumentRows([first, all]: readonly unknown[]): readonly RowSubject[] {
  if (typeof first === 'string') return [{ kind: 'job', jobId: first }];
  if (Array.isArray(all) && all.length > 0) return all.filter(isRow);
  return isRow(first) ? [first] : [];
}

/** The job that a command's argument refers to. */
export function argumentJobId(argument: unknown): string | undefined {
  return argumentRows([argument])[0]?.jobId;
}

function isRow(value: unknown): value is RowSubject {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

function reportUri(job: Job): vscode.Uri {
  const label = (job.origin?.label ?? job.id.slice(0, 8)).replace(/[/\\]/g, ' ');
  return vscode.Uri.from({ scheme: documentScheme, path: `/${t`${label} error report`}.txt`, query: job.id });
}

type Explain = (failure: ExecutionFailure) => { readonly title: string; readonly nextAction: string };

function reportText(job: Job, serverName: string, explain: Explain): string {
  const lines = [
    job.origin?.label ?? startOfSentence(t`job ${job.id}`),
    '',
    line(t`Job`, job.id),
    line(t`Server`, serverName),
    line(t`State`, jobStateWords()[job.state]),
    ...timeLine(t`Submitted`, job.createdAt),
    ...timeLine(t`Started`, job.startedAt),
    ...timeLine(t`Ended`, job.endedAt),
    ...Object.entries(job.origin?.seeds ?? {}).map(([input, seed]) => line(t`Seeds`, `${input} = ${seed}`)),
  ];
  if (!job.failure && job.blocked.length === 0) lines.push('', t`No error was reported.`);
  if (job.failure)
    lines.push('', ...failureLines(job, job.failure, explain, (title) => t`What went wrong: ${title}`));
  for (const failure of job.blocked)
    lines.push('', ...failureLines(job, failure, explain, (title) => t`A branch was blocked: ${title}`));
  return printable(`${lines.join('\n')}\n`);
}

const column = 11;

/** East Asian characters are two columns wide. */
function line(name: string, value: string): string {
  const width = Array.from(name).reduce((sum, letter) => sum + (letter > '\u2e7f' ? 2 : 1), 0);
  return `${name}${' '.repeat(Math.max(1, column - width))}${value}`;
}

function timeLine(name: string, time: number | undefined): string[] {
  return time === undefined ? [] : [line(name, exactTime(time))];
}

function failureLines(
  job: Job,
  failure: ExecutionFailure,
  explain: Explain,
  heading: (title: string) => string,
): string[] {
  const { title, nextAction } = explain(failure);
  const { nodeId, nodeType } = failure;
  const name = nodeId === undefined ? undefined : nodeGivenName(job.origin, nodeId);
  const node = [name, nodeType === name ? undefined : nodeType]
    .filter((part) => part !== undefined)
    .join(', ');
  return [
    heading(title),
    t`What to do: ${nextAction}`,
    '',
    ...(nodeId === undefined ? [] : [line(t`Node`, node === '' ? nodeId : `${nodeId} (${node})`)]),
    line(t`Error`, failure.exceptionType),
    line(t`Message`, failure.message),
    ...(failure.traceback.length === 0
      ? []
      : ['', t`Server traceback:`, ...failure.traceback.map((line) => line.trimEnd())]),
  ];
}
