import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { tellParent } from './tellParent';

export const perSecond = 5_000;
export const seconds = 10;
/** After this many events a job ends and the next one starts. */
const perJob = 200;
const steps = 20;
const nodes = 12;

/**
 * Sends {@link perSecond} events a second over a socket for {@link seconds}, when the parent says so. Reports its
 * address.
 */
export async function sayEvents(): Promise<void> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(server, 'listening');
  const connected = once(server, 'connection') as Promise<[WebSocket]>;
  tellParent(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`);
  const [socket] = await connected;
  await once(process, 'message');
  const start = performance.now();
  let said = 0;
  const timer = setInterval(() => {
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - start) / 1000) * perSecond));
    for (; said < due; said++) socket.send(eventText(said));
    if (said < perSecond * seconds) return;
    clearInterval(timer);
    tellParent(performance.now() - start);
  }, 2);
}

/** The events of samplers, as sent by a server with one job after the other (protocol 3.3). */
function eventText(serial: number): string {
  const prompt_id = `job-${Math.floor(serial / perJob)}`;
  const place = serial % perJob;
  const node = String(1 + (Math.floor(place / steps) % nodes));
  const say = (type: string, data: object): string => JSON.stringify({ type, data: { prompt_id, ...data } });
  if (place === 0) return say('execution_start', { timestamp: Date.now() });
  if (place === perJob - 1) return say('execution_success', { timestamp: Date.now() });
  if (place % steps === 1) return say('executing', { node, display_node: node });
  if (place % 2 === 0) return say('progress', { node, value: place % steps, max: steps });
  return say('progress_state', { nodes: progressOf(prompt_id, Number(node), place % steps) });
}

function progressOf(prompt_id: string, current: number, value: number): object {
  const states = Array.from({ length: nodes }, (_, index) => {
    const node_id = String(index + 1);
    const state = index + 1 < current ? 'finished' : index + 1 === current ? 'running' : 'pending';
    const done = state === 'finished' ? steps : state === 'running' ? value : 0;
    return [
      node_id,
      { node_id, display_node_id: node_id, real_node_id: node_id, prompt_id, state, value: done, max: steps },
    ];
  });
  return Object.fromEntries(states) as object;
}
