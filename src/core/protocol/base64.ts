/**
 * The bytes of standard base64, or undefined where the text is none. Padding may be missing and ASCII white space may
 * occur (protocol 5.3); any other character is refused, since `Buffer.from` would drop it silently.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bare = text.replace(/[\t\n\f\r ]+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(bare)) return undefined;
  const padded = bare.endsWith('=');
  if (padded ? bare.length % 4 !== 0 : bare.length % 4 === 1) return undefined;
  return Buffer.from(bare, 'base64');
}
