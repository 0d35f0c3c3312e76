const hidden = '[hidden]';

/** Query parameters that let the bearer in: the socket's token and those of signed storage addresses (protocol 1.7). */
const queryParameters =
  /([?&](?:token|access_token|api_key|key|sig|signature|x-goog-[a-z-]+|x-amz-[a-z-]+|googleaccessid)=)[^&\s"'<>\\]*/gi;
const headers =
  /((?:x-api-key|(?:proxy-)?authorization|(?:set-)?cookie)["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;]+/gi;
const bearer = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;
const members = /((?:api_key|auth_token)_comfy_org\\?["']?\s*[:=]\s*\\?["']?)[^"'\s,}\\]+/gi;
const keys = /\bcomfyui-[A-Za-z0-9_-]{8,}/g;
const userInfo = /(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s@"']+@/gi;

/**
 * Text without anything that opens a door: tokens in addresses, values of credential headers, signed addresses,
 * credentials of partner nodes, and each of `secrets` wherever it stands.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    clean = clean.replaceAll(secret, hidden).replaceAll(encodeURIComponent(secret), hidden);
  }
  return clean
    .replace(userInfo, `$1${hidden}@`)
    .replace(queryParameters, `$1${hidden}`)
    .replace(headers, `$1${hidden}`)
    .replace(members, `$1${hidden}`)
    .replace(bearer, `$1 ${hidden}`)
    .replace(keys, hidden);
}
