import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a request may do. `path` and `query` are as they were sent, below the prefix of the canvas. */
export type Admission =
  | { readonly kind: 'inside'; readonly canvas: string; readonly path: string; readonly query: string }
  /** Scripts of node packs ask for `/scripts/app.js`: the place of it is below the prefix. */
  | { readonly kind: 'moved'; readonly to: string }
  | { readonly kind: 'refused'; readonly status: 403 | 404 | 405 };

const readingMethods = new Set(['GET', 'HEAD']);
const methods = new Set([...readingMethods, 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Decides which requests come from a page of ours. Each address begins with a secret and the ID of a canvas, and any
 * page on this machine can send a request to it, under any host name that leads here (DNS rebinding).
 */
export class ProxyGuard {
  readonly #secret = randomSecret();
  readonly #digest = digestOf(this.#secret);
  readonly #hosts = new Set<string>();
  /** IDs of canvases by ticket. */
  readonly #tickets = new Map<string, string>();

  /** @param isOpen whether a canvas of this ID is open */
  constructor(private readonly isOpen: (canvas: string) => boolean) {}

  /** `host:port` under which a browser reaches the proxy. */
  allowHost(host: string): void {
    this.#hosts.add(host.toLowerCase());
  }

  /** The path that leads to the page of a canvas once. */
  addTicket(canvas: string): string {
    const ticket = randomSecret();
    this.#tickets.set(ticket, canvas);
    setTimeout(() => this.#tickets.delete(ticket), ticketTime).unref();
    return ticket;
  }

  /** Without a slash at the end. */
  prefixOf(canvas: string): string {
    return `/${this.#secret}/${canvas}`;
  }

  admit(request: IncomingMessage, isSocket = false): Admission {
    const { headers, method = '', url: target = '' } = request;
    if (!methods.has(method)) return { kind: 'refused', status: 405 };
    if (!this.#isHost(headers.host) || !this.#isOrigin(request, isSocket)) return refused;
    // It would stay in the browser, at an address that another program has later.
    if (headers['service-worker'] !== undefined) return refused;
    const [path = '', ...rest] = target.split('?');
    const query = rest.length > 0 ? `?${rest.join('?')}` : '';
    const place = this.#placeOf(path);
    const ticket = path.slice(1);
    const ticketed = isSocket || place ? undefined : this.#tickets.get(ticket);
    if (ticketed !== undefined && method === 'GET') {
      this.#tickets.delete(ticket);
      return { kind: 'moved', to: `${this.prefixOf(ticketed)}/` };
    }
    if (!place) {
      const from = isSocket ? undefined : this.#canvasOfReferer(headers.referer);
      if (from === undefined || !isSameSite(request)) return refused;
      return { kind: 'moved', to: `${this.prefixOf(from)}${target}` };
    }
    if (!this.isOpen(place.canvas)) return { kind: 'refused', status: 404 };
    if (!isSameSite(request) && (isSocket || !isNavigation(request, place.path))) return refused;
    return { kind: 'inside', ...place, query };
  }

  #isHost(host: string | undefined): boolean {
    return host !== undefined && this.#hosts.has(host.toLowerCase());
  }

  /** Browsers name the origin of each socket and of each request that changes something; `null` is none of ours. */
  #isOrigin({ headers: { origin }, method = '' }: IncomingMessage, isSocket: boolean): boolean {
    if (origin === undefined) return !isSocket && readingMethods.has(method);
    return URL.canParse(origin) && this.#isHost(new URL(origin).host);
  }

  #placeOf(path: string): { readonly canvas: string; readonly path: string } | undefined {
    const [before, secret = '', canvas, ...below] = path.split('/');
    if (before !== '' || !timingSafeEqual(digestOf(secret), this.#digest)) return undefined;
    return canvas === undefined || below.length === 0 ? undefined : { canvas, path: `/${below.join('/')}` };
  }

  #canvasOfReferer(referer: string | undefined): string | undefined {
    if (referer === undefined || !URL.canParse(referer)) return undefined;
    const { host, pathname } = new URL(referer);
    const canvas = this.#isHost(host) ? this.#placeOf(pathname)?.canvas : undefined;
    return canvas !== undefined && this.isOpen(canvas) ? canvas : undefined;
  }
}

/** Ms. */
const ticketTime = 60_000;

const randomSecret = (): string => randomBytes(24).toString('base64url');

const refused: Admission = { kind: 'refused', status: 403 };

/** Of equal length for any text: what is compared takes the same time. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Old browsers and other programs don't say where a request comes from. */
function isSameSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin';
}

/** The frame in VS Code's page is a site of its own, and a browser tab has none: only the page itself opens so. */
function isNavigation({ headers, method }: IncomingMessage, path: string): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && path === '/';
}
