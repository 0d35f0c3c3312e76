import type { IncomingMessage } from 'node:http';
import { isLoopbackHost, notThisMachine } from './loopback';

/**
 * Keeps pages of other sites out. A browser sends their requests here too: with their `Origin`, or, after the name they
 * were loaded from was made to lead to this machine, with that name as the host. The real server checks the former
 * alone (protocol 4.1, cross-site guard); the sandbox listens wherever the extension runs, so it is stricter.
 */
export class RequestGuard {
  /** `host:port` of proxies in front. */
  readonly #alsoAs = new Set<string>();

  /**
   * Takes requests for another address too, which leads here.
   * @throws Error when it is not on this machine.
   */
  addAddress(address: string): void {
    const { hostname, host } = new URL(address);
    if (!isLoopbackHost(hostname)) throw notThisMachine(hostname);
    this.#alsoAs.add(host);
  }

  /** Whether the request was made for another name, or by a page that is not the sandbox's own. */
  isForeign({ headers, socket }: IncomingMessage): boolean {
    const site = headers['sec-fetch-site'];
    if (site === 'cross-site' || site === 'same-site') return true;
    const host = headers.host?.toLowerCase() ?? '';
    if (!this.#isOwn(host, socket.localPort)) return true;
    return headers.origin !== undefined && headers.origin.toLowerCase() !== `http://${host}`;
  }

  #isOwn(host: string, port: number | undefined): boolean {
    // An address in brackets, or a name: whatever else a host may hold is part of no address of ours.
    const parts = /^(\[[0-9a-f:]+\]|[a-z0-9.]+)(?::(\d{1,5}))?$/.exec(host);
    if (!parts || !URL.canParse(`http://${host}`)) return false;
    const address = new URL(`http://${host}`);
    if (this.#alsoAs.has(address.host)) return true;
    return isLoopbackHost(address.hostname) && Number(parts[2] ?? 80) === port;
  }
}
