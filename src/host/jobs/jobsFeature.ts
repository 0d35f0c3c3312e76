import * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import { isTerminal } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { TrackerState } from '../../core/jobs/trackerState';
import type { ServerSession } from '../../core/runs/serverSession';
import { contextKeys, documentScheme, views } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import type { Servers } from '../servers/servers';
import type { ServerStatus } from '../servers/serverStatus';
import type { JobArchive } from './jobArchive';
import type { JobCommands } from './jobCommands';
import type { ErrorReports } from './errorReport';
import type { JobTree, TreeRow } from './jobTree';
import type { SavedOutputs } from './savedOutputs';

/** The tree follows its jobs at most this often (ms). */
const refreshEvery = 100;
/** How often elapsed times move on (ms). */
const tick = 1_000;

export interface JobsFeatureParts {
  readonly log: Log;
  readonly store: JobStore;
  readonly servers: Servers;
  readonly archive: JobArchive;
  readonly saved: SavedOutputs;
  readonly tree: JobTree;
  readonly jobCommands: JobCommands;
  readonly reports: ErrorReports;
  /** The view was looked at. */
  readonly onSeen: () => void;
}

/** The view of the queue and the jobs: rows, badge, message, and the timer for the elapsed times. */
export class JobsFeature implements Feature {
  readonly #parts: JobsFeatureParts;
  readonly #changed = new Set<string>();
  readonly #refresh: ReturnType<typeof coalesce>;
  #view: vscode.TreeView<TreeRow> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Name of the server that was last checked because the view shows its list. */
  #checked: string | undefined;
  /** The server whose list the visible view wants, and how to say that it does no longer. */
  #wanted: { readonly session: ServerSession; readonly release: () => void } | undefined;

  constructor(parts: JobsFeatureParts) {
    this.#parts = parts;
    this.#refresh = coalesce(() => this.#show(), refreshEvery);
  }

  register(context: vscode.ExtensionContext): void {
    const { tree, store, saved, servers, reports, jobCommands, archive } = this.#parts;
    const view = vscode.window.createTreeView<TreeRow>(views.jobs, {
      treeDataProvider: tree,
      canSelectMany: true,
      showCollapseAll: true,
    });
    this.#view = view;
    context.subscriptions.push(
      view,
      ...jobCommands.register(() => view.selection),
      vscode.workspace.registerTextDocumentContentProvider(documentScheme, reports),
      view.onDidChangeVisibility(() => void this.#visibility()),
      saved.onDidChange((jobId) => this.#note([jobId])),
      servers.onDidChange(() => void this.#serverChanged()),
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
    // Not while activating: a visible view asks its server.
    setTimeout(() => void this.#visibility(), 0);
    // Jobs that lived when this workspace was closed: their outputs are waited for.
    if (archive.hadLife) setTimeout(() => void this.#wakeJobs(), 0);
  }

  async #wakeJobs(): Promise<void> {
    try {
      await this.#parts.archive.load();
    } catch (error) {
      this.#parts.log.error('Reading the jobs of the last window', error);
    }
  }

  #note(jobIds: readonly string[]): void {
    for (const id of jobIds) this.#changed.add(id);
    this.#refresh();
  }

  #show(): void {
    const { store, tree } = this.#parts;
    const changed = [...this.#changed];
    this.#changed.clear();
    tree.refresh(changed);
    const live = store.jobs().filter((job) => !isTerminal(job.state));
    const running = live.filter(({ state }) => state === 'running').length;
    const pending = live.length - running;
    setContext(contextKeys.hasRunningJobs, running > 0);
    setContext(contextKeys.hasPendingJobs, pending > 0);
    setContext(contextKeys.hasFinishedJobs, store.jobs().length > live.length);
    if (this.#view) {
      this.#view.badge =
        live.length > 0
          ? { value: live.length, tooltip: `${running} running, ${pending} queued` }
          : undefined;
    }
    this.#runTimer(running > 0);
  }

  /** One timer for all rows, and only while somebody can see it and something runs. */
  #runTimer(running: boolean): void {
    const wanted = running && this.#view?.visible === true;
    if (wanted && this.#timer === undefined) this.#timer = setInterval(() => this.#tick(), tick);
    else if (!wanted) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #tick(): void {
    const running = this.#parts.store.jobs().filter(({ state }) => state === 'running');
    this.#parts.tree.refresh(running.map(({ id }) => id));
  }

  async #visibility(): Promise<void> {
    const visible = this.#view?.visible === true;
    this.#refresh();
    if (visible) this.#parts.onSeen();
    await this.#follow();
    await this.#checkOnce();
  }

  async #serverChanged(): Promise<void> {
    const { servers } = this.#parts;
    if (this.#view) this.#view.description = servers.current()?.name ?? '';
    await this.#follow();
    this.#showMessage();
    await this.#checkOnce();
  }

  #showMessage(): void {
    const message = messageFor(this.#parts.servers.status, this.#wanted?.session.tracker.state);
    if (this.#view) this.#view.message = message;
  }

  /** Who looks at the list wants to know whether its server is there: asked once for each server that is chosen. */
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

  /** Keeps the list of the chosen server fresh while the view is open, and nothing when it is not. */
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

  #want(session: ServerSession): () => void {
    const release = session.tracker.want();
    const stop = session.tracker.onDidChangeState(() => this.#showMessage());
    return () => {
      stop();
      release();
    };
  }
}

/** One line above the rows when something is not as it should be; nothing otherwise. */
function messageFor(status: ServerStatus, tracker: TrackerState | undefined): string | undefined {
  if (tracker?.suspectedHang) {
    return 'Jobs wait and nothing moves: the server may have stopped running jobs. Look at its log, or restart it.';
  }
  if (status.kind === 'unreachable' || status.kind === 'refused')
    return `${status.problem} ${status.nextAction}`;
  if (status.kind === 'reconnecting') {
    return 'The live connection is down and is being restored. The list is asked for meanwhile.';
  }
  return tracker?.trouble && !tracker.stopped
    ? 'The server did not answer just now. Asking again.'
    : undefined;
}
