import { refusalError } from '../protocol/refusal';
import { ServerError } from '../protocol/serverError';
import { isLoopback, isPrivate, addressOrigin } from './address';
import { readText } from './answerBody';
import { endpointText } from './answerShape';
import { bodyWithoutSecrets } from './quotedBody';
import type { RequestOptions } from './request';
import type { StreamAnswer, Transport } from './transport';
import { t } from '../safety/localize';

/**
 * The server answers with the bytes, or redirects to a storage, which is then requested without credentials (protocol
 * 1.7). An expired signed address is requested again, once.
 */
export async function streamFile(transport: Transport, options: RequestOptions): Promise<StreamAnswer> {
  const first = await follow(transport, options);
  if (!first.expired) return first.answer;
  await discard(first.answer);
  const second = await follow(transport, options);
  if (!second.expired) return second.answer;
  throw await storageRefusal(second.answer, options, transport);
}

async function follow(transport: Transport, options: RequestOptions) {
  const accepts = (status: number) => isRedirect(status) || options.accepts?.(status) === true;
  let answer = await transport.stream({ ...options, accepts });
  let at = `${transport.baseUrl}${options.path}`;
  for (let hops = 0; isRedirect(answer.status); hops++) {
    const location = answer.headers.get('location');
    await discard(answer);
    if (hops === 1) throw badLocation(options, t`The storage server redirected the download again.`);
    at = storageAddress(location, at, transport, options);
    const refused = (status: number) => status === 400 || status === 401 || status === 403 || status === 410;
    answer = await transport.stream({
      ...options,
      elsewhere: at,
      accepts: (status) => accepts(status) || refused(status),
    });
    if (refused(answer.status)) return { answer, expired: true };
  }
  return { answer, expired: false };
}

/**
 * Only https, or this machine if the server is on it too; into a private network only from a server in one. A remote
 * server can't direct us to nearby machines.
 */
function storageAddress(
  location: string | null,
  at: string,
  { baseUrl, secrets }: Transport,
  options: RequestOptions,
): string {
  if (!location || !URL.canParse(location, at)) {
    throw badLocation(options, t`The server redirects the download without saying where.`);
  }
  const { href, protocol, username, password } = new URL(location, at);
  if (username !== '' || password !== '') {
    throw badLocation(
      options,
      t`The server redirects the download to an address that contains a user name or password.`,
    );
  }
  if (isLoopback(href) && isLoopback(baseUrl) && /^https?:$/.test(protocol)) return href;
  if (protocol !== 'https:') {
    throw badLocation(
      options,
      t`The server redirects the download to ${secrets.scrub(addressOrigin(href))}, which is not an https address.`,
    );
  }
  if (isPrivate(href) && (isLoopback(href) || !isPrivate(baseUrl))) {
    throw badLocation(
      options,
      t`The server redirects the download to ${secrets.scrub(addressOrigin(href))}, which is on a private network.`,
    );
  }
  return href;
}

function badLocation(options: RequestOptions, message: string): ServerError {
  return new ServerError(message, {
    reason: 'unexpectedShape',
    endpoint: endpointText(options),
    nextAction: t`Check the settings of the server, or of the proxy in front of it.`,
  });
}

async function storageRefusal(
  answer: StreamAnswer,
  options: RequestOptions,
  transport: Transport,
): Promise<ServerError> {
  const endpoint = endpointText(options);
  const bodyText = await readText(answer.body, {
    endpoint,
    maxBytes: 16 * 1024,
    signal: AbortSignal.timeout(10_000),
    cut: true,
  });
  const { serverMessage } = refusalError({
    endpoint,
    status: answer.status,
    bodyText: transport.secrets.scrub(bodyWithoutSecrets(bodyText, transport.quoted)),
  });
  return new ServerError(t`The storage server denied the download (status ${answer.status}).`, {
    reason: 'server',
    endpoint,
    status: answer.status,
    serverMessage,
    nextAction: t`Try the download again. If it keeps failing, the file may be gone.`,
  });
}

async function discard(answer: StreamAnswer): Promise<void> {
  await answer.body.cancel().catch(() => undefined);
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}
