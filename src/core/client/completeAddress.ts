import { isLoopback } from './address';

/**
 * An address as users type it, completed with a scheme: `localhost:8188` for example. Hosts given by number, with a
 * port or without a domain rarely have a certificate and get http; a key is never sent there (see mayCarryCredential).
 */
export function completeAddress(text: string): string {
  const typed = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) || !/^[\w.[\]:-]+(?:\/|$)/.test(typed)) return typed;
  const plain = `http://${typed}`;
  if (!URL.canParse(plain)) return typed;
  const { hostname, port } = new URL(plain);
  if (isLoopback(plain) || port !== '' || !/[a-z]/i.test(hostname) || hostname.endsWith('.local'))
    return plain;
  // One word alone is more likely a slip than a machine.
  return hostname.includes('.') ? `https://${typed}` : typed;
}
