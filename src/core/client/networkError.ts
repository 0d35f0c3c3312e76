import { ServerError } from '../protocol/serverError';
import { t } from '../safety/localize';
import { Secrets } from '../safety/secrets';
import { addressOrigin } from './address';

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS_CERT|DEPTH_ZERO|HOSTNAME_MISMATCH/i;

const refusedCodes = /ECONNREFUSED|ERR_CONNECTION_REFUSED/;
const droppedCodes =
  /ECONNRESET|UND_ERR_SOCKET|ERR_CONNECTION_(?:RESET|CLOSED|ABORTED)|ERR_EMPTY_RESPONSE|socket hang up|terminated|other side closed/;
const brokeBefore = /before secure TLS connection|ERR_PROXY|ERR_TUNNEL/i;

function trail(error: unknown): string[] {
  const words: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string') words.push(current.code);
    words.push(current.message);
    if (current instanceof AggregateError) current = (current.errors as readonly unknown[])[0];
    else current = current.cause;
  }
  return words;
}

/** The text of the original error is kept as the cause, scrubbed: it may quote the address with its token. */
export function networkError(
  error: unknown,
  endpoint: string,
  url: string,
  secrets = new Secrets(),
): ServerError {
  const words = trail(error);
  const codes = words.join(' ');
  const origin = secrets.scrub(addressOrigin(url));
  const cause = new Error(secrets.scrub(words.join(': ')));
  if (certificateCodes.test(codes)) {
    return new ServerError(t`The certificate of ${origin} isn't trusted.`, {
      reason: 'certificate',
      endpoint,
      cause,
    });
  }
  if (/TIMEDOUT|TIMEOUT/i.test(codes)) {
    return new ServerError(t`${origin} didn't respond in time.`, { reason: 'timeout', endpoint, cause });
  }
  return new ServerError(sentence(codes, origin), { reason: 'network', endpoint, cause });
}

/** `refused` before anything was sent, `dropped` once it could have been sent; undefined for everything else. */
export function connectionEnd(error: unknown): 'refused' | 'dropped' | undefined {
  if (!ServerError.is(error, 'network') || !(error.cause instanceof Error)) return undefined;
  const { message } = error.cause;
  if (brokeBefore.test(message)) return undefined;
  if (refusedCodes.test(message)) return 'refused';
  return droppedCodes.test(message) ? 'dropped' : undefined;
}

export function timeoutError(endpoint: string, url: string, ms: number): ServerError {
  const origin = addressOrigin(url);
  const message = t`${origin} didn't respond within ${ms < 1000 ? ms / 1000 : Math.round(ms / 1000)} s.`;
  return new ServerError(message, {
    reason: 'timeout',
    endpoint,
  });
}

function sentence(codes: string, origin: string): string {
  if (refusedCodes.test(codes)) return t`Nothing is listening at ${origin}.`;
  if (/ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED/.test(codes))
    return t`The host in ${origin} couldn't be found.`;
  if (/ENETUNREACH|EHOSTUNREACH|ERR_INTERNET_DISCONNECTED/.test(codes)) return t`Can't reach ${origin}.`;
  if (/EPROTO|ERR_SSL|wrong version number/i.test(codes)) return t`${origin} doesn't use https.`;
  if (droppedCodes.test(codes) || codes.includes('EPIPE')) {
    return t`${origin} closed the connection.`;
  }
  return t`The request to ${origin} failed.`;
}
