import { timingSafeEqual } from 'node:crypto';
import { plainFrom } from '../../core/json/exactValue';
import { UnknownFault } from '../faults/faultController';
import { isFaultName } from '../faults/faultOptions';
import type { Exchange } from '../http/exchange';
import { get, post, type Route } from './router';
import type { SandboxServer } from '../sandboxServer';
import { t } from '../../core/safety/localize';

/**
 * Controls the faults from outside, for tests of a whole program: `GET /sandbox/faults` lists those that are on,
 * `POST` with `{name, ...options}` turns one on, `DELETE /sandbox/faults` and `/sandbox/faults/{name}` turn them off.
 * Each needs the sandbox's token in `X-Sandbox-Token`: no page can send that header without a CORS preflight, and the
 * sandbox never answers one.
 */
const switches: readonly Route[] = [
  get('/sandbox/faults', tell, 'bare'),
  post('/sandbox/faults', switchOn, 'bare'),
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

export const faultRoutes: readonly Route[] = switches.map(behindToken);

function behindToken(route: Route): Route {
  return {
    ...route,
    handle: (exchange, server) => {
      if (hasToken(exchange, server)) return route.handle(exchange, server);
      exchange.answerJson(403, {
        error: t`X-Sandbox-Token must contain the token that the sandbox printed when it started.`,
      });
    },
  };
}

function hasToken(exchange: Exchange, { faultToken }: SandboxServer): boolean {
  const given = Buffer.from(exchange.header('X-Sandbox-Token') ?? '');
  const right = Buffer.from(faultToken);
  return given.byteLength === right.byteLength && timingSafeEqual(given, right);
}

/** Paths that no fault, key or guard of the sandbox blocks. */
export function isSandboxPath(path: string): boolean {
  return path.startsWith('/sandbox/');
}

function tell(exchange: Exchange, server: SandboxServer): void {
  exchange.answer({ faults: server.faults.active() });
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
