import type * as z from 'zod';
import { parsePythonJson } from '../json/pythonJson';
import { ServerError } from '../protocol/serverError';
import type { Secrets } from '../safety/secrets';
import type { RequestOptions } from './request';

/** Method and path without query. */
export function endpointOf(options: RequestOptions): string {
  return `${options.method ?? 'GET'} ${options.path}`;
}

/** JSON text through a schema; a wrong shape is one clear error that names the endpoint and the field. */
export function readAnswer<T>(schema: z.ZodType<T>, text: string, endpoint: string): T {
  let value: unknown;
  try {
    value = parsePythonJson(text);
  } catch {
    const what = text.trim() === '' ? 'nothing' : text.trimStart().startsWith('<') ? 'a web page' : 'no JSON';
    throw new ServerError(`${endpoint} was answered with ${what}.`, { reason: 'unexpectedShape', endpoint });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.map(String).join('.') ?? '';
  const place = field === '' ? 'is not in the expected format' : `has no usable "${field}"`;
  throw new ServerError(`The answer to ${endpoint} ${place}.`, { reason: 'unexpectedShape', endpoint });
}

/** A redirect where an answer was due: a sign-in page, or a server that moved. It is not followed. */
export function redirectError(
  status: number,
  endpoint: string,
  url: string,
  location: string | null,
  secrets: Secrets,
): ServerError {
  const parsed = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined;
  // An address without a host has no origin: only what kind it is can be said.
  const target = parsed?.origin === 'null' ? parsed.protocol : parsed?.origin;
  const where = target === undefined ? 'elsewhere' : `to ${secrets.scrub(target)}`;
  return new ServerError(`The server redirects the request ${where} instead of answering it.`, {
    reason: 'unexpectedShape',
    endpoint,
    status,
    nextAction: 'Check the server address; the one it redirects to may be correct.',
  });
}
