import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import * as vscode from 'vscode';
import { coalesceCalls } from '../../core/jobs/coalesce';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { TrackerState } from '../../core/jobs/serverWatch';
import type { RunSession } from '../../core/runLife/runSession';
import { Shown, shown } from '../../core/safety/shownText';
import { ServerError } from '../../core/protocol/serverError';
import { registerCommand } from '../platform/commandRegistry';
import { commands, contextKeys, views } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { Feature } from '../platform/feature';
import type { Platform } from '../platform/platform';
import type { WindowRuns } from '../runs/windowRuns';
import type { StatusItem } from '../servers/statusItem';
import type { ServerStatus } from '../servers/serverStatus';
import { timeOfDay } from '../../core/safety/timeText';
import { t } from '../../core/safety/localize';
import { reconnectingWords, serverAndQueue } from '../servers/statusPresentation';
import type { JobSection } from './jobSection';
import { type JobTree, refreshEvery, type Row } from './jobTree';
import { setViewWords } from '../platform/showItems';

const tick = 1_000;

/** A visible view whose rows take longer than this (ms) asks its server before. */
const longestListing = 2_000;

export class JobsFeature implements Feature {
  readonly #view: vscode.TreeView<Row>;
  readonly #refresh: ReturnType<typeof coalesceCalls>;
  #timer: NodeJS.Timeout | undefined;
  /** The server that was last checked because the view shows its list. */
  #checked: string | undefined;
  #wanted: { readonly session: RunSession; readonly release: () => void } | undefined;

  /** @param tree shows the section among others */
  constructor(
    private readonly platform: Platform,
    private readonly runs: Pick<WindowRuns, 'runs' | 'folders' | 'servers'>,
    readonly section: JobSection,
    private readonly tree: JobTree,
    private readonly item: Pick<StatusItem, 'wake'>,
  ) {
    this.#refresh = coalesceCalls(() => this.#show(), refreshEvery);
    this.#view = vscode.window.createTreeView<Row>(views.jobs, {
      treeDataProvider: tree,
      canSelectMany: true,
    });
  }

  get selection(): readonly Row[] {
    return this.#view.selection;
  }

  register(context: vscode.ExtensionContext): void {
    const { section } = this;
    const { runs, folders, servers } = this.runs;
    context.subscriptions.push(
      this.#view,
      this.platform.sight.add(() => this.#view.visible && vscode.window.state.focused),
      this.tree,
      section,
      section.onDidChange((rows) => rows ?? this.#refresh()),
      registerCommand(this.platform.log, commands.openRow, () => this.#openRow()),
      this.#view.onDidChangeVisibility(() => void this.#visibility()),
      servers.sessions.onDidChangeSilence(() => {
        this.#refresh();
        this.#showMessage();
      }),
      servers.onDidChange(() => void this.#serverChanged()),
      folders.onDidChange(() => this.#showMessage()),
      { dispose: runs.onDidChange(() => this.#refresh()) },
      {
        dispose: () => {
          this.#refresh.cancel();
          clearInterval(this.#timer);
          this.#wanted?.release();
        },
      },
    );
    void this.tree.listed.then(() => setContext(contextKeys.jobsListed, true));
    // This must not delay activation, because a visible view asks its server.
    setTimeout(() => void this.#visibility(), 0);
  }

  async #openRow(): Promise<void> {
    const command = this.selection[0]?.item().command;
    if (command)
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
  }

  #show(): void {
    const { section } = this;
    const { runs, servers } = this.runs;
    const live = runs.live();
    const running = live.filter(({ state }) => state === 'running').length;
    const pending = live.length - running;
    setContext(contextKeys.hasRunningJobs, running > 0);
    setContext(contextKeys.hasPendingJobs, pending > 0);
    setContext(
      contextKeys.hasFinishedJobs,
      runs.jobs().some((job) => isTerminal(job.state) && section.shows(job)),
    );
    const badge = jobsBadge(live, {
      isShown: (job) => section.shows(job),
      isCurrent: (origin) => servers.isCurrent(origin),
      isSilent: (origin) => servers.sessions.silenceOf(origin) !== undefined,
    });
    setViewWords(this.#view, { badge });
    this.#runTimer(running > 0);
  }

  #runTimer(running: boolean): void {
    const wanted = running && this.#view.visible;
    if (wanted && this.#timer === undefined) this.#timer = setInterval(() => this.#tick(), tick);
    else if (!wanted) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #tick(): void {
    const running = this.runs.runs.live().filter(({ state }) => state === 'running');
    this.section.refresh(running.map(({ id }) => id));
  }

  async #visibility(): Promise<void> {
    const visible = this.#view.visible;
    this.#refresh();
    if (visible) this.item.wake();
    setContext(contextKeys.jobsShown, visible);
    // Known jobs are shown first: asking servers takes modules, and the time of this process.
    if (visible) await Promise.race([this.tree.listed, setTimeoutPromise(longestListing)]);
    await this.#follow();
    await this.#checkOnce();
  }

  async #serverChanged(): Promise<void> {
    this.#showMessage();
    await this.#follow();
    this.#showMessage();
    await this.#checkOnce();
  }

  #showMessage(): void {
    const { servers } = this.runs;
    const session = this.#wanted?.session;
    const tracker = session && servers.isCurrent(session.origin) ? session.tracker.state : undefined;
    const name = servers.current()?.name ?? '';
    const message = messageFor(servers.status, tracker, name, this.runs.folders.unread);
    const description = serverAndQueue(name, tracker?.queueLength);
    setViewWords(this.#view, { message, description });
  }

  /** A visible list checks the connection of its server once. */
  async #checkOnce(): Promise<void> {
    const { servers } = this.runs;
    const name = servers.current()?.name;
    if (!this.#view.visible || name === this.#checked || servers.status.kind !== 'unchecked') return;
    this.#checked = name;
    try {
      await servers.check();
    } catch (error) {
      this.platform.log.error('Checking the connection', error);
    }
  }

  async #follow(): Promise<void> {
    try {
      const visible = this.#view.visible;
      const session = visible ? await this.runs.servers.quietSession() : undefined;
      if (session === this.#wanted?.session) return;
      this.#wanted?.release();
      this.#wanted = session && { session, release: this.#want(session) };
    } catch (error) {
      this.platform.log.error('Following the queue', error);
    }
  }

  #want(session: RunSession): () => void {
    const release = session.tracker.want();
    const stop = session.tracker.onDidChangeState(() => this.#showMessage());
    return () => {
      stop();
      release();
    };
  }
}

function messageFor(
  status: ServerStatus,
  tracker: TrackerState | undefined,
  name: string,
  unread: number,
): Shown | undefined {
  if (tracker?.suspectedHang) {
    return shown`Jobs are queued, but none is starting. The server may be stuck. Check its log, or restart it.`;
  }
  if (status.kind === 'unreachable' || status.kind === 'refused')
    return shown`${status.problem} ${status.nextAction}`;
  if (tracker?.stopped && tracker.trouble) {
    return Shown.join([
      tracker.trouble.message,
      ServerError.is(tracker.trouble) ? tracker.trouble.nextAction : undefined,
      shown`Jobs may still be running, but Comfy Deck can't track them until the server grants access again.`,
    ]);
  }
  if (tracker?.silent && tracker.heardAt !== undefined) {
    return shown`${name} hasn't responded since ${timeOfDay(tracker.heardAt)}. Comfy Deck keeps retrying, and jobs may still be running. Start the server, check the network, or select another server.`;
  }
  if (status.kind === 'reconnecting') return reconnectingWords(status);
  if (tracker?.trouble && !tracker.stopped) return shown`The server didn't respond. Retrying.`;
  if (tracker?.liveUnknown) return shown`${name} doesn't say which jobs are running or queued.`;
  if (tracker?.unread !== undefined)
    return Shown.join([tracker.unread, shown`It was skipped, so progress may be missing.`]);
  if (unread === 0) return undefined;
  return shown`${t`Run records that can't be read: ${unread}.`} ${t`See the log for details.`}`;
}

export interface BadgeFacts {
  readonly isShown: (job: Job) => boolean;
  readonly isCurrent: (origin: string) => boolean;
  readonly isSilent: (origin: string) => boolean;
}

export function jobsBadge(
  live: readonly Job[],
  { isShown, isCurrent, isSilent }: BadgeFacts,
): { readonly value: number; readonly tooltip: Shown } | undefined {
  // A job on an unselected server that does not answer is shown, but not counted.
  const isWaitedFor = ({ server }: Job): boolean => isCurrent(server) || !isSilent(server);
  const counted = live.filter((job) => isShown(job) && isWaitedFor(job));
  if (counted.length === 0) return undefined;
  const running = counted.filter(({ state }) => state === 'running').length;
  return { value: counted.length, tooltip: shown`${running} running, ${counted.length - running} queued` };
}
