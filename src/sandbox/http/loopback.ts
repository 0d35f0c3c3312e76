import { t } from '../../core/safety/localize';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens on this machine only and returns the origin. The sandbox is not secured for use on a network, so any other
 * host is refused.
 * @throws Error when the host is not loopback or the port is taken.
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

export function isLoopbackHost(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

export function notThisMachine(host: string): Error {
  return new Error(t`The sandbox listens on this machine only, not on ${host}. Use 127.0.0.1.`);
}

/** Closes every connection, idle or not, and resolves when the port is free. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  await closed;
}
