import * as vscode from 'vscode';
import { needsAccount } from '../../core/jobs/failureExplanation';
import { failureLine } from '../../core/jobs/failureText';
import type { Job } from '../../core/jobs/job';
import { jobLabel, leftOutName, leftOutOutputs, lostWords } from '../../core/jobs/jobWords';
import {
  cachedOutputsWords,
  misnamedWords,
  unheardOutputs,
  unknownOutputsWords,
} from '../../core/jobs/outputCount';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import type { SavedFile } from '../../core/runLife/run';
import { outputsText } from '../../core/safety/countText';
import { Shown, shown, shownList } from '../../core/safety/shownText';
import { type CommandId, commands, settings } from '../platform/contributions';
import type { Platform } from '../platform/platform';
import { isEndShown, readSetting } from '../platform/settings';
import { showError, showInformation, showWarning } from '../platform/show';
import { showNode } from './showNode';

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
    this.#timer = setTimeout(() => this.#tell(), wait);
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
    this.#lostTimer = setTimeout(() => this.#tellLost(), lostQuietTime);
  }

  #tellLost(): void {
    const lost = this.#lost;
    this.#lost = [];
    if (isOff()) return;
    const ids = lost.map(({ id }) => id);
    offer(showWarning, lostNotice(lost), [
      commandButton(shown`Run Again`, commands.runLostAgain, ids),
      commandButton(shown`Show Jobs`, commands.showJobs),
    ]);
  }

  #tell(): void {
    const ends = this.#ends;
    this.#ends = [];
    if (ends.every(({ job, files }) => this.platform.sight.has(job.id, files))) return;
    const [first] = ends;
    if (!first || isOff()) return;
    // Opens the outputs of the last one that has any.
    const { job } = ends.findLast(({ saved }) => saved > 0) ?? first;
    if (ends.length === 1 && job.failure) explain(job, job.failure, this.platform.onError);
    else tell(ends.length > 1 ? batchWords(ends) : endWords(first), job.id);
  }
}

function isOff(): boolean {
  return readSetting(settings.notifyWhenDone) === 'never';
}

function explain(job: Job, failure: ExecutionFailure, failed: (error: unknown) => void): void {
  const { nodeId } = failure;
  const buttons = [commandButton(shown`Show Details`, commands.showError, job.id)];
  if (needsAccount(failure)) {
    buttons.unshift(commandButton(shown`Open Account Page`, commands.openAccount));
  }
  if (nodeId !== undefined && job.origin?.sourceUri !== undefined) {
    buttons.push({ label: shown`Go to Node`, act: () => showNode(job, nodeId).catch(failed) });
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
  offer(
    show,
    words,
    offers.map((kind) => buttons[kind]),
  );
}

function commandButton(label: Shown, command: CommandId, ...args: readonly unknown[]): Button {
  return { label, act: () => vscode.commands.executeCommand(command, ...args) };
}

function offer(show: typeof showError, message: Shown, buttons: readonly Button[]): void {
  void show(message, ...buttons).then((chosen) => chosen?.act());
}

interface End {
  readonly job: Job;
  readonly saved: number;
}

interface EndWords {
  readonly tone: 'information' | 'warning' | 'error';
  readonly words: Shown;
  readonly offers: readonly ('runAgain' | 'open' | 'reveal' | 'showJobs')[];
}

const namesShown = 3;

export function endWords({ job, saved }: End): EndWords {
  const label = jobLabel(job);
  switch (job.state) {
    case 'failed':
      return {
        tone: 'error',
        words: shown`${label} failed for an unknown reason. Check the server log, or run it again.`,
        offers: ['runAgain'],
      };
    case 'cancelled':
      return {
        tone: 'warning',
        words: Shown.join([
          shown`${label} was cancelled elsewhere.`,
          saved > 0 ? savedWords(saved) : undefined,
        ]),
        offers: ['runAgain'],
      };
    default: {
      if (unheardOutputs(job) !== 'unknown') return doneWords({ job, saved });
      const { message, nextAction } = unknownOutputsWords();
      const words = shown`${label}: ${message} ${nextAction}`;
      return { tone: 'warning', words, offers: saved > 0 ? ['open', 'reveal'] : ['showJobs'] };
    }
  }
}

export function lostNotice(jobs: readonly Job[]): Shown {
  const [first] = jobs;
  if (first && jobs.length === 1) {
    if (first.lostWhy) return shown`${jobLabel(first)} was lost: ${lostWords(first)}.`;
    return shown`${jobLabel(first)} is no longer on the server: ${lostWords(first)}. It may have finished first, so check the server for outputs before you run it again.`;
  }
  if (jobs.every(({ lostWhy }) => lostWhy))
    return shown`${jobs.length} runs were lost: ${first ? lostWords(first) : ''}.`;
  const began = jobs.filter(({ startedAt }) => startedAt !== undefined).length;
  const started =
    began === 0
      ? undefined
      : shown`${began} of them had started and may have finished, so check the server for outputs.`;
  return Shown.join([
    shown`The server has forgotten ${jobs.length} runs. It was probably restarted.`,
    started,
  ]);
}

function doneWords({ job, saved }: End): EndWords {
  const offers = saved > 0 ? (['open', 'reveal'] as const) : [];
  const left = leftOutOutputs(job).map(leftOutName);
  const finished =
    left.length === 0
      ? shown`${jobLabel(job)} finished.`
      : shown`${jobLabel(job)} finished, but the server skipped ${shownList(left, namesShown)}.`;
  if (unheardOutputs(job) === 'cached') {
    const files = saved > 0 ? savedWords(saved) : undefined;
    return { tone: 'information', words: Shown.join([finished, cachedOutputsWords(), files]), offers };
  }
  const misnamed = left.length === 0 ? misnamedWords(job) : undefined;
  const isWhole = left.length === 0 && misnamed === undefined;
  const texts = job.texts.length;
  const none = texts === 0 ? shown`No outputs.` : shown`It made no files. Texts: ${texts}.`;
  const words = Shown.join([finished, saved > 0 ? savedWords(saved) : none, misnamed]);
  return { tone: isWhole ? 'information' : 'warning', words, offers };
}

function savedWords(saved: number): Shown {
  return shown`${outputsText(saved)} saved.`;
}

export function batchWords(ends: readonly End[]): EndWords {
  const files = ends.reduce((sum, { saved }) => sum + saved, 0);
  const partly = ends.filter(({ job }) => job.state === 'completed' && job.origin?.leftOut).length;
  const fateTexts = fates(ends);
  const finished = shown`${ends.length} runs finished`;
  const ended = fateTexts.isEmpty ? finished : shown`${finished} (${fateTexts})`;
  const head = partly > 0 ? shown`${ended}, ${partly} with nodes skipped by the server` : ended;
  const isFine = partly === 0 && fateTexts.isEmpty;
  return {
    tone: isFine ? 'information' : 'warning',
    words: shown`${head}: ${savedWords(files)}`,
    offers: files > 0 ? ['showJobs', 'reveal'] : ['showJobs'],
  };
}

/** Counts the runs that did not succeed. */
function fates(ends: readonly End[]): Shown {
  const number = (state: Job['state']): number => ends.filter(({ job }) => job.state === state).length;
  const unknown = ends.filter(({ job }) => unheardOutputs(job) === 'unknown').length;
  const [failed, cancelled] = [number('failed'), number('cancelled')];
  return shownList(
    [
      failed > 0 ? shown`${failed} failed` : undefined,
      cancelled > 0 ? shown`${cancelled} cancelled elsewhere` : undefined,
      unknown > 0 ? shown`${unknown} with unknown outputs` : undefined,
    ].filter((fate) => fate !== undefined),
  );
}
