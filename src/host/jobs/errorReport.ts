import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { printable } from '../../core/safety/plainText';
import { documentScheme } from '../platform/contributions';
import { withoutSecrets } from '../platform/shownSecrets';

/** Full reports of failed jobs as read-only documents: the server's words, trace included, and what to do. */
export class ErrorReports implements vscode.TextDocumentContentProvider {
  readonly #store: Pick<JobStore, 'get'>;
  readonly #serverName: (origin: string) => string;

  constructor(store: Pick<JobStore, 'get'>, serverName: (origin: string) => string) {
    this.#store = store;
    this.#serverName = serverName;
  }

  async show(job: Job): Promise<void> {
    const document = await vscode.workspace.openTextDocument(reportUri(job));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string | undefined> {
    // Documents of other kinds have an authority.
    if (uri.authority !== '') return undefined;
    const job = this.#store.get(uri.query);
    if (!job) return 'This job is no longer in the list.\n';
    const { explainFailure } = await import('../../core/jobs/failureExplanation');
    return withoutSecrets(reportText(job, this.#serverName(job.server), explainFailure));
  }
}

function reportUri(job: Job): vscode.Uri {
  const label = (job.origin?.label ?? job.id.slice(0, 8)).replace(/[/\\]/g, ' ');
  return vscode.Uri.from({ scheme: documentScheme, path: `/${label} error report.txt`, query: job.id });
}

type Explain = (failure: ExecutionFailure) => { readonly title: string; readonly nextAction: string };

function reportText(job: Job, serverName: string, explain: Explain): string {
  const lines = [
    job.origin?.label ?? `Job ${job.id}`,
    '',
    `Job:       ${job.id}`,
    `Server:    ${serverName}`,
    `State:     ${job.state}`,
    ...timeLines(job),
    ...Object.entries(job.origin?.seeds ?? {}).map(([input, seed]) => `Seed:      ${input} = ${seed}`),
  ];
  if (!job.failure && job.blocked.length === 0) lines.push('', 'No error was reported.');
  if (job.failure) lines.push('', ...failureLines(job, job.failure, 'What went wrong', explain));
  for (const blocked of job.blocked)
    lines.push('', ...failureLines(job, blocked, 'A branch was blocked', explain));
  return printable(`${lines.join('\n')}\n`);
}

function timeLines(job: Job): string[] {
  const times: [string, number | undefined][] = [
    ['Submitted:', job.createdAt],
    ['Started:  ', job.startedAt],
    ['Ended:    ', job.endedAt],
  ];
  return times.flatMap(([name, time]) =>
    time === undefined ? [] : [`${name} ${new Date(time).toLocaleString()}`],
  );
}

function failureLines(job: Job, failure: ExecutionFailure, heading: string, explain: Explain): string[] {
  const { title, nextAction } = explain(failure);
  const { nodeId, nodeType } = failure;
  const name = nodeId === undefined ? undefined : job.origin?.nodeNames[nodeId];
  const node = [name, nodeType === name ? undefined : nodeType]
    .filter((part) => part !== undefined)
    .join(', ');
  return [
    `${heading}: ${title}`,
    `What to do: ${nextAction}`,
    '',
    ...(nodeId === undefined ? [] : [`Node:      ${nodeId}${node === '' ? '' : ` (${node})`}`]),
    `Error:     ${failure.exceptionType}`,
    `Message:   ${failure.message}`,
    ...(failure.traceback.length === 0
      ? []
      : ['', 'Server traceback:', ...failure.traceback.map((line) => line.trimEnd())]),
  ];
}
