import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { t } from '../../core/safety/localize';
import { shown, type Shown } from '../../core/safety/shownText';
import { commands, settings } from '../platform/contributions';
import { readSetting } from '../platform/settings';
import type { SavedFile } from '../jobs/savedOutputs';
import { showError, showInformation, showWarning } from '../platform/show';
import { batchWords, endWords, type End, type EndWords } from './endWords';
import { jobLabel } from '../../core/jobs/jobSummary';

/** Jobs that end within this time share one notification (ms). */
const batchTime = 800;

interface Button {
  readonly label: Shown;
  readonly act: () => Thenable<unknown>;
}

/** Notifies about ended runs of this window: one notification for those that end together. */
export class EndNotice implements vscode.Disposable {
  #ends: End[] = [];
  #timer: NodeJS.Timeout | undefined;

  ended(job: Job, saved: readonly SavedFile[]): void {
    if (!isWanted()) return;
    this.#ends.push({ job, saved: saved.length });
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
    // Opens the outputs of the last one that has any.
    const { job } = ends.findLast(({ saved }) => saved > 0) ?? first;
    if (ends.length > 1) tell(batchWords(ends), job.id);
    else if (job.failure) await explain(job, job.failure);
    else tell(endWords(first), job.id);
  }
}

function isWanted(): boolean {
  const when = readSetting(settings.notifyWhenDone);
  return when === 'always' || (when === 'whenAway' && !vscode.window.state.focused);
}

async function explain(job: Job, failure: ExecutionFailure): Promise<void> {
  const [{ tellFailure }, { needsAccount }] = await Promise.all([
    import('../../core/jobs/failureText'),
    import('../../core/jobs/failureExplanation'),
  ]);
  const account = { label: shown`Open Account Page`, act: () => run(commands.openAccount) };
  const { nodeId } = failure;
  const node = nodeId === undefined ? undefined : (job.origin?.nodeNames[nodeId] ?? t`node ${nodeId}`);
  const report = { label: shown`Show Error Report`, act: () => run(commands.showError, job.id) };
  const { message, nextAction } = tellFailure(failure, node);
  offer(
    showError,
    node === undefined
      ? shown`${jobLabel(job)} failed: ${message} ${nextAction}`
      : shown`${jobLabel(job)} failed at ${node}: ${message} ${nextAction}`,
    needsAccount(failure) ? [account, report] : [report],
  );
}

function tell({ tone, words, offers }: EndWords, jobId: string): void {
  const show = { error: showError, warning: showWarning, information: showInformation }[tone];
  const buttons = offers.map((kind): Button => {
    switch (kind) {
      case 'runAgain':
        return { label: shown`Run Again`, act: () => run(commands.runAgain, jobId) };
      case 'open':
        return { label: shown`Open`, act: () => run(commands.openOutputs, jobId) };
      case 'reveal':
        return { label: shown`Reveal`, act: () => run(commands.revealOutputs, jobId) };
      case 'showJobs':
        return { label: shown`Show Jobs`, act: () => run(commands.showJobs) };
    }
  });
  offer(show, words, buttons);
}

function run(command: string, ...args: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...args);
}

function offer(show: typeof showError, message: Shown, buttons: readonly Button[]): void {
  void show(message, ...buttons).then((chosen) => chosen?.act());
}
