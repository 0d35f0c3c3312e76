import { isLoopback } from './address';

/**
 * An address as people write it, with its scheme: `localhost:8188` is one. Machines that are named by number, by port
 * or without a domain rarely have a certificate and get http; a key never goes there (see mayCarryCredential).
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
