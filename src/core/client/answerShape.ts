import type * as z from 'zod';
import { JsonLimitError, parsePythonJson } from '../json/boundedJson';
import { ServerError } from '../protocol/serverError';
import { t } from '../safety/localize';
import type { Secrets } from '../safety/secrets';
import type { RequestOptions } from './request';

export function endpointText(options: RequestOptions): string {
  return `${options.method ?? 'GET'} ${options.path}`;
}

/** JSON text through a schema; a wrong shape is one clear error that names the endpoint and the field. */
export function readAnswer<T>(schema: z.ZodType<T>, text: string, endpoint: string, values?: number): T {
  let value: unknown;
  try {
    value = parsePythonJson(text, t`The response to ${endpoint}`, values);
  } catch (error) {
    if (error instanceof JsonLimitError)
      throw new ServerError(error.message, {
        reason: 'tooLarge',
        endpoint,
        nextAction: t`Check the server: ComfyUI doesn't send that much.`,
      });
    throw new ServerError(noJson(text, endpoint), { reason: 'unexpectedShape', endpoint });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.map(String).join('.') ?? '';
  const message =
    field === ''
      ? t`The response to ${endpoint} isn't in the expected format.`
      : t`The response to ${endpoint} has no valid "${field}".`;
  throw new ServerError(message, { reason: 'unexpectedShape', endpoint });
}

function noJson(text: string, endpoint: string): string {
  if (text.trim() === '') return t`The response to ${endpoint} is empty.`;
  return text.trimStart().startsWith('<')
    ? t`The response to ${endpoint} is a web page.`
    : t`The response to ${endpoint} isn't JSON.`;
}

export function redirectError(
  status: number,
  endpoint: string,
  url: string,
  location: string | null,
  secrets: Secrets,
): ServerError {
  const parsed = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined;
  // An address without a host has no origin: only its scheme is known.
  const target = parsed?.origin === 'null' ? parsed.protocol : parsed?.origin;
  const message =
    target === undefined
      ? t`The server redirects the request to another address.`
      : t`The server redirects the request to ${secrets.scrub(target)}.`;
  return new ServerError(message, {
    reason: 'unexpectedShape',
    endpoint,
    status,
    nextAction: t`Check the server address. The address it redirects to may be the right one.`,
  });
}
