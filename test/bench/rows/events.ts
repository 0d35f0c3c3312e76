import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { EventStream } from '../../../src/core/client/eventStream';
import { coalesceCalls } from '../../../src/core/jobs/coalesce';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { jobRow } from '../../../src/host/jobs/jobRow';
import { treeGroups } from '../../../src/host/jobs/treeGroups';
import { observeJobs, stored } from '../../unit/jobs/observations';
import { type BenchRow, type Measurement, ms, startHelper, watchLoop } from '../measure';

const server = 'http://127.0.0.1:8188';
const history = 10_000;
const perSecond = 5_000;
const seconds = 10;
/** The refresh interval of the Jobs view, ms. */
const refreshEvery = 100;

/** A helper: sends events over a socket when the parent says so. Reports its address, then the time it took, ms. */
export async function sendEvents(): Promise<void> {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(sockets, 'listening');
  const connected = once(sockets, 'connection') as Promise<[WebSocket]>;
  process.send?.(`ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/ws`);
  const [socket] = await connected;
  await once(process, 'message');
  const start = performance.now();
  for (let sent = 0; sent < perSecond * seconds;) {
    const due = Math.min(perSecond * seconds, ((performance.now() - start) / 1000) * perSecond);
    for (; sent < due; sent++) socket.send(eventText(sent));
    await sleep(2);
  }
  process.send?.(performance.now() - start);
}

/** The events of samplers, as sent by a server with one job of 200 events after the other (protocol 3.3). */
function eventText(serial: number): string {
  const [prompt_id, place] = [`job-${Math.floor(serial / 200)}`, serial % 200];
  const node = String(1 + (Math.floor(place / 20) % 12));
  const text = (type: string, data: object): string => JSON.stringify({ type, data: { prompt_id, ...data } });
  if (place === 0) return text('execution_start', { timestamp: Date.now() });
  if (place === 199) return text('execution_success', { timestamp: Date.now() });
  if (place % 20 === 1) return text('executing', { node, display_node: node });
  if (place % 2 === 0) return text('progress', { node, value: place % 20, max: 20 });
  const nodes = Array.from({ length: 12 }, (_, index) => {
    const node_id = String(index + 1);
    const state = index + 1 < Number(node) ? 'finished' : 'running';
    return [node_id, { node_id, display_node_id: node_id, prompt_id, state, value: place % 20, max: 20 }];
  });
  return text('progress_state', { nodes: Object.fromEntries(nodes) as object });
}

/** A real socket into a store with a long history, and a view that groups all of it at every refresh. */
async function flood(): Promise<Measurement[]> {
  const store = new JobStore();
  observeJobs(
    store,
    Array.from({ length: history }, (_, index) => {
      return { ...stored('completed', `ended-${index}`), endedAt: Date.now() - index * 60_000 };
    }),
  );
  let [heard, refreshes] = [0, 0];
  const changed = new Set<string>();
  const refresh = coalesceCalls(() => {
    refreshes++;
    treeGroups(store.jobs(), Date.now());
    const facts = { files: 0, savedFiles: 0, saving: false, serverName: undefined, now: Date.now() };
    for (const job of [...changed].flatMap((id) => store.get(id) ?? [])) jobRow(job, facts);
    changed.clear();
  }, refreshEvery);
  store.onDidChange((change) => {
    for (const id of [...change.added, ...change.changed]) changed.add(id);
    refresh();
  });
  const [sender, address] = await startHelper('sendEvents');
  const stream = new EventStream({
    address: () => Promise.resolve(String(address)),
    clientId: 'bench',
    onEvent: (event) => {
      heard++;
      store.observe({ kind: 'event', event, server, at: Date.now() });
    },
    onState: () => undefined,
  });
  await stream.open();
  const stop = watchLoop();
  sender.send('go');
  const [took] = (await once(sender, 'message')) as [number];
  // Also processes what is left in the socket.
  for (let before = -1; before !== heard;) {
    before = heard;
    await sleep(200);
  }
  const blockedMs = stop();
  refresh.cancel();
  sender.kill();
  await stream.close();
  // The first refresh comes at once; the others are as many as fit into a second.
  const rate = (refreshes - 1) / (took / 1000);
  const all = perSecond * seconds;
  return [
    {
      what: `${perSecond} socket events/s for ${seconds} s, ${history} jobs in history: event loop blocked`,
      bar: '< 50 ms',
      value: `at most ${ms(blockedMs)}; ${heard} of ${all} heard`,
      held: blockedMs < 50 && heard === all,
      numbers: { blockedMs, events: heard },
    },
    {
      what: 'refreshes of the Jobs view meanwhile',
      bar: '<= 10/s',
      value: `${rate.toFixed(1)}/s`,
      held: rate <= 10.05,
      numbers: { perSecond: rate },
    },
  ];
}

export const events: BenchRow = { name: 'events', measure: flood };
