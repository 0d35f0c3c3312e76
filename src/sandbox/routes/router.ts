import type { SandboxServer } from '../sandboxServer';
import type { Exchange } from '../http/exchange';

/** With and without `/api`, or only one of the two (protocol 4.1). */
export type RouteReach = 'both' | 'api' | 'bare';

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  /** Without `/api`; `:name` stands for one segment. */
  readonly path: string;
  readonly reach: RouteReach;
  readonly handle: (exchange: Exchange, server: SandboxServer) => Promise<void> | void;
}

type Handle = Route['handle'];

export function getRoute(path: string, handle: Handle, reach: RouteReach = 'both'): Route {
  return { method: 'GET', path, reach, handle };
}

export function postRoute(path: string, handle: Handle, reach: RouteReach = 'both'): Route {
  return { method: 'POST', path, reach, handle };
}

/** GET routes also answer HEAD; Node leaves out the body. */
export function findRoute(routes: readonly Route[], method: string, path: string) {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const api = path.startsWith('/api/');
  for (const route of routes) {
    if (route.method !== wanted || route.reach === (api ? 'bare' : 'api')) continue;
    const params = matchPath(route.path, api ? path.slice('/api'.length) : path);
    if (params) return { route, params };
  }
  return undefined;
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    const value = given[at] ?? '';
    if (segment.startsWith(':')) {
      if (value === '') return undefined;
      params[segment.slice(1)] = decodeSegment(value);
    } else if (segment !== value) return undefined;
  }
  return params;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
