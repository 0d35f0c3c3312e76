import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { SavedFile } from '../../core/runLife/run';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { shown, type Shown } from '../../core/safety/shownText';
import { type CommandId, commands, settings } from '../platform/contributions';
import { isEndShown, readSetting } from '../platform/settings';
import { showError, showInformation, showWarning } from '../platform/show';
import type { End, EndWords } from './endWords';
import type { Platform } from '../platform/platform';

/** Jobs share one notification if no more than this is between their ends (ms). */
const quietTime = 2_000;
const longestWait = 10_000;

/** One poll finds only some of the jobs that a server has forgotten (ms). */
const lostQuietTime = 8_000;

interface Button {
  readonly label: Shown;
  readonly act: () => Thenable<unknown>;
}

/**
 * Notifies about ended runs of this window: one notification for those that end together, none if all are in sight or
 * the user cancelled them here. Why outputs aren't saved is told once.
 */
export class EndNotice implements vscode.Disposable {
  readonly #cancelledHere = new Set<string>();
  /** Pointer ID -> the last reported failure. */
  readonly #failed = new Map<string, string>();
  #ends: (End & { readonly files: readonly string[] })[] = [];
  #timer: NodeJS.Timeout | undefined;
  #firstAt = 0;
  #lost: Job[] = [];
  #lostTimer: NodeJS.Timeout | undefined;

  constructor(private readonly platform: Pick<Platform, 'sight' | 'onError' | 'log'>) {}

  expectCancelled(jobIds: readonly string[], expected: boolean): void {
    for (const id of jobIds) {
      if (expected) this.#cancelledHere.add(id);
      else this.#cancelledHere.delete(id);
    }
  }

  /** All outputs of a job are on disk. */
  ended(job: Job, saved: readonly SavedFile[]): void {
    const isCancelledHere = this.#cancelledHere.delete(job.id);
    if (job.state === 'cancelled' && isCancelledHere) return;
    if (job.state === 'lost') {
      this.#lose(job);
      return;
    }
    const files = saved.map(({ location }) => location);
    // The view that shows it may be closed before the notification is due, although its end was seen.
    if (!isEndShown() || this.platform.sight.has(job.id, files)) return;
    if (this.#ends.length === 0) this.#firstAt = Date.now();
    this.#ends.push({ job, saved: files.length, files });
    clearTimeout(this.#timer);
    const wait = Math.min(quietTime, this.#firstAt + longestWait - Date.now());
    this.#timer = setTimeout(() => void this.#tell(), wait);
  }

  failed(pointer: string, error: Error): void {
    const { log, onError } = this.platform;
    if (this.#failed.get(pointer) === error.message) log.error('Outputs are still owed', error);
    else onError(error);
    this.#failed.set(pointer, error.message);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lostTimer);
  }

  /** A restarted server loses all waiting jobs, which are found out one by one. */
  #lose(job: Job): void {
    if (isOff()) return;
    this.#lost.push(job);
    clearTimeout(this.#lostTimer);
    this.#lostTimer = setTimeout(() => void this.#tellLost(), lostQuietTime);
  }

  async #tellLost(): Promise<void> {
    const lost = this.#lost;
    this.#lost = [];
    if (isOff()) return;
    const { lostNotice } = await import('./endWords');
    const ids = lost.map(({ id }) => id);
    offer(showWarning, lostNotice(lost), [
      commandButton(shown`Run Again`, commands.runLostAgain, ids),
      commandButton(shown`Show Jobs`, commands.showJobs),
    ]);
  }

  async #tell(): Promise<void> {
    const ends = this.#ends;
    this.#ends = [];
    if (ends.every(({ job, files }) => this.platform.sight.has(job.id, files))) return;
    const [first] = ends;
    if (!first || isOff()) return;
    // Opens the outputs of the last one that has any.
    const { job } = ends.findLast(({ saved }) => saved > 0) ?? first;
    if (ends.length === 1 && job.failure) {
      await explain(job, job.failure, this.platform.onError);
      return;
    }
    const { batchWords, endWords } = await import('./endWords');
    tell(ends.length > 1 ? batchWords(ends) : endWords(first), job.id);
  }
}

function isOff(): boolean {
  return readSetting(settings.notifyWhenDone) === 'never';
}

async function explain(job: Job, failure: ExecutionFailure, failed: (error: unknown) => void): Promise<void> {
  const [{ failureLine }, { needsAccount }] = await Promise.all([
    import('../../core/jobs/failureText'),
    import('../../core/jobs/failureExplanation'),
  ]);
  const { nodeId } = failure;
  const buttons = [commandButton(shown`Show Details`, commands.showError, job.id)];
  if (needsAccount(failure)) {
    buttons.unshift(commandButton(shown`Open Account Page`, commands.openAccount));
  }
  if (nodeId !== undefined && job.origin?.sourceUri !== undefined) {
    const go = async (): Promise<void> => (await import('./showNode')).showNode(job, nodeId);
    buttons.push({ label: shown`Go to Node`, act: () => go().catch(failed) });
  }
  offer(showError, failureLine(job, failure), buttons);
}

function tell({ tone, words, offers }: EndWords, jobId: string): void {
  const show = { error: showError, warning: showWarning, information: showInformation }[tone];
  const buttons = {
    runAgain: commandButton(shown`Run Again`, commands.runAgain, jobId),
    open: commandButton(shown`Open`, commands.openOutputs, jobId),
    reveal: commandButton(shown`Reveal`, commands.revealOutputs, jobId),
    showJobs: commandButton(shown`Show Jobs`, commands.showJobs),
  };
  const offered = offers.map((kind) => buttons[kind]);
  offer(show, words, offered);
}

function commandButton(label: Shown, command: CommandId, ...args: readonly unknown[]): Button {
  return { label, act: () => vscode.commands.executeCommand(command, ...args) };
}

function offer(show: typeof showError, message: Shown, buttons: readonly Button[]): void {
  void show(message, ...buttons).then((chosen) => chosen?.act());
}
