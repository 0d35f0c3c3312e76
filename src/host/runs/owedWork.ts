import * as vscode from 'vscode';
import type { RunSession } from '../../core/runLife/runSession';
import { t } from '../../core/safety/localize';
import { timeOfDay } from '../../core/safety/timeText';
import { shown } from '../../core/safety/shownText';
import { budgets } from '../../core/safety/budgets';
import type { OutputSaver } from '../outputs/outputSaver';
import type { Log } from '../platform/log';
import { isCancellation, tellProblem } from '../platform/problems';
import { showWarning } from '../platform/show';
import type { JobCompletions } from './jobCompletions';
import type { Servers } from '../servers/servers';
import { idOf } from '../pointers/pointerFiles';
import type { RunPointer, RunTrouble } from '../pointers/runPointer';
import type { OwedRuns } from '../pointers/owedRuns';
import { troubleOf } from '../pointers/owedTrouble';
import { errorWords } from '../../core/safety/errorWords';

/** Failed entries are retried automatically, first after this many ms, then at most this far apart. */
const firstRetry = 15_000;
const lastRetry = 5 * 60_000;
/** Windows that get focus check at most this often, ms. */
const focusRest = 30_000;

export interface OwedWorkParts {
  readonly owed: OwedRuns;
  readonly servers: Servers;
  readonly saver: OutputSaver;
  readonly ends: JobCompletions;
  readonly log: Log;
  /** The jobs of earlier windows are read back first. */
  readonly ready: () => Promise<void>;
}

/**
 * Completes owed runs: at startup, when a server is back or the user signed in, when a disk may have space again, and
 * on request. Nothing is ever sent again.
 */
export class OwedWork implements vscode.Disposable {
  readonly #parts: OwedWorkParts;
  readonly #window = new AbortController();
  readonly #subscriptions: vscode.Disposable[];
  #working: Promise<void> | undefined;
  /** Ids of entries. */
  readonly #resuming = new Set<string>();
  #retry: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #retryIn = firstRetry;
  #lookedAt = 0;

  constructor(parts: OwedWorkParts) {
    this.#parts = parts;
    const { servers, owed } = parts;
    this.#subscriptions = [
      // The session with the old key is closed first.
      servers.keys.onDidChange(() => this.#soon()),
      servers.sessions.onDidChangeStream(({ state }) => {
        if (state.kind === 'open') this.#soon();
      }),
      servers.onDidChange(() => {
        if (servers.status.kind === 'connected') this.#soon();
      }),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && Date.now() - this.#lookedAt > focusRest) this.#quietly(() => this.workOff());
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#quietly(() => this.workOff())),
      owed.list.onDidChange(() => this.#arrangeRetry()),
    ];
  }

  /** Checks what earlier windows left; not during activation. */
  start(): void {
    this.#quietly(() => this.workOff());
  }

  /** Completes everything owed that no other window has locked. Resolves when all of it is in progress. */
  workOff(): Promise<void> {
    this.#working ??= this.#workOff().finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  /** What the user asked for. @throws why it can't be saved */
  async save(entry: RunPointer): Promise<void> {
    await this.#parts.ready();
    await this.#resume(entry);
  }

  dispose(): void {
    this.#window.abort(new vscode.CancellationError());
    clearTimeout(this.#retry);
    clearTimeout(this.#next);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #workOff(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    this.#lookedAt = Date.now();
    const { owed, ready, log } = this.#parts;
    await owed.list.read();
    if (!owed.list.owed().some(isOpen)) return;
    await ready();
    for (const entry of owed.list.owed().filter(isOpen)) {
      if (this.#window.signal.aborted) return;
      // What this window tracks without failures needs nothing.
      if (owed.isHeld(entry) && entry.trouble === undefined) continue;
      const resumed = this.#resume(entry).catch((error: unknown) => {
        if (isCancellation(error)) return;
        log.error('Working off what is owed', error);
        // Given up: there is no row left to show it.
        if (entry.askedAt !== undefined && !owed.list.owedOf(idOf(entry))) tellProblem(error, log);
      });
      // Looking for a job whose answer was lost may take long.
      if (entry.jobId !== undefined) await resumed;
    }
    this.#arrangeRetry();
  }

  async #resume(entry: RunPointer): Promise<void> {
    if (this.#resuming.has(idOf(entry))) return;
    this.#resuming.add(idOf(entry));
    try {
      await this.#takeUp(entry);
    } finally {
      this.#resuming.delete(idOf(entry));
    }
  }

  async #takeUp(entry: RunPointer): Promise<void> {
    const { owed } = this.#parts;
    try {
      const held = await owed.take(entry);
      if (held === 'busy') return;
      if (entry.trouble?.kind === 'disk') await owed.checkFolder(entry);
    } catch (error) {
      await owed.tell(entry, { kind: 'disk', words: wordsOf(error) });
      throw error;
    }
    try {
      await this.#follow(entry);
    } catch (error) {
      const { kind } = troubleOf(error);
      if (!isCancellation(error)) await owed.tell(entry, { kind, words: wordsOf(error) });
      throw error;
    }
  }

  async #follow(entry: RunPointer): Promise<void> {
    const { servers, owed, ends } = this.#parts;
    const session = await servers.sessionOf(entry.server);
    if (!session) {
      if (entry.isSandbox) await owed.giveUp(entry, 'sandboxEnded');
      else await owed.tell(entry, serverUnknown(entry));
      return;
    }
    // Also resumes after 401 or 403, and throws if it continues.
    if (session.tracker.state.trouble) await session.tracker.refresh(this.#window.signal);
    if (entry.askedAt !== undefined && entry.jobId !== undefined) {
      await this.#saveAsked(entry, entry.jobId, session);
      return;
    }
    const known = entry.jobId === undefined ? await this.#find(entry, session) : entry;
    if (known?.jobId === undefined) return;
    // For an ended job, more may be known by now: outputs that were counted but not listed.
    if (known.trouble) await session.tracker.details(known.jobId, this.#window.signal);
    await owed.tell(known, undefined);
    const { label, sourceUri, sourceHash, promptHash } = known;
    const held = await owed.take(known);
    const { originOf } = await import('../../core/records/recordSteps');
    const origin = held && held !== 'busy' ? originOf(held.record) : { label, nodeNames: {}, seeds: {} };
    session.tracker.resumed(known.jobId, { ...origin, sourceUri, sourceHash, promptHash });
    ends.follow(known.jobId, session);
  }

  /** An ended job that was not ours does not become ours, and its end is not news. */
  async #saveAsked(entry: RunPointer, jobId: string, session: RunSession): Promise<void> {
    const { owed, saver } = this.#parts;
    const job = await session.tracker.details(jobId, this.#window.signal);
    if (job && job.outputs.length > 0) {
      await saver.save(job, session.client, this.#window.signal);
      return;
    }
    const trouble = t`${entry.serverName} currently lists no outputs for this job.`;
    await owed.tell(entry, { kind: 'notSeen', words: trouble });
    if (Date.now() - (entry.askedAt ?? 0) < budgets.latestArrival) return;
    await owed.giveUp(entry, 'forgotten');
    void showWarning(
      shown`${entry.serverName} no longer lists the outputs of ${entry.label}. Check the server for any that aren't saved yet.`,
    );
  }

  /** The job of a prompt whose answer never arrived. */
  async #find(entry: RunPointer, session: RunSession): Promise<RunPointer | undefined> {
    const { owed } = this.#parts;
    const held = await owed.take(entry);
    if (held === 'busy') return undefined;
    const { findOwedJob } = await import('../../core/runLife/findOwedJob');
    const { promptId, sentAt } = entry;
    const run = { promptId, promptText: held?.record.promptText, sentAt };
    const looked = await findOwedJob(session, run, this.#window.signal);
    if (looked.kind === 'found') return owed.found(entry, looked.id);
    if (looked.kind === 'gone') await this.#neverTaken(entry);
    else await owed.tell(entry, { kind: 'notSeen', words: t`The server doesn't list this job yet.` });
    return undefined;
  }

  async #neverTaken(entry: RunPointer): Promise<void> {
    const { owed } = this.#parts;
    await owed.giveUp(entry, 'neverAccepted');
    const at = timeOfDay(entry.sentAt);
    void showWarning(
      shown`${entry.serverName} has no job for ${entry.label}, which was about to be submitted at ${at}. It was probably never accepted. Check the server's queue before you run it again.`,
    );
  }

  #soon(): void {
    if (this.#next !== undefined || this.#window.signal.aborted) return;
    if (!this.#parts.owed.list.owed().some((entry) => entry.trouble && isOpen(entry))) return;
    this.#next = setTimeout(() => {
      this.#next = undefined;
      this.#quietly(() => this.workOff());
    }, 0);
  }

  /** One timer, only while there is a failure that may pass. */
  #arrangeRetry(): void {
    const isNeeded = this.#parts.owed.list
      .owed()
      .some((entry) => entry.trouble !== undefined && this.#parts.owed.isHeld(entry));
    if (!isNeeded) {
      clearTimeout(this.#retry);
      this.#retry = undefined;
      this.#retryIn = firstRetry;
    } else if (this.#retry === undefined && !this.#window.signal.aborted) {
      this.#retry = setTimeout(() => {
        this.#retry = undefined;
        this.#retryIn = Math.min(this.#retryIn * 2, lastRetry);
        this.#quietly(() => this.workOff());
      }, this.#retryIn);
    }
  }

  #quietly(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#parts.log.error('Working off what is owed', error));
  }
}

/** Something of it may still be saved. */
function isOpen({ trouble }: RunPointer): boolean {
  return trouble?.kind !== 'outputsUnknown';
}

function serverUnknown({ serverName }: RunPointer): RunTrouble {
  return { kind: 'serverUnknown', words: t`The server ${serverName} has been removed. Add it again.` };
}

function wordsOf(error: unknown): string {
  const { message, nextAction } = errorWords(error);
  return nextAction === '' ? message : `${message} ${nextAction}`;
}
