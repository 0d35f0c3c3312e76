import * as vscode from 'vscode';
import { nodeGivenName, type Job } from '../../core/jobs/job';
import { jobStateWords } from '../../core/jobs/jobWords';
import type { RunStore } from '../../core/runLife/runStore';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { startOfSentence } from '../../core/safety/endSentence';
import { t } from '../../core/safety/localize';
import { exactTime } from '../../core/safety/timeText';
import { printable } from '../../core/safety/plainText';
import { documentScheme } from '../platform/contributions';
import { withoutSecrets } from '../platform/shownSecrets';
import type { Servers } from '../servers/servers';

export class ErrorReports implements vscode.TextDocumentContentProvider {
  constructor(
    private readonly runs: Pick<RunStore, 'job'>,
    private readonly servers: Servers,
  ) {}

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(documentScheme, this);
  }

  async show(job: Job): Promise<void> {
    const document = await vscode.workspace.openTextDocument(reportUri(job));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string | undefined> {
    // Documents of other kinds have an authority.
    if (uri.authority !== '') return undefined;
    const job = this.runs.job(uri.query);
    if (!job) return `${t`This job is no longer in the list.`}\n`;
    const { explainFailure } = await import('../../core/jobs/failureExplanation');
    return withoutSecrets(reportText(job, this.servers.nameOf(job.server), explainFailure));
  }
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
    ...timeLines(job),
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

function timeLines(job: Job): string[] {
  const times: [string, number | undefined][] = [
    [t`Submitted`, job.createdAt],
    [t`Started`, job.startedAt],
    [t`Ended`, job.endedAt],
  ];
  return times.flatMap(([name, time]) => (time === undefined ? [] : [line(name, exactTime(time))]));
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
