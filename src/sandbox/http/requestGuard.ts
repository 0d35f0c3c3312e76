import type { Server, IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { t } from '../../core/safety/localize';

/**
 * Returns the origin. The sandbox isn't secured for networks. @throws Error for other hosts, or when the port is taken
 */
export async function listenOnLoopback(server: Server, port: number, host = '127.0.0.1'): Promise<string> {
  if (!isLoopbackHost(host)) {
    throw notThisMachine(host);
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: taken } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host.replace(/[[\]]/g, '')}]` : host}:${taken}`;
}

function isLoopbackHost(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

function notThisMachine(host: string): Error {
  return new Error(t`The sandbox listens on this machine only, not on ${host}. Use 127.0.0.1.`);
}

/** Also closes connections in use; resolves when the port is free. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  await closed;
}

/** Other sites come with their `Origin` or, after DNS rebinding, with their host name (protocol 4.1). */
export class RequestGuard {
  /** `host:port` of proxies in front of the sandbox. */
  readonly #alsoAs = new Set<string>();

  /** @throws Error for an address that is not on this machine */
  addAddress(address: string): void {
    const { hostname, host } = new URL(address);
    if (!isLoopbackHost(hostname)) throw notThisMachine(hostname);
    this.#alsoAs.add(host);
  }

  isForeign({ headers, socket }: IncomingMessage): boolean {
    const site = headers['sec-fetch-site'];
    if (site === 'cross-site' || site === 'same-site') return true;
    const host = headers.host?.toLowerCase() ?? '';
    if (!this.#isOwn(host, socket.localPort)) return true;
    return headers.origin !== undefined && headers.origin.toLowerCase() !== `http://${host}`;
  }

  #isOwn(host: string, port: number | undefined): boolean {
    // An address in brackets, or a name; no address of ours contains anything else.
    const parts = /^(\[[0-9a-f:]+\]|[a-z0-9.]+)(?::(\d{1,5}))?$/.exec(host);
    if (!parts || !URL.canParse(`http://${host}`)) return false;
    const address = new URL(`http://${host}`);
    if (this.#alsoAs.has(address.host)) return true;
    return isLoopbackHost(address.hostname) && Number(parts[2] ?? 80) === port;
  }
}
