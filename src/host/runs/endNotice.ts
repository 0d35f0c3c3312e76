import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { shown, type Shown } from '../../core/safety/shownText';
import { commands, settings } from '../platform/contributions';
import type { InSight } from '../platform/inSight';
import { isEndShown, readSetting } from '../platform/settings';
import type { SavedFile } from '../outputs/savedOutputs';
import { showError, showInformation, showWarning } from '../platform/show';
import type { End, EndWords } from './endWords';

/** Jobs share one notification if no more than this is between their ends (ms). */
const quietTime = 2_000;
const longestWait = 10_000;

/** One poll finds only some of the jobs that a server has forgotten (ms). */
const lostQuietTime = 8_000;

interface Button {
  readonly label: Shown;
  readonly act: () => Thenable<unknown>;
}

/** Notifies about ended runs of this window: one notification for those that end together, none if all are in sight. */
export class EndNotice implements vscode.Disposable {
  #ends: (End & { readonly files: readonly string[] })[] = [];
  #timer: NodeJS.Timeout | undefined;
  #firstAt = 0;
  #lost: Job[] = [];
  #lostTimer: NodeJS.Timeout | undefined;

  /** @param failed tells why a button could not do its work */
  constructor(
    private readonly failed: (error: unknown) => void,
    private readonly sight: Pick<InSight, 'has'>,
  ) {}

  ended(job: Job, saved: readonly SavedFile[]): void {
    if (job.state === 'lost') {
      this.#lose(job);
      return;
    }
    if (!isEndShown()) return;
    if (this.#ends.length === 0) this.#firstAt = Date.now();
    this.#ends.push({ job, saved: saved.length, files: saved.map(({ location }) => location) });
    clearTimeout(this.#timer);
    const wait = Math.min(quietTime, this.#firstAt + longestWait - Date.now());
    this.#timer = setTimeout(() => void this.#tell(), wait);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lostTimer);
  }

  /** A server that was restarted loses all that waited, which is found out one by one. */
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
    const again = {
      label: lost.length === 1 ? shown`Run Again` : shown`Run Them Again`,
      act: () => run(commands.runLostAgain, ids),
    };
    offer(showWarning, lostNotice(lost), [
      again,
      { label: shown`Show Jobs`, act: () => run(commands.showJobs) },
    ]);
  }

  async #tell(): Promise<void> {
    const ends = this.#ends;
    this.#ends = [];
    if (ends.every(({ job, files }) => this.sight.has(job.id, files))) return;
    const [first] = ends;
    if (!first || isOff()) return;
    // Opens the outputs of the last one that has any.
    const { job } = ends.findLast(({ saved }) => saved > 0) ?? first;
    if (ends.length === 1 && job.failure) {
      await explain(job, job.failure, this.failed);
      return;
    }
    const { batchWords, endWords } = await import('./endWords');
    tell(ends.length > 1 ? batchWords(ends) : endWords(first), job.id);
  }
}

/** The user may turn notifications off before one is due. */
function isOff(): boolean {
  return readSetting(settings.notifyWhenDone) === 'never';
}

async function explain(job: Job, failure: ExecutionFailure, failed: (error: unknown) => void): Promise<void> {
  const [{ failureLine }, { needsAccount }] = await Promise.all([
    import('../../core/jobs/failureText'),
    import('../../core/jobs/failureExplanation'),
  ]);
  const { nodeId } = failure;
  const details = { label: shown`Show Details`, act: () => run(commands.showError, job.id) };
  const buttons: Button[] = [details];
  if (needsAccount(failure)) {
    buttons.unshift({ label: shown`Open Account Page`, act: () => run(commands.openAccount) });
  }
  if (nodeId !== undefined && job.origin?.sourceUri !== undefined) {
    const go = async (): Promise<void> => (await import('./showNode')).showNode(job, nodeId);
    buttons.push({
      label: shown`Go to Node`,
      act: () => go().catch(failed),
    });
  }
  offer(showError, failureLine(job, failure), buttons);
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
