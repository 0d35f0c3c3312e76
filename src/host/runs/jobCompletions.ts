import * as vscode from 'vscode';
import type { RunSession } from '../../core/runLife/runSession';
import type { OutputSaver } from '../outputs/outputSaver';
import type { RunTrouble } from '../pointers/runPointer';
import type { OwedRuns } from '../pointers/owedRuns';
import { troubleOf } from '../pointers/owedTrouble';
import { contextKeys } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { Log } from '../platform/log';
import { isCancellation, tellProblem } from '../platform/problems';
import type { EndNotice } from './endNotice';
import type { RunDiagnostics } from './runDiagnostics';
import { t } from '../../core/safety/localize';

/** Waits for this window's jobs to end, saves their outputs, shows where they failed, and notifies. */
export class JobCompletions implements vscode.Disposable {
  readonly #saver: OutputSaver;
  readonly #owed: OwedRuns;
  readonly #diagnostics: RunDiagnostics;
  readonly #notice: EndNotice;
  readonly #log: Log;
  readonly #window = new AbortController();
  /** Job ID -> resolves when its outputs are saved, or why not is told. */
  readonly #followed = new Map<string, Promise<void>>();
  readonly #settled = new vscode.EventEmitter<string>();
  /** Nothing more happens here with the job of this ID. */
  readonly onDidSettle = this.#settled.event;
  /** Jobs cancelled from this window. */
  readonly #cancelledHere = new Set<string>();

  constructor(saver: OutputSaver, owed: OwedRuns, diagnostics: RunDiagnostics, notice: EndNotice, log: Log) {
    this.#saver = saver;
    this.#owed = owed;
    this.#diagnostics = diagnostics;
    this.#notice = notice;
    this.#log = log;
  }

  follow(jobId: string, session: RunSession): void {
    if (this.#followed.has(jobId)) return;
    const following = this.#wait(jobId, session)
      .finally(() => {
        this.#followed.delete(jobId);
        this.#settled.fire(jobId);
      })
      .catch((error: unknown) => this.#stopped(jobId, error));
    this.#followed.set(jobId, following);
  }

  /** Whether its outputs are, or will be, saved here. */
  isFollowed(jobId: string): boolean {
    return this.#followed.has(jobId);
  }

  /** Resolves when nothing more happens with a job here: its outputs are saved, or why not was reported. */
  async settled(jobId: string): Promise<void> {
    await this.#followed.get(jobId);
  }

  async #stopped(jobId: string, error: unknown): Promise<void> {
    if (this.#window.signal.aborted) return;
    // This window does not track the job until it is resumed.
    if (isCancellation(error)) await this.#owed.tellOf(jobId, sessionClosed());
    else await this.#failed(jobId, error);
  }

  /** Why outputs are not on disk is reported once; the row in the Jobs view shows it until they are. */
  async #failed(jobId: string, error: unknown): Promise<void> {
    if (await this.#owed.tellOf(jobId, troubleOf(error))) tellProblem(error, this.#log);
    else this.#log.error('Outputs are still owed', error);
  }

  /** Records that the user of this window asked to cancel these jobs. */
  expectCancelled(jobIds: readonly string[], expected: boolean): void {
    for (const id of jobIds) {
      if (!expected) this.#cancelledHere.delete(id);
      else if (this.#followed.has(id)) this.#cancelledHere.add(id);
    }
  }

  dispose(): void {
    this.#window.abort(new vscode.CancellationError());
    this.#settled.dispose();
  }

  async #wait(jobId: string, session: RunSession): Promise<void> {
    const job = await session.tracker.finished(jobId, this.#window.signal);
    this.#log.info(`${job.origin?.label ?? jobId}: ${job.state}.`);
    if (job.state === 'completed') setContext(contextKeys.ranToTheEnd, true);
    if (job.state === 'failed') {
      await this.#diagnostics
        .showFailure(job)
        .catch((error: unknown) => this.#log.error('Place of a failure', error));
    }
    this.#diagnostics.forget(jobId);
    const saved = await this.#saver.save(job, session.client, this.#window.signal);
    const cancelledHere = this.#cancelledHere.delete(jobId);
    // Another window saves and notifies.
    if (saved && (job.state !== 'cancelled' || !cancelledHere)) this.#notice.ended(job, saved);
    try {
      await this.#saver.fetchTemporary(job, session.client, this.#window.signal);
    } catch (error) {
      // The preview says that they are on the server, and offers to show them.
      if (!isCancellation(error)) this.#log.error('Fetching temporary outputs', error);
    }
  }
}

/** For example when signing in or out. */
const sessionClosed = (): RunTrouble => ({
  kind: 'server',
  words: t`The connection to the server was closed.`,
});
