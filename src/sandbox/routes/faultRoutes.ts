import { plainFrom } from '../../core/json/exactValue';
import { UnknownFault } from '../faults/faultSwitchboard';
import { isFaultName } from '../faults/faultOptions';
import type { Exchange } from '../http/exchange';
import type { Route } from '../http/router';
import type { SandboxServer } from '../sandboxServer';

/**
 * The switchboard from outside, for tests of a whole program: `GET /sandbox/faults` tells what is on,
 * `POST` with `{name, ...options}` switches on, `DELETE /sandbox/faults` and `/sandbox/faults/{name}` switch off.
 */
export const faultRoutes: readonly Route[] = [
  { method: 'GET', path: '/sandbox/faults', reach: 'bare', handle: tell },
  { method: 'POST', path: '/sandbox/faults', reach: 'bare', handle: switchOn },
  {
    method: 'DELETE',
    path: '/sandbox/faults',
    reach: 'bare',
    handle: (exchange, server) => {
      server.faults.clear();
      tell(exchange, server);
    },
  },
  {
    method: 'DELETE',
    path: '/sandbox/faults/:name',
    reach: 'bare',
    handle: (exchange, server) => {
      const name = exchange.param('name');
      if (isFaultName(name)) server.faults.clear(name);
      tell(exchange, server);
    },
  },
];

/** Paths that no fault, no key and no guard of the product's own stands before. */
export function isSandboxPath(path: string): boolean {
  return path.startsWith('/sandbox/');
}

function tell(exchange: Exchange, server: SandboxServer): void {
  exchange.answerJson(200, { faults: server.faults.active() });
}

async function switchOn(exchange: Exchange, server: SandboxServer): Promise<void> {
  try {
    const { name, ...options } = plainFrom(await exchange.json()) as Record<string, unknown>;
    server.faults.setByName(String(name), options);
    tell(exchange, server);
  } catch (error) {
    if (!(error instanceof UnknownFault) && !(error instanceof SyntaxError)) throw error;
    exchange.answerJson(400, { error: error.message });
  }
}
