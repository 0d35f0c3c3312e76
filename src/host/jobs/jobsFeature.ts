import * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { TrackerState } from '../../core/jobs/trackerState';
import type { RunSession } from '../../core/runLife/runSession';
import { plural } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import { ServerError } from '../../core/protocol/serverError';
import { registerCommand } from '../platform/commandRegistry';
import { commands, contextKeys, documentScheme, views } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import type { Servers } from '../servers/servers';
import type { ServerStatus } from '../servers/serverStatus';
import { timeOfDay } from '../../core/safety/timeText';
import { serverAndQueue } from '../servers/statusPresentation';
import { badgeOf } from './jobsBadge';
import type { JobCommands } from './jobCommands';
import type { ErrorReports } from './errorReport';
import type { JobsShown } from './jobsShown';
import type { JobSection } from './jobSection';
import { type JobTree, refreshEvery } from './jobTree';
import type { Row } from './row';
import type { WindowLedger } from '../ledger/windowLedger';
import type { SavedFiles } from '../outputs/savedOutputs';
import type { TemporaryOutputs } from '../outputs/temporaryOutputs';
import { setViewWords } from '../platform/showItems';

/** How often elapsed times are updated (ms). */
const tick = 1_000;

export interface JobsFeatureParts {
  readonly log: Log;
  readonly store: JobStore;
  readonly servers: Servers;
  readonly ledger: Pick<WindowLedger, 'unread' | 'onDidChange'>;
  readonly saved: Pick<SavedFiles, 'onDidChange'>;
  readonly temporary: Pick<TemporaryOutputs, 'onDidChange'>;
  /** The rows of jobs, and the tree that shows them among others. */
  readonly rows: JobSection;
  readonly tree: JobTree;
  readonly jobCommands: JobCommands;
  readonly reports: ErrorReports;
  readonly jobsShown: JobsShown;
  /** Whether the view shows a job, by what is chosen there. */
  readonly isShown: (job: Job) => boolean;
  /** Disposed with the window. */
  readonly owned: readonly { dispose(): void }[];
  /** The user looked at the view. */
  readonly onSeen: () => void;
}

/** The view of the queue and the jobs: rows, badge, message, and the timer for the elapsed times. */
export class JobsFeature implements Feature {
  readonly #parts: JobsFeatureParts;
  readonly #changed = new Set<string>();
  readonly #refresh: ReturnType<typeof coalesce>;
  #view: vscode.TreeView<Row> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Name of the server that was last checked because the view shows its list. */
  #checked: string | undefined;
  /** The server whose list the visible view uses, and how to release it. */
  #wanted: { readonly session: RunSession; readonly release: () => void } | undefined;

  constructor(parts: JobsFeatureParts) {
    this.#parts = parts;
    this.#refresh = coalesce(() => this.#show(), refreshEvery);
  }

  register(context: vscode.ExtensionContext): void {
    const { rows, tree, store, saved, ledger, servers, reports, jobCommands } = this.#parts;
    const view = vscode.window.createTreeView<Row>(views.jobs, {
      treeDataProvider: tree,
      canSelectMany: true,
    });
    this.#view = view;
    context.subscriptions.push(
      view,
      tree,
      rows,
      ...this.#parts.owned,
      ...this.#choices(),
      ...jobCommands.register(() => view.selection),
      vscode.workspace.registerTextDocumentContentProvider(documentScheme, reports),
      view.onDidChangeVisibility(() => void this.#visibility()),
      servers.sessions.onDidChangeSilence((origin) => {
        this.#note(store.live(origin).map(({ id }) => id));
        this.#showMessage();
      }),
      saved.onDidChange((jobId) => this.#note([jobId])),
      this.#parts.temporary.onDidChange((jobId) => this.#note([jobId])),
      servers.onDidChange(() => void this.#serverChanged()),
      ledger.onDidChange(() => this.#showMessage()),
      {
        dispose: store.onDidChange(({ added, changed, removed }) =>
          this.#note([...added, ...changed, ...removed]),
        ),
      },
      {
        dispose: () => {
          this.#refresh.cancel();
          clearInterval(this.#timer);
          this.#wanted?.release();
        },
      },
    );
    // Not during activation: a visible view asks its server.
    setTimeout(() => {
      this.#parts.jobsShown.tellMenus();
      void this.#visibility();
    }, 0);
  }

  /** Whose jobs are shown, and how they are grouped. */
  #choices(): vscode.Disposable[] {
    const { log, jobsShown: choices, rows } = this.#parts;
    return [
      registerCommand(log, commands.showAllJobs, () => choices.showAll(true)),
      registerCommand(log, commands.showMyJobs, () => choices.showAll(false)),
      registerCommand(log, commands.groupByDay, () => choices.groupBy('day')),
      registerCommand(log, commands.groupByWorkflow, () => choices.groupBy('workflow')),
      choices.onDidChange(() => {
        rows.refresh();
        this.#refresh();
      }),
    ];
  }

  #note(jobIds: readonly string[]): void {
    for (const id of jobIds) this.#changed.add(id);
    this.#refresh();
  }

  #show(): void {
    const { store, rows } = this.#parts;
    const changed = [...this.#changed];
    this.#changed.clear();
    rows.refresh(changed);
    const live = store.live();
    const running = live.filter(({ state }) => state === 'running').length;
    const pending = live.length - running;
    setContext(contextKeys.hasRunningJobs, running > 0);
    setContext(contextKeys.hasPendingJobs, pending > 0);
    setContext(
      contextKeys.hasFinishedJobs,
      store.jobs().some((job) => isTerminal(job.state) && this.#parts.isShown(job)),
    );
    const { servers, isShown } = this.#parts;
    const badge = badgeOf(live, {
      isShown,
      isCurrent: (origin) => servers.isCurrent(origin),
      isSilent: (origin) => servers.sessions.silenceOf(origin) !== undefined,
    });
    if (this.#view) setViewWords(this.#view, { badge });
    this.#runTimer(running > 0);
  }

  /** One timer for all rows, only while the view is visible and something runs. */
  #runTimer(running: boolean): void {
    const wanted = running && this.#view?.visible === true;
    if (wanted && this.#timer === undefined) this.#timer = setInterval(() => this.#tick(), tick);
    else if (!wanted) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #tick(): void {
    const running = this.#parts.store.live().filter(({ state }) => state === 'running');
    this.#note(running.map(({ id }) => id));
  }

  async #visibility(): Promise<void> {
    const visible = this.#view?.visible === true;
    this.#refresh();
    if (visible) this.#parts.onSeen();
    setContext(contextKeys.jobsShown, visible);
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
    const { servers } = this.#parts;
    const session = this.#wanted?.session;
    const tracker = session && servers.isCurrent(session.origin) ? session.tracker.state : undefined;
    const name = servers.current()?.name ?? '';
    const message = messageFor(servers.status, tracker, name) ?? unreadWords(this.#parts.ledger.unread);
    const description = serverAndQueue(name, tracker?.queueLength);
    if (this.#view) setViewWords(this.#view, { message, description });
  }

  /** A visible list checks its server's connection, once per selected server. */
  async #checkOnce(): Promise<void> {
    const { servers, log } = this.#parts;
    const name = servers.current()?.name;
    if (this.#view?.visible !== true || name === this.#checked || servers.status.kind !== 'unchecked') return;
    this.#checked = name;
    try {
      await servers.check();
    } catch (error) {
      log.error('Checking the connection', error);
    }
  }

  /** Keeps the selected server's list up to date while the view is open. */
  async #follow(): Promise<void> {
    try {
      const visible = this.#view?.visible === true;
      const session = visible ? await this.#parts.servers.quietSession() : undefined;
      if (session === this.#wanted?.session) return;
      this.#wanted?.release();
      this.#wanted = session && { session, release: this.#want(session) };
    } catch (error) {
      this.#parts.log.error('Following the queue', error);
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

/** One line above the rows when something is wrong. */
function messageFor(
  status: ServerStatus,
  tracker: TrackerState | undefined,
  name: string,
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
  if (status.kind === 'reconnecting') {
    return shown`Live updates are down. Reconnecting. The list refreshes every few seconds until then.`;
  }
  if (tracker?.trouble && !tracker.stopped) return shown`The server didn't respond. Retrying.`;
  if (tracker?.liveUnknown) return shown`${name} doesn't say which jobs are running or queued.`;
  return tracker?.unread === undefined
    ? undefined
    : Shown.join([tracker.unread, shown`It was skipped, so progress may be missing.`]);
}

/** The log names them, and says why. */
function unreadWords(unread: number): Shown | undefined {
  if (unread === 0) return undefined;
  return plural(
    unread,
    shown`1 run record can't be read, so its run isn't listed. See the log for details.`,
    shown`${unread} run records can't be read, so their runs aren't listed. See the log for details.`,
  );
}
