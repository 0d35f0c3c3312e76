import * as vscode from 'vscode';
import type { JobChange } from '../../core/jobs/jobStore';
import { shown } from '../../core/safety/shownText';
import { registerCommand } from '../platform/commandRegistry';
import { type CommandId, commands } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { askModalQuestion } from '../platform/show';
import type { PointerStore } from '../ledger/pointerStore';
import type { RunPointer } from '../ledger/runPointer';
import type { Servers } from '../servers/servers';
import type { WindowRuns } from './windowRuns';

/** More urgent work of a new window goes first (ms). */
const startAfter = 500;
/** Failed runs are tried again after this long at first, then at most this far apart (ms). */
const firstRetry = 15_000;
const lastRetry = 5 * 60_000;
/** A window that gets focus looks at most this often (ms). */
const focusRest = 30_000;

export interface RetryParts {
  readonly pointers: PointerStore;
  readonly servers: Servers;
  readonly windowRuns: WindowRuns;
  readonly log: Log;
}

/** Resumes owed runs at startup, when a server, an account or a disk may be ready again, and on request. */
export class RunRetry implements Feature, vscode.Disposable {
  #working: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #retryIn = firstRetry;
  #lookedAt = 0;
  #isClosed = false;
  readonly #lost = new Set<string>();
  readonly #stop: () => void;

  constructor(private readonly parts: RetryParts) {
    this.#stop = parts.windowRuns.runs.onDidChange((change) => this.#changed(change));
  }

  register(context: vscode.ExtensionContext): void {
    const { log, servers, pointers, windowRuns } = this.parts;
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
        if (focused && Date.now() - this.#lookedAt > focusRest) this.#again();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#again()),
      pointers.onDidChange(() => this.#arrangeRetry()),
      onRow(commands.saveOwed, (pointer) => windowRuns.resume(pointer)),
      onRow(commands.forgetOwed, async (pointer) => {
        if (await mayForget(pointer)) await windowRuns.giveUp(pointer, 'givenUp');
      }),
      onRow(commands.dismissOwed, async (pointer) => {
        if (pointer.outputsUnknown) await windowRuns.dismiss(pointer);
      }),
    );
  }

  /** Resumes everything owed that no other window has locked. Resolves when all of it is in progress. */
  retryAll(): Promise<void> {
    this.#working ??= this.#retryAll().finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  dispose(): void {
    this.#isClosed = true;
    this.#stop();
    clearTimeout(this.#retry);
    clearTimeout(this.#next);
  }

  async #retryAll(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    this.#lookedAt = Date.now();
    const { pointers, windowRuns, log } = this.parts;
    await pointers.read();
    for (const pointer of pointers.owed()) {
      if (this.#isClosed) return;
      const resumed = windowRuns.resume(pointer).catch((error: unknown) => {
        log.error('Taking up what is owed', error);
      });
      // Looking for a job whose answer was lost may take long.
      if (pointer.jobId !== undefined) await resumed;
    }
    this.#arrangeRetry();
  }

  #again(): void {
    this.#next = undefined;
    this.retryAll().catch((error: unknown) => this.parts.log.error('Taking up what is owed', error));
  }

  #soon(): void {
    if (this.#next !== undefined || this.#isClosed) return;
    const { pointers } = this.parts;
    if (!pointers.owed().some((pointer) => pointers.troubleOf(pointer))) return;
    this.#next = setTimeout(() => this.#again(), 0);
  }

  /** The timer runs only while there is a failure that may pass. */
  #arrangeRetry(): void {
    const { pointers, windowRuns } = this.parts;
    const isNeeded = pointers
      .owed()
      .some((each) => pointers.troubleOf(each) !== undefined && windowRuns.isLocked(each));
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
    const { windowRuns, log } = this.parts;
    for (const id of removed) this.#lost.delete(id);
    for (const id of [...added, ...changed]) {
      const job = windowRuns.runs.job(id);
      if (job?.origin === undefined) continue;
      if (job.state === 'lost') this.#lost.add(id);
      else if (this.#lost.delete(id))
        windowRuns.found(job).catch((error: unknown) => log.error('A job that was found again', error));
    }
  }

  #pointerOf(row: unknown): RunPointer | undefined {
    const { pointers } = this.parts;
    if (typeof row === 'string') return pointers.owedOf(row);
    if (typeof row !== 'object' || row === null || !('entryId' in row)) return undefined;
    return pointers.owedOf(String(row.entryId));
  }
}

async function mayForget({ label, serverName }: RunPointer): Promise<boolean> {
  const forget = { label: shown`Stop Trying` };
  const answer = await askModalQuestion(
    {
      message: shown`Stop trying to save the outputs of ${label}?`,
      detail: shown`Comfy Deck will stop trying to save them. Anything still on ${serverName} stays there.`,
    },
    forget,
  );
  return answer === forget;
}
