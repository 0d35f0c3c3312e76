import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { endSentence } from '../../core/protocol/endSentence';
import type { FailureExplanation } from '../../core/protocol/failureExplanation';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { commands, settings } from '../platform/contributions';
import { readSetting } from '../platform/settings';
import type { SavedFile } from '../jobs/savedOutputs';
import { count } from './consent';

/** Jobs that end within this time make one notification (ms). */
const batchTime = 800;

interface End {
  readonly job: Job;
  readonly saved: readonly SavedFile[];
}

interface Button {
  readonly label: string;
  readonly act: () => Thenable<unknown>;
}

/** Tells that runs of this window have ended: one notification for those that end together. */
export class EndNotice implements vscode.Disposable {
  #ends: End[] = [];
  #timer: NodeJS.Timeout | undefined;

  ended(job: Job, saved: readonly SavedFile[]): void {
    if (!isWanted()) return;
    this.#ends.push({ job, saved });
    this.#timer ??= setTimeout(() => void this.#tell(), batchTime);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #tell(): Promise<void> {
    this.#timer = undefined;
    const ends = this.#ends;
    this.#ends = [];
    const [first] = ends;
    if (!first) return;
    if (ends.length > 1) tellBatch(ends);
    else if (first.job.failure) await explain(first.job, first.job.failure);
    else tellOne(first);
  }
}

function isWanted(): boolean {
  const when = readSetting(settings.notifyWhenDone);
  return when === 'always' || (when === 'whenAway' && !vscode.window.state.focused);
}

async function explain(job: Job, failure: ExecutionFailure): Promise<void> {
  const { explainFailure } = await import('../../core/protocol/failureExplanation');
  tellFailure(job, explainFailure(failure));
}

function tellFailure(job: Job, { title, nextAction }: FailureExplanation): void {
  const nodeId = job.failure?.nodeId;
  const node = nodeId === undefined ? undefined : (job.origin?.nodeNames[nodeId] ?? `node ${nodeId}`);
  const where = node === undefined ? '' : ` at ${node}`;
  const report = { label: 'Show Report', act: () => run(commands.showError, job.id) };
  offer(
    vscode.window.showErrorMessage,
    `${labelOf(job)} failed${where}: ${endSentence(title)} ${nextAction}`,
    [report],
  );
}

function labelOf(job: Job): string {
  return job.origin?.label ?? `Job ${job.id}`;
}

function tellOne({ job, saved }: End): void {
  const label = labelOf(job);
  const again = { label: 'Run Again', act: () => run(commands.runAgain, job.id) };
  if (job.state === 'failed') {
    offer(
      vscode.window.showErrorMessage,
      `${label} failed, and the server did not say why. Look at the log of the server, or run it again.`,
      [again],
    );
  } else if (job.state === 'lost') {
    offer(
      vscode.window.showWarningMessage,
      `The server no longer knows ${label}: it may have been restarted. Run it again if you still want it.`,
      [again],
    );
  } else if (job.state === 'cancelled') {
    offer(
      vscode.window.showWarningMessage,
      `${label} was cancelled elsewhere${saved.length > 0 ? `; ${count(saved.length, 'output')} saved` : ''}. Run it again if you still want it.`,
      [again],
    );
  } else {
    const words = saved.length > 0 ? `${count(saved.length, 'output')} saved.` : 'it left no files.';
    offer(
      vscode.window.showInformationMessage,
      `${label} is done: ${words}`,
      saved.length > 0 ? openers(job) : [],
    );
  }
}

function tellBatch(ends: readonly End[]): void {
  const failed = ends.filter(({ job }) => job.state !== 'completed').length;
  const files = ends.reduce((sum, { saved }) => sum + saved.length, 0);
  const words = `${ends.length} runs have ended${failed > 0 ? `, ${failed} of them failed` : ''}: ${count(files, 'output')} saved.`;
  const show = failed > 0 ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const last = ends.findLast(({ saved }) => saved.length > 0);
  const jobs = { label: 'Show Jobs', act: () => run(commands.showJobs) };
  offer(show, words, last ? [jobs, ...openers(last.job).slice(1)] : [jobs]);
}

function openers(job: Job): Button[] {
  return [
    { label: 'Open', act: () => run(commands.openOutputs, job.id) },
    { label: 'Reveal', act: () => run(commands.revealOutputs, job.id) },
  ];
}

function run(command: string, ...args: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...args);
}

function offer(
  show: (message: string, ...labels: string[]) => Thenable<string | undefined>,
  message: string,
  buttons: readonly Button[],
): void {
  void show(message, ...buttons.map(({ label }) => label)).then((chosen) =>
    buttons.find(({ label }) => label === chosen)?.act(),
  );
}
