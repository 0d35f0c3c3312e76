import * as vscode from 'vscode';
import type { JobChange } from '../../core/jobs/jobStore';
import type { RunPointer } from '../../core/runLife/runPointers';
import { shown } from '../../core/safety/shownText';
import { registerCommand } from '../platform/commandRegistry';
import { type CommandId, commands } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { askToGoOn } from '../platform/show';
import type { WindowRuns } from './windowRuns';

/** More urgent work of a new window goes first (ms). */
const startAfter = 500;
/** Failed runs are tried again after this long at first, then at most this far apart (ms). */
const firstRetry = 15_000;
const lastRetry = 5 * 60_000;
/** A window that gets focus looks at most this often (ms). */
const focusRest = 30_000;

/** Resumes owed runs at startup, when a server, an account or a disk may be ready again, and on request. */
export class RunRetry implements Feature, vscode.Disposable {
  #working: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #retryIn = firstRetry;
  #lookedAt = 0;
  #isClosed = false;
  readonly #lost = new Set<string>();
  readonly #stop: readonly (() => void)[];

  constructor(
    private readonly windowRuns: WindowRuns,
    private readonly log: Log,
  ) {
    const { runs, pointers } = windowRuns;
    this.#stop = [
      runs.onDidChange((change) => this.#changed(change)),
      pointers.onDidChange(() => this.#arrangeRetry()),
    ];
  }

  register(context: vscode.ExtensionContext): void {
    const { log, windowRuns } = this;
    const { servers } = windowRuns;
    // This must not delay activation, because it reads the storage.
    this.#next = setTimeout(() => this.#again(), startAfter);
    const onRow = (command: CommandId, act: (pointer: RunPointer) => Promise<void>) =>
      registerCommand(log, command, async (row) => {
        const pointer = this.#pointerOf(row);
        if (pointer) await act(pointer);
      });
    const isConnected = (): boolean => servers.status.kind === 'connected';
    context.subscriptions.push(
      this,
      servers.keys.onDidChange(() => this.#soon()),
      servers.sessions.onDidChangeStream(({ state }) => state.kind === 'open' && this.#soon()),
      servers.onDidChange(() => isConnected() && this.#soon()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        const wait = Math.max(0, this.#lookedAt + focusRest - Date.now());
        if (focused) this.#next ??= setTimeout(() => this.#again(), wait);
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#again()),
      onRow(commands.saveOwed, async (pointer) => (await windowRuns.attempts()).resume(pointer)),
      onRow(commands.forgetOwed, async (pointer) => {
        if (await mayForget(pointer)) await (await windowRuns.attempts()).giveUp(pointer, 'givenUp');
      }),
      onRow(commands.dismissOwed, async (pointer) => {
        if (pointer.outputsUnknown) await (await windowRuns.attempts()).dismiss(pointer);
      }),
    );
  }

  /** Resumes everything owed that no other window has locked. Resolves when all of it is in progress. */
  retryAll(): Promise<void> {
    this.#working ??= this.#retryAll().finally(() => (this.#working = undefined));
    return this.#working;
  }

  dispose(): void {
    this.#isClosed = true;
    for (const stop of this.#stop) stop();
    clearTimeout(this.#retry);
    clearTimeout(this.#next);
  }

  async #retryAll(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    this.#lookedAt = Date.now();
    const { windowRuns, log } = this;
    const { pointers } = windowRuns;
    await pointers.read();
    for (const pointer of pointers.owed()) {
      const attempts = await windowRuns.attempts();
      if (this.#isClosed) return;
      const resumed = attempts.resume(pointer).catch((error: unknown) => {
        log.error('Taking up what is owed', error);
      });
      // Looking for a job whose answer was lost may take long.
      if (pointer.jobId !== undefined) await resumed;
    }
    this.#arrangeRetry();
  }

  #again(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
    this.retryAll().catch((error: unknown) => this.log.error('Taking up what is owed', error));
  }

  #soon(): void {
    if (this.#isClosed) return;
    const { pointers } = this.windowRuns;
    if (!pointers.owed().some((pointer) => pointers.leftOf(pointer))) return;
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#again(), 0);
  }

  /** The timer runs only while there is a failure that may pass. */
  #arrangeRetry(): void {
    const { windowRuns } = this;
    const { pointers } = windowRuns;
    const isNeeded = pointers.owed().some((each) => pointers.leftOf(each) && windowRuns.isLocked(each));
    if (!isNeeded) {
      clearTimeout(this.#retry);
      this.#retry = undefined;
      this.#retryIn = firstRetry;
    } else if (this.#retry === undefined && !this.#isClosed) {
      this.#retry = setTimeout(() => {
        this.#retry = undefined;
        this.#retryIn = Math.min(this.#retryIn * 2, lastRetry);
        this.#again();
      }, this.#retryIn);
    }
  }

  /** A lost job whose end the server reports after all was paid for, so its outputs are saved. */
  #changed({ added, changed, removed }: JobChange): void {
    for (const id of removed) this.#lost.delete(id);
    for (const id of [...added, ...changed]) {
      const job = this.windowRuns.runs.job(id);
      if (job?.origin === undefined) continue;
      if (job.state === 'lost') this.#lost.add(id);
      else if (this.#lost.delete(id))
        this.#found(id).catch((error: unknown) => this.log.error('A job that was found again', error));
    }
  }

  async #found(jobId: string): Promise<void> {
    const { pointers } = this.windowRuns;
    const pointer = await pointers.ofJob(jobId);
    if (!pointer) return;
    await pointers.put(pointer);
    await (await this.windowRuns.attempts()).resume(pointer);
  }

  #pointerOf(row: unknown): RunPointer | undefined {
    const id = typeof row === 'object' && row !== null && 'entryId' in row ? row.entryId : row;
    return this.windowRuns.pointers.owedOf(String(id));
  }
}

function mayForget({ label, serverName }: RunPointer): Promise<boolean> {
  return askToGoOn({
    message: shown`Stop trying to save the outputs of ${label}?`,
    detail: shown`Comfy Deck will stop trying to save them. Anything still on ${serverName} stays there.`,
    goOn: shown`Stop Trying`,
  });
}
