import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Those of one connection (RFC 9110, 7.6.1). */
const connection = 'connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade';

/** What a server must not learn of the browser, or take for its own page; and a key is only ours to add. */
const notSent = new RegExp(
  `^(?:${connection}|host|expect|cookie2?|authorization|x-api-key|referer|origin|sec-.*|x-forwarded-.*|forwarded|via|x-real-ip|dnt|upgrade-insecure-requests)$`,
);

/** What a server must not decide for the address of the proxy, and what leads away from it. */
const notReceived = new RegExp(
  `^(?:${connection}|set-cookie2?|access-control-.*|content-security-policy.*|cross-origin-.*|x-frame-options|referrer-policy|permissions-policy|location|content-location|refresh|link|www-authenticate|strict-transport-security|clear-site-data|service-worker-allowed|alt-svc|nel|report-to|reporting-endpoints|authorization|x-api-key)$`,
);

/** The page is given everything by the proxy. Without this it asks other sites for models and node types that it misses. */
const policy = [
  `default-src 'self'`,
  `script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data: blob:`,
  `font-src 'self' data:`,
  `connect-src 'self' data: blob:`,
  `media-src 'self' data: blob:`,
  `worker-src 'self' blob:`,
  `frame-src 'self' blob:`,
  `object-src 'none'`,
  `base-uri 'self'`,
  `form-action 'self'`,
].join('; ');

export const ownHeaders: OutgoingHttpHeaders = {
  'content-security-policy': policy,
  // The server gets no Referer; but what a node pack asks for by an absolute path is found by it.
  'referrer-policy': 'same-origin',
};

export function requestHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return headersWithout(headers, notSent);
}

export function responseHeaders(headers: IncomingHttpHeaders, path: string): OutgoingHttpHeaders {
  const kept = headersWithout(headers, notReceived);
  // Python on Windows may not know that these are scripts, and browsers then refuse them.
  const type = /\.m?js$/.test(path) ? { 'content-type': 'text/javascript; charset=utf-8' } : {};
  return { ...kept, ...type, ...ownHeaders };
}

function headersWithout(headers: IncomingHttpHeaders, dropped: RegExp): OutgoingHttpHeaders {
  // Further names can be those of one connection.
  const named = new Set(
    headers.connection
      ?.toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !dropped.test(name) && !named.has(name)),
  );
}

/**
 * Where a redirect leads below the prefix; undefined if it leads anywhere but to the server itself.
 * @param asked the address that answered with it
 * @param base the server's address without a slash at the end
 */
export function redirectInside(
  location: string | undefined,
  asked: string,
  base: string,
  prefix: string,
): string | undefined {
  if (location === undefined || !URL.canParse(location, asked)) return undefined;
  const to = new URL(location, asked);
  const { origin, pathname } = new URL(`${base}/`);
  if (to.origin !== origin || !to.pathname.startsWith(pathname)) return undefined;
  return `${prefix}/${to.pathname.slice(pathname.length)}${to.search}`;
}

/**
 * Whether VS Code gives a port an origin of its own. Where it has a path on the workbench's own, as with code-server,
 * the scripts of the page would have all that the workbench has.
 */
export function isOwnOrigin(local: string, external: string): boolean {
  return URL.canParse(external) && new URL(external).pathname === new URL(local).pathname;
}
