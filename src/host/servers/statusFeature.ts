import type * as vscode from 'vscode';
import type { BatchRow } from '../../core/batch/batchRow';
import { coalesceCalls } from '../../core/jobs/coalesce';
import type { JobStore } from '../../core/jobs/jobStore';
import type { Feature } from '../platform/feature';
import { serverOrigin, type KnownServer } from './knownServers';
import type { Servers } from './servers';
import type { Sessions } from './sessions';
import type { StatusItem } from './statusItem';
import { presentStatus } from './statusPresentation';

/** The status bar item is updated at most this often (ms). */
const refreshEvery = 250;

type StatusServers = Pick<Servers, 'current' | 'status' | 'onDidChange'> & {
  readonly sessions: Pick<Sessions, 'queueLengthOf' | 'onDidChangeQueueLength' | 'onDidChangeSilence'>;
};

/** The batches of the window: their runs may be on several servers. */
interface StatusBatches {
  readonly shown: readonly { readonly state: string; readonly rows: readonly BatchRow[] }[];
  readonly onDidChange: vscode.Event<unknown>;
}

/** Keeps the status bar item up to date. */
export class StatusFeature implements Feature {
  #last: KnownServer | undefined;

  constructor(
    private readonly servers: StatusServers,
    private readonly store: Pick<JobStore, 'live' | 'onDidChange'>,
    private readonly item: Pick<StatusItem, 'update' | 'wake'>,
    private readonly batches: StatusBatches,
  ) {}

  register(context: vscode.ExtensionContext): void {
    const refresh = coalesceCalls(() => this.#show(), refreshEvery);
    context.subscriptions.push(
      this.servers.onDidChange(() => {
        // A server was tried or lost: from now on, the item has something to show in this window.
        if (!['none', 'stopped', 'unchecked'].includes(this.servers.status.kind)) this.item.wake();
        refresh();
      }),
      this.servers.sessions.onDidChangeQueueLength(refresh),
      this.servers.sessions.onDidChangeSilence(refresh),
      this.batches.onDidChange(refresh),
      { dispose: this.store.onDidChange(refresh) },
      { dispose: () => refresh.cancel() },
    );
  }

  #show(): void {
    const server = this.#namedServer();
    const origin = server && serverOrigin(server);
    const ofBatches = this.batches.shown.flatMap(openRuns);
    const sent = new Set(ofBatches.map(({ job }) => job));
    // Jobs of another server don't count for the one that the item names; a batch counts as a whole.
    const jobs = this.store.live().filter((job) => job.server === origin && !sent.has(job.id));
    const running = [...jobs, ...ofBatches].filter(({ state }) => state === 'running').length;
    const pending = jobs.length + ofBatches.length - running;
    const queueLength = origin === undefined ? undefined : this.servers.sessions.queueLengthOf(origin);
    this.item.update(presentStatus(server, this.servers.status, { running, pending, queueLength }));
  }

  /** The selected server; if it was removed from the settings, it keeps its name until our last run there ends. */
  #namedServer(): KnownServer | undefined {
    const current = this.servers.current();
    const origin = this.#last && serverOrigin(this.#last);
    const isWaitedFor = this.store.live().some((job) => job.server === origin && job.origin !== undefined);
    this.#last = current ?? (isWaitedFor ? this.#last : undefined);
    return this.#last;
  }
}

/** The runs of a batch of this window that have not ended, also those that no server has yet unless it is paused. */
function openRuns({ state, rows }: StatusBatches['shown'][number]): readonly BatchRow[] {
  if (state !== 'running' && state !== 'paused') return [];
  const open = state === 'running' ? ['running', 'queued', 'waiting'] : ['running', 'queued'];
  return rows.filter((row) => open.includes(row.state));
}
