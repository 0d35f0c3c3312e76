import { withoutEnd } from '../safety/ends';
import { ServerError } from '../protocol/serverError';
import { isPrivateHost } from '../safety/privateHost';
import { t } from '../safety/localize';

/** The base address without trailing slash, query and fragment. Throws `ServerError` for an invalid address. */
export function normaliseBase(url: string): string {
  const parsed = parseUrl(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw unusable(t`The server address is not an http or https address.`);
  }
  if (parsed.username || parsed.password) {
    throw unusable(t`The server address must not contain a user name or password.`);
  }
  return `${parsed.origin}${withoutEnd(parsed.pathname, '/')}`;
}

/** `https://host:port` of an address, `file:` of one without a host; the input itself if it is not an address. */
export function addressOrigin(url: string): string {
  const parsed = parseUrl(url);
  return parsed === undefined ? url : parsed.origin === 'null' ? parsed.protocol : parsed.origin;
}

export function isLoopback(url: string): boolean {
  const host = parseUrl(url)?.hostname ?? '';
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Credentials go only over https (wss) or to this machine. */
export function mayCarryCredential(url: string): boolean {
  const protocol = parseUrl(url)?.protocol;
  return protocol === 'https:' || protocol === 'wss:' || isLoopback(url);
}

export function unsafeAddress(endpoint: string): ServerError {
  return new ServerError(
    t`The key wasn't sent, because the server isn't on this machine and doesn't use https.`,
    {
      reason: 'forbidden',
      endpoint,
      nextAction: t`Use the server's https address, or sign out of it.`,
    },
  );
}

export function endpointUrl(
  base: string,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return `${base}${path}${text && `?${text}`}`;
}

/** Never log it: it contains the token (protocol 3.1). Throws `ServerError` if the token would be sent unencrypted. */
export function socketAddress(baseUrl: string, clientId: string, token?: string): string {
  const base = normaliseBase(baseUrl);
  if (token !== undefined && !mayCarryCredential(base)) throw unsafeAddress('GET /ws');
  return endpointUrl(base.replace(/^http/, 'ws'), '/ws', { clientId, token });
}

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function unusable(message: string): ServerError {
  return new ServerError(message, {
    reason: 'badRequest',
    endpoint: 'GET /',
    nextAction: t`Fix the server address in the settings.`,
  });
}

/** Whether the address belongs to this machine or to a network that the internet can't reach, or is invalid. */
export function isPrivate(url: string): boolean {
  return !URL.canParse(url) || isPrivateHost(new URL(url).hostname);
}
