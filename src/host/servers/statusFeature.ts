import type * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import type { JobStore } from '../../core/jobs/jobStore';
import type { Feature } from '../platform/feature';
import type { Servers } from './servers';
import type { StatusItem } from './statusItem';
import { presentStatus } from './statusPresentation';

/** The status bar item follows the server and the jobs at most this often (ms). */
const refreshEvery = 250;

/** Keeps the status bar item true. */
export class StatusFeature implements Feature {
  readonly #servers: Servers;
  readonly #store: Pick<JobStore, 'live' | 'onDidChange'>;
  readonly #item: StatusItem;

  constructor(servers: Servers, store: Pick<JobStore, 'live' | 'onDidChange'>, item: StatusItem) {
    this.#servers = servers;
    this.#store = store;
    this.#item = item;
  }

  register(context: vscode.ExtensionContext): void {
    const refresh = coalesce(() => this.#show(), refreshEvery);
    context.subscriptions.push(
      this.#servers.onDidChange(() => {
        // A server that was tried or lost: from now on there is something to say in this window.
        if (!['none', 'stopped', 'unchecked'].includes(this.#servers.status.kind)) this.#item.wake();
        refresh();
      }),
      this.#servers.sessions.onDidChangeQueueLength(refresh),
      { dispose: this.#store.onDidChange(refresh) },
      { dispose: () => refresh.cancel() },
    );
  }

  #show(): void {
    // Those of another server do not count for the one that the item names.
    const jobs = this.#store.live().filter(({ server }) => this.#servers.isCurrent(server));
    const running = jobs.filter(({ state }) => state === 'running').length;
    const pending = jobs.filter(({ state }) => state === 'pending').length;
    const origin = this.#servers.currentOrigin();
    const queueLength = origin === undefined ? undefined : this.#servers.sessions.queueLengthOf(origin);
    const counts = { running, pending, queueLength };
    this.#item.update(presentStatus(this.#servers.current(), this.#servers.status, counts));
  }
}
