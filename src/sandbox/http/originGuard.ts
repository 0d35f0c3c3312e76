import type { IncomingMessage } from 'node:http';

/**
 * Whether a browser page of another site is behind the request (protocol 4.1, cross-site guard): the real server then
 * answers 403. Only a server that is addressed by a loopback name is guarded.
 */
export function isForeignOrigin(request: IncomingMessage): boolean {
  if (request.headers['sec-fetch-site'] === 'cross-site') return true;
  const { host, origin } = request.headers;
  if (host === undefined || origin === undefined) return false;
  const from = parseOrigin(origin);
  const to = parseOrigin(`http://${host}`);
  if (!from || !to || !isLoopbackHost(to.hostname)) return false;
  // A side that names no port is compared by host name alone.
  const withPort = from.port !== '' && to.port !== '';
  return withPort ? from.host !== to.host : from.hostname !== to.hostname;
}

function parseOrigin(text: string): URL | undefined {
  try {
    return new URL(text.toLowerCase());
  } catch {
    return undefined;
  }
}

export function isLoopbackHost(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
