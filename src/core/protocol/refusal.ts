import { readErrorBody, type ErrorBody } from './errorBody';
import type { ServerErrorReason } from './serverError';
import { ServerError } from './serverError';
import { endSentence } from '../safety/endSentence';
import { t } from '../safety/localize';

export interface PromptRefusal {
  readonly endpoint: string;
  readonly status: number;
  readonly bodyText: string;
  readonly contentType?: string | null | undefined;
  readonly retryAfter?: string | null | undefined;
  readonly isCloud?: boolean;
  readonly isKeyless?: boolean | undefined;
  /** Milliseconds since the epoch, for a date in `retryAfter`. */
  readonly now?: number | undefined;
}

const subscriptionCodes = new Set([
  'CLOUD_SUBSCRIPTION_REQUIRED',
  'FREE_TIER_EXHAUSTED',
  'FREE_TIER_NOT_ALLOWED',
  'MODEL_PAYMENT_REQUIRED',
]);
const paymentCodes = new Set(['PAYMENT_REQUIRED', 'PARTNER_NODE_PAYMENT_REQUIRED', 'INSUFFICIENT_CREDITS']);

/** The server's code separates the many meanings of 402 and 429 (protocol 7.1). */
export function refusalReason(status: number, code?: string, message?: string): ServerErrorReason {
  const known = code?.toUpperCase();
  if (status === 402 || status === 429) {
    if (known === 'QUEUE_LIMIT' || known === 'QUEUE_FULL') return 'queueFull';
    if (known !== undefined && subscriptionCodes.has(known)) return 'subscription';
    if (known !== undefined && paymentCodes.has(known)) return 'insufficientCredits';
    if (message !== undefined && /subscription/i.test(message)) return 'subscription';
    return status === 402 ? 'insufficientCredits' : 'rateLimited';
  }
  if (status === 401) return 'unauthorized';
  if (status === 403 || status === 451) return 'forbidden';
  if (status === 404) return 'notFound';
  if (status === 408) return 'timeout';
  if (status === 413) return 'tooLarge';
  if (status >= 500) return 'server';
  if (status >= 400) return 'badRequest';
  return 'unexpectedShape';
}

export function refusalError(refusal: PromptRefusal): ServerError {
  const body = readErrorBody(refusal.bodyText, refusal.contentType);
  const reason = refusalReason(refusal.status, body.code, body.message);
  const retryAfter = retryAfterSeconds(refusal.retryAfter, refusal.now ?? Date.now());
  const limit = reason === 'rateLimited' && retryAfter === undefined ? limitOf(refusal, body) : undefined;
  const special = specialCase(refusal, body.code) ?? missingEndpoint(refusal) ?? limit;
  const sentence = special?.sentence ?? refusalSentence(reason);
  const isUnexplained = reason === 'badRequest' && body.message === undefined;
  const message = body.message
    ? t`${sentence}: ${endSentence(body.message)}`
    : t`${sentence} (status ${refusal.status}).`;
  return new ServerError(message, {
    reason,
    endpoint: refusal.endpoint,
    status: refusal.status,
    serverMessage: body.message,
    serverCode: body.code,
    retryAfter,
    lasts: limit !== undefined,
    nextAction: special?.nextAction ?? (isUnexplained ? t`Check the server log for the reason.` : undefined),
  });
}

const sentences = (): Readonly<Partial<Record<ServerErrorReason, string>>> => ({
  unauthorized: t`The server rejected the key`,
  insufficientCredits: t`Your account doesn't have enough credits`,
  subscription: t`Your subscription doesn't allow this`,
  queueFull: t`Your account's queue is full`,
  rateLimited: t`The server is rate-limiting requests`,
  forbidden: t`The server denied access`,
  notFound: t`Not found on the server`,
  tooLarge: t`The request is larger than the server accepts`,
  server: t`The server failed`,
  timeout: t`The server timed out`,
  unexpectedShape: t`The server sent an unexpected response`,
});

/** Explains such a refusal, without a full stop. */
export function refusalSentence(reason: ServerErrorReason): string {
  return sentences()[reason] ?? t`The server rejected the request`;
}

function specialCase({ status, isKeyless }: PromptRefusal, code: string | undefined) {
  if (status === 401 && isKeyless) {
    return {
      sentence: t`The server needs an API key or a token`,
      nextAction: t`Sign in with a valid API key.`,
    };
  }
  if (status === 451) {
    return {
      sentence: t`The server rejected the content`,
      nextAction: t`Change the prompt or the image, then run again.`,
    };
  }
  if (code?.toUpperCase() === 'PARTNER_NODE_DISABLED') {
    return {
      sentence: t`Partner nodes are disabled for this account`,
      nextAction: t`Ask your account's administrator to enable partner nodes, or remove them from the workflow.`,
    };
  }
  return undefined;
}

/** Endpoints that take no job, file or pack: a 404 can only mean that the endpoint is missing. */
const fixedEndpoint =
  /^\w+ \/(?:api\/)?(?:system_stats|object_info|prompt|queue|interrupt|jobs|jobs\/cancel|history|features|user|upload\/\w+|proxy\/.+)$/;

function missingEndpoint({ status, endpoint }: PromptRefusal) {
  if (status !== 404 || !fixedEndpoint.test(endpoint)) return undefined;
  return {
    sentence: t`The server has no ${endpoint}`,
    nextAction: t`Check that the address is that of a ComfyUI server.`,
  };
}

/** The cloud refuses any request this way when the subscription is inactive. */
function limitOf({ endpoint, isCloud }: PromptRefusal, { message, code }: ErrorBody) {
  if (!isCloud) return undefined;
  if (endpoint !== 'POST /api/prompt') {
    if (message !== undefined || code !== undefined) return undefined;
    return {
      sentence: t`The server isn't accepting requests right now`,
      nextAction: t`Either a limit has been reached or your subscription is inactive: wait a moment, or check your subscription.`,
    };
  }
  return {
    sentence: t`The server isn't accepting more runs right now`,
    nextAction: t`Your queue may be full or your subscription inactive. Wait for a queued job to finish, or check your subscription.`,
  };
}

/** Seconds to wait, from either form of `Retry-After`; undefined if it is missing or unreadable. */
export function retryAfterSeconds(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
