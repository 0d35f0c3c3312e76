import type { ServerResponse } from 'node:http';
import type { Capabilities } from '../../../src/core/client/capabilities';
import { ExecutionClient } from '../../../src/core/client/execution';
import type { CredentialSource } from '../../../src/core/client/credential';
import { Transport } from '../../../src/core/client/transport';
import { type Arrival, type Loopback, sendJson } from '../../support/loopback';
import { answering, httpForTest } from '../../support/sandboxFixture';

export const newLocal: Capabilities = { dialect: 'local', jobs: true, history: true, singleNodeInfo: true };
export const oldLocal: Capabilities = { dialect: 'local', jobs: false, history: true, singleNodeInfo: true };
export const cloud: Capabilities = { dialect: 'cloud', jobs: true, history: true, singleNodeInfo: false };

/** `POST /api/prompt` -> its answer; an entry without a method is for GET. Any other route is missing. */
export type Routes = Readonly<Record<string, (response: ServerResponse, arrival: Arrival) => void>>;

/** An answer that is the same for every request. */
export const json =
  (body: unknown, status = 200): Routes[string] =>
  (response) =>
    sendJson(response, status, body);

export interface Connection {
  readonly server: Loopback;
  readonly client: ExecutionClient;
  readonly transport: Transport;
  /** What a person was told meanwhile. */
  readonly told: readonly string[];
  /** Method and target of the requests, in order. */
  asked(): string[];
}

/** A client and a server with only the given routes, until the test ends. */
export async function connect(capabilities: Capabilities, routes: Routes, credential?: CredentialSource) {
  const server = await answering((arrival, response) => {
    const route = routes[`${arrival.method} ${arrival.path}`] ?? routes[arrival.path];
    if (route) route(response, arrival);
    else if (arrival.method === 'GET') response.writeHead(404).end();
    else response.writeHead(405, { 'Content-Type': 'text/plain' }).end('405: Method Not Allowed');
  });
  const http = httpForTest();
  const told: string[] = [];
  const onNotice = (sentence: string) => told.push(sentence);
  const transport = new Transport({ baseUrl: server.url, http, retryBase: 1, credential, onNotice });
  transport.isCloud = capabilities.dialect === 'cloud';
  return {
    server,
    told,
    transport,
    client: new ExecutionClient(transport, () => Promise.resolve(capabilities)),
    asked: () => server.arrivals.map(({ method, target }) => `${method} ${target}`),
  };
}

/** The queue in a local server's form. */
export function localQueue(running: readonly string[], pending: readonly string[]) {
  const item = (id: string, index: number) => [index, id, {}, { create_time: 1795252432679 }, []];
  return { queue_running: running.map(item), queue_pending: pending.map(item) };
}

/** One entry of a local server's history that ends with a message of this type. */
export function remembered(id: string, end: string) {
  return {
    [id]: {
      prompt: [1, id, { '9': {} }, { create_time: 1795252432679 }, ['9']],
      outputs: { '9': { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } },
      status: {
        status_str: end === 'execution_success' ? 'success' : 'error',
        messages: [[end, { prompt_id: id }]],
      },
    },
  };
}
