import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { lostWords } from '../../core/jobs/jobSummary';
import { leftOutName, leftOutOutputs } from '../../core/jobs/leftOutWords';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { Shown, shown, shownList } from '../../core/safety/shownText';
import { commands, settings } from '../platform/contributions';
import { readSetting } from '../platform/settings';
import type { SavedFile } from '../jobs/savedOutputs';
import { count } from './consent';
import { showError, showInformation, showWarning } from '../platform/show';

/** Jobs that end within this time make one notification (ms). */
const batchTime = 800;
/** More nodes than this are counted, not named. */
const namesShown = 3;

interface End {
  readonly job: Job;
  readonly saved: readonly SavedFile[];
}

interface Button {
  readonly label: Shown;
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
  const [{ tellFailure }, { needsAccount }] = await Promise.all([
    import('../../core/protocol/toldFailure'),
    import('../../core/protocol/failureExplanation'),
  ]);
  const account = { label: shown`Open Account Page`, act: () => run(commands.openAccount) };
  const { nodeId } = failure;
  const node = nodeId === undefined ? undefined : (job.origin?.nodeNames[nodeId] ?? `node ${nodeId}`);
  const where = node === undefined ? shown`` : shown` at ${node}`;
  const report = { label: shown`Show Report`, act: () => run(commands.showError, job.id) };
  const { message, nextAction } = tellFailure(failure, node);
  offer(
    showError,
    shown`${labelOf(job)} failed${where}: ${message} ${nextAction}`,
    needsAccount(failure) ? [account, report] : [report],
  );
}

function labelOf(job: Job): string {
  return job.origin?.label ?? `Job ${job.id}`;
}

function tellOne({ job, saved }: End): void {
  const label = labelOf(job);
  const again = { label: shown`Run Again`, act: () => run(commands.runAgain, job.id) };
  if (job.state === 'failed') {
    offer(
      showError,
      shown`${label} failed, and the server did not say why. Check the server's log, or run it again.`,
      [again],
    );
  } else if (job.state === 'lost') {
    offer(
      showWarning,
      shown`${label}: ${lostWords(job)}. It may have finished before that: check the server for its outputs before you run it again.`,
      [again],
    );
  } else if (job.state === 'cancelled') {
    const kept = saved.length > 0 ? shown`; ${count(saved.length, 'output')} saved` : shown``;
    offer(showWarning, shown`${label} was cancelled elsewhere${kept}. Run it again if you still want it.`, [
      again,
    ]);
  } else {
    const left = leftOutOutputs(job).map(leftOutName);
    const buttons = saved.length > 0 ? openers(job) : [];
    if (left.length === 0)
      offer(showInformation, shown`${label} is done: ${madeWords(job, saved, ['it', 'the'])}`, buttons);
    else {
      const verb = left.length === 1 ? 'was' : 'were';
      const names = shownList(left, namesShown);
      offer(
        showWarning,
        shown`${label} is done, but the server ran only part of it: ${names} ${verb} left out. ${madeWords(job, saved, ['It', 'The'])}`,
        buttons,
      );
    }
  }
}

/** A sentence of its own, or the rest of one: `it` and `the` come as they are written there. */
function madeWords(job: Job, saved: readonly SavedFile[], [it, the]: readonly [string, string]): Shown {
  if (saved.length > 0) return shown`${count(saved.length, 'output')} saved.`;
  if (job.texts.length > 0) return shown`${it} made ${count(job.texts.length, 'text')} and no files.`;
  return shown`${the} server lists no outputs for it.`;
}

function tellBatch(ends: readonly End[]): void {
  const files = ends.reduce((sum, { saved }) => sum + saved.length, 0);
  const partly = ends.filter(({ job }) => job.state === 'completed' && job.origin?.leftOut).length;
  const omissions = partly > 0 ? shown`, ${partly} without nodes that the server left out` : shown``;
  const words = shown`${ends.length} runs have ended${fates(ends)}${omissions}: ${count(files, 'output')} saved.`;
  const isFine = partly === 0 && ends.every(({ job }) => job.state === 'completed');
  const show = isFine ? showInformation : showWarning;
  const last = ends.findLast(({ saved }) => saved.length > 0);
  const jobs = { label: shown`Show Jobs`, act: () => run(commands.showJobs) };
  offer(show, words, last ? [jobs, ...openers(last.job).slice(1)] : [jobs]);
}

/** How many of them failed, were cancelled or are lost; nothing of those that are as they should be. */
function fates(ends: readonly End[]): Shown {
  const number = (state: Job['state']): number => ends.filter(({ job }) => job.state === state).length;
  const words: [Job['state'], string][] = [
    ['failed', 'failed'],
    ['cancelled', 'cancelled elsewhere'],
    ['lost', 'no longer known since the server was restarted or its queue was cleared'],
  ];
  const told = words.flatMap(([state, what]) => (number(state) > 0 ? [shown`${number(state)} ${what}`] : []));
  return told.length === 0 ? shown`` : shown` (${Shown.join(told, shown`, `)})`;
}

function openers(job: Job): Button[] {
  return [
    { label: shown`Open`, act: () => run(commands.openOutputs, job.id) },
    { label: shown`Reveal`, act: () => run(commands.revealOutputs, job.id) },
  ];
}

function run(command: string, ...args: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...args);
}

function offer(show: typeof showError, message: Shown, buttons: readonly Button[]): void {
  void show(message, ...buttons).then((chosen) => chosen?.act());
}
