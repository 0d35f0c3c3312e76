import type { Span } from './secretSearch';

/**
 * Secrets recognized by shape, whoever they belong to. Each expression starts with a fixed word, and its repetitions
 * share no characters with what follows, so none of them backtracks.
 */
const shapes: readonly RegExp[] = [
  // Query parameters that let the bearer in: the socket's token and those of signed storage addresses (protocol 1.7).
  /[?&](?:token|access_token|api_key|key|sig|signature|x-goog-[a-z-]{1,30}|x-amz-[a-z-]{1,30}|googleaccessid)=(?<secret>[^&\s"'<>\\]{1,4096})/gi,
  /(?:x-api-key|authorization|cookie)\\{0,3}["']?\s{0,8}[:=]\s{0,8}\\{0,3}["']?(?:(?:bearer|basic)\s{1,8})?(?<secret>[^\s"',;\\]{1,8192})/gi,
  /(?:api_key|auth_token)_comfy_org\\{0,3}["']?\s{0,8}[:=]\s{0,8}\\{0,3}["']?(?<secret>[^"'\s,}\\]{1,8192})/gi,
  /\b(?:bearer|basic)\s{1,8}(?<secret>[A-Za-z0-9._~+/=-]{8,8192})/gi,
  // A platform key; names of packs start the same way but consist of words.
  /\b(?<secret>comfyui-[A-Za-z0-9_]{24,256})/g,
];

const looksRandom = /\d|[a-z][A-Z]|=$/;

/** Credentials recognized by shape: headers, tokens in addresses, user names and passwords before a host. */
export function secretShapes(text: string): Span[] {
  const found = userInfo(text);
  for (const shape of shapes) {
    for (const match of text.matchAll(shape)) {
      const secret = match.groups?.['secret'] ?? '';
      // "Basic understanding" is not a credential.
      if (/^(?:b|comfyui-)/i.test(match[0]) && !looksRandom.test(secret.replace(/^comfyui-/, ''))) continue;
      const end = match.index + match[0].length;
      found.push({ start: end - secret.length, end });
    }
  }
  return found;
}

/** `name:password@` behind `://`. */
function userInfo(text: string): Span[] {
  const found: Span[] = [];
  const until = /[/\s@"']/g;
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const start = at + 3;
    until.lastIndex = start;
    const stop = until.exec(text);
    if (stop === null) break;
    if (stop[0] === '@' && stop.index > start) found.push({ start, end: stop.index });
  }
  return found;
}
