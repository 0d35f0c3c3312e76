import type { IncomingMessage } from 'node:http';
import { isLoopbackHost, notThisMachine } from './loopback';

/**
 * Keeps out pages of other sites. A browser sends their requests here too: with their `Origin` or, after DNS
 * rebinding, with their host name as the host. The real server checks only the former (protocol 4.1, cross-site
 * guard); the sandbox runs wherever the extension runs, so it is stricter.
 */
export class RequestGuard {
  /** `host:port` of proxies in front of the sandbox. */
  readonly #alsoAs = new Set<string>();

  /**
   * Also accepts requests for another address that leads here.
   * @throws Error when it is not on this machine.
   */
  addAddress(address: string): void {
    const { hostname, host } = new URL(address);
    if (!isLoopbackHost(hostname)) throw notThisMachine(hostname);
    this.#alsoAs.add(host);
  }

  /** Whether the request names another host, or comes from a page that is not the sandbox's own. */
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
