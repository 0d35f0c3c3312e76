import type { ServerResponse } from 'node:http';
import { NodeManagerClient } from '../../../../src/core/client/nodeManager/nodeManagerClient';
import type { NodeManager } from '../../../../src/core/client/nodeManager/managerRequests';
import { Transport } from '../../../../src/core/client/transport';
import { type Arrival, type Loopback, sendJson } from '../../../support/loopback';
import { answering, httpForTest } from '../../../support/sandboxFixture';

const quick = { pause: 5, patience: 5_000 };

export function clientOf(baseUrl: string): NodeManagerClient {
  const transport = new Transport({ baseUrl, http: httpForTest(), retryBase: 1 });
  return new NodeManagerClient(transport, 'this-window');
}

export function waiting(signal = new AbortController().signal) {
  return { ...quick, signal };
}

export const v3: NodeManager = { version: 'V3.41', prefix: '/api', takes: 'install' };
export const v4: NodeManager = { version: 'V4.2.2', prefix: '/api/v2', takes: 'task' };
export const idle = { total_count: 0, done_count: 0, in_progress_count: 0, is_processing: false };

export type Answer = (response: ServerResponse, arrival: Arrival) => void;

/** A server with these endpoints, by the end of their paths; everything else is an idle manager without packs. */
export async function managerThat(answers: Readonly<Record<string, Answer>>): Promise<{
  readonly client: NodeManagerClient;
  readonly server: Loopback;
}> {
  const server = await answering((arrival, response) => {
    const [, answer] = Object.entries(answers).find(([end]) => arrival.path.endsWith(end)) ?? [];
    if (answer) answer(response, arrival);
    else if (arrival.path.endsWith('/status')) sendJson(response, 200, idle);
    else if (arrival.path.endsWith('/installed')) sendJson(response, 200, {});
    else response.writeHead(200).end();
  });
  return { client: clientOf(server.url), server };
}

export const posted = ({ arrivals }: Loopback): string[] =>
  arrivals.filter(({ method }) => method === 'POST').map(({ path }) => path);
