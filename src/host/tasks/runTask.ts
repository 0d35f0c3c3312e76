import path from 'node:path';
import * as vscode from 'vscode';
import { findingLines } from '../../core/check/findingLines';
import { nodeGivenName, isTerminal, type Job } from '../../core/jobs/job';
import { describeProgress, describeState } from '../../core/jobs/jobWords';
import { shown } from '../../core/safety/shownText';
import type { LanguageFeature } from '../language/languageFeature';
import type { Runs } from '../runs/runs';
import { isWorkflowDocument, readSource } from '../platform/workflowSource';
import { taskClosed, taskExit, type TaskOutput } from './taskTerminal';
import type { WorkflowTask } from './workflowTask';

/** The first failure ends the task. */
export async function runTask(
  files: readonly vscode.Uri[],
  { seeds }: Pick<WorkflowTask, 'seeds'>,
  runs: Runs,
  output: TaskOutput,
): Promise<number> {
  for (const file of files) {
    const code = await runFile(file, seeds, runs, output);
    if (code !== taskExit.done) return code;
  }
  return taskExit.done;
}

async function runFile(
  file: vscode.Uri,
  seeds: WorkflowTask['seeds'],
  runs: Runs,
  output: TaskOutput,
): Promise<number> {
  const { store, runs: known, pointers } = runs.windowRuns;
  const source = await readSource(file);
  output.signal.throwIfAborted();
  const jobId = await runs.run(source, { seeds, refuseUnheard: true });
  if (jobId === undefined) {
    output.line(shown`${source.label}: not submitted.`);
    return taskExit.failed;
  }
  output.line(shown`${source.label}: submitted as job ${jobId}`);
  await watched(jobId, runs, output);
  const job = store.get(jobId);
  if ((output.signal.aborted || output.interrupted.aborted) && job && !isTerminal(job.state)) {
    output.line(shown`${source.label} is still running. The Jobs view tracks it.`);
    return taskExit.cancelled;
  }
  for (const { location } of known.filesOfJob(jobId)) {
    output.line(shown`${vscode.workspace.asRelativePath(location).split(path.sep).join('/')}`);
  }
  if (job?.state === 'cancelled') return taskExit.cancelled;
  const isWhole = pointers.owedOfJob(jobId) === undefined;
  return job?.state === 'completed' && isWhole ? taskExit.done : taskExit.failed;
}

async function watched(jobId: string, { servers, windowRuns }: Runs, output: TaskOutput): Promise<void> {
  const { store } = windowRuns;
  let last = '';
  const tell = (): void => {
    const job = store.get(jobId);
    if (!job) return;
    const words = `${describeState(job)} ${currentNodeName(job)}`;
    if (words === last) return;
    last = words;
    output.line(
      shown`${job.origin?.label ?? jobId}: ${describeState(job)} ${describeProgress(job)} ${currentNodeName(job)}`,
    );
  };
  let giveUp = (): void => undefined;
  const inVain = new Promise<void>((resolve) => (giveUp = resolve));
  const cancelJob = async (): Promise<void> => {
    const job = store.get(jobId);
    const session = job && (await servers.sessionOf(job.server));
    if ((await session?.tracker.cancel(jobId)) === 'stillRunning') giveUp();
  };
  const cancel = (): void => void cancelJob();
  const stop = store.onDidChange(tell);
  output.interrupted.addEventListener('abort', cancel, { once: true });
  try {
    tell();
    await Promise.race([(await windowRuns.attempts()).settled(jobId), taskClosed(output), inVain]);
  } finally {
    stop();
    output.interrupted.removeEventListener('abort', cancel);
  }
}

function currentNodeName({ currentNodeId, origin, state }: Job): string {
  if (currentNodeId === undefined || isTerminal(state)) return '';
  return nodeGivenName(origin, currentNodeId) ?? currentNodeId;
}

/** Checks the texts of editors; other JSON files are skipped. */
export async function validateTask(
  files: readonly vscode.Uri[],
  language: LanguageFeature,
  output: TaskOutput,
): Promise<number> {
  let workflows = 0;
  let faulty = 0;
  let unchecked = 0;
  for (const file of files) {
    output.signal.throwIfAborted();
    const document = await vscode.workspace.openTextDocument(file);
    if (!isWorkflowDocument(document)) continue;
    workflows++;
    const { findings, byDefinitions } = await language.check(document);
    if (!byDefinitions) unchecked++;
    for (const line of findingLines(file.fsPath, document.getText(), findings)) output.line(shown`${line}`);
    if (findings.some(({ severity }) => severity === 'error')) faulty++;
  }
  if (unchecked > 0) {
    output.line(
      shown`Only the structure was checked, because the server's node definitions aren't available.`,
    );
  }
  output.line(shown`Workflows checked: ${workflows}. With errors: ${faulty}.`);
  return faulty > 0 ? taskExit.failed : taskExit.done;
}
