import { lookup } from 'node:dns/promises';
import { readBytes } from '../../core/client/answerBody';
import type { HttpStack } from '../../core/client/httpStack';
import { orAborted } from '../../core/client/timing';
import { httpsAddress } from '../../core/registry/packCard';
import { budgets } from '../../core/safety/budgets';
import { isPrivateHost } from '../../core/safety/privateHost';

const mostRedirects = 3;

/** The numeric addresses of a host. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const resolved: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The first of the pictures that can be shown, as a `data:` address; undefined if there is none. Anyone may have written
 * their addresses: only https is asked, without a credential, and nothing in a private network, not by redirects either.
 */
export async function packPicture(
  addresses: readonly (string | undefined)[],
  http: HttpStack,
  resolve = resolved,
  time: number = budgets.packPictureTime,
): Promise<string | undefined> {
  for (const address of addresses) {
    if (address === undefined) continue;
    const bytes = await bytesAt(address, http, resolve, AbortSignal.timeout(time)).catch(() => undefined);
    const type = bytes && typeOf(Buffer.from(bytes).toString('latin1', 0, 12));
    if (type !== undefined) return `data:${type};base64,${Buffer.from(bytes ?? []).toString('base64')}`;
  }
  return undefined;
}

async function bytesAt(
  address: string,
  http: HttpStack,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  let at: string | null = address;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const url = httpsAddress(at ?? undefined);
    if (url === undefined || !(await isPublic(new URL(url).hostname, resolve, signal))) return undefined;
    const headers = { Accept: 'image/webp, image/png, image/jpeg' };
    const asked = http.fetch(url, { method: 'GET', headers, redirect: 'manual', signal });
    const { status, headers: told, body } = await orAborted(asked, signal);
    const maxBytes = budgets.packPicture;
    if (status === 200) return readBytes(body, { endpoint: `GET ${url}`, maxBytes, signal });
    await body?.cancel().catch(() => undefined);
    const location = told.get('location') ?? '';
    at = status > 300 && status < 400 && URL.canParse(location, url) ? new URL(location, url).href : null;
  }
  return undefined;
}

async function isPublic(host: string, resolve: Resolve, signal: AbortSignal): Promise<boolean> {
  if (isPrivateHost(host)) return false;
  if (host.startsWith('[')) return true;
  const found = await orAborted(resolve(host), signal);
  // As `URL` writes them.
  const hosts = found.map((each) => new URL(`https://${each.includes(':') ? `[${each}]` : each}`).hostname);
  return hosts.length > 0 && !hosts.some(isPrivateHost);
}

/** The type by the first bytes. SVG, which can do more than show, is none of these. */
function typeOf(start: string): string | undefined {
  if (start.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  return /^RIFF.{4}WEBP/s.test(start) ? 'image/webp' : undefined;
}
