import type { ServerError } from '../../protocol/serverError';
import type { MusicResult } from './musicTake';
import { endSentence } from '../../safety/endSentence';
import { t } from '../../safety/localize';

export type MusicFailureReason =
  | 'refused'
  | 'truncated'
  /** The connection broke, or nothing arrived for too long. */
  | 'broken'
  | 'noAudio'
  | 'damaged'
  | 'tooLarge';

const nextActions = (): Readonly<Record<MusicFailureReason, string>> => ({
  refused: t`Change the prompt or the duration, then try again. Each attempt may cost credits.`,
  truncated: t`Try again. Each attempt may cost credits.`,
  broken: t`Check the connection, then try again. Each attempt may cost credits.`,
  noAudio: t`Change the prompt or the duration, then try again. Each attempt may cost credits.`,
  damaged: t`Try again. Each attempt may cost credits.`,
  tooLarge: t`Choose a shorter duration, then try again. Each attempt may cost credits.`,
});

/** Nothing is retried automatically: it may cost twice (protocol 5.3). `partial` is what had arrived. */
export class MusicFailure extends Error {
  override readonly name = 'MusicFailure';
  readonly nextAction: string;
  readonly code: string | undefined;

  constructor(
    message: string,
    readonly reason: MusicFailureReason,
    /** Missing when nothing playable had arrived. */
    readonly partial: MusicResult | undefined,
    details: { readonly code?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(withCode(message, details.code), { cause: details.cause });
    this.code = details.code;
    this.nextAction = actionOfCode(details.code) ?? nextActions()[reason];
  }

  static is(error: unknown): error is MusicFailure {
    return error instanceof MusicFailure;
  }
}

function withCode(message: string, code: string | undefined): string {
  if (code === undefined || message.includes(code)) return message;
  return t`${endSentence(message)} Code: ${code}.`;
}

const accountActions = () =>
  ({
    credits: t`Add credits to your Comfy account, then try again.`,
    trial: t`The free trial is used up. Add credits to your Comfy account, then try again.`,
    wait: t`Wait for another generation on your account to finish, then try again.`,
  }) as const;

/** Codes of the service that ask for another step than the status does (protocol 5.4); the set is open. */
function actionOfCode(code: string | undefined): string | undefined {
  switch (code?.toLowerCase()) {
    case 'insufficient_balance':
    case 'payment_required':
      return accountActions().credits;
    case 'trial_exhausted':
      return accountActions().trial;
    case 'rate_limit_exceeded':
      return accountActions().wait;
    default:
      return undefined;
  }
}

/** Returns the same refusal with the next step that fits music; other steps fit workflows (protocol 5.4). */
export function musicRefusal(error: ServerError): ServerError {
  const nextAction = actionOfCode(error.serverCode) ?? actionOfReason(error) ?? actionOfStatus(error);
  if (nextAction === undefined && error.serverCode === undefined) return error;
  const isEmpty = error.serverCode?.toLowerCase() === 'insufficient_balance';
  const reason = isEmpty ? 'insufficientCredits' : error.reason;
  return error.reworded(withCode(error.message, error.serverCode), { reason, nextAction });
}

/** Adds what the status alone doesn't say. Without an answer, whether the service started is unknown. */
function actionOfReason({ reason, status }: ServerError): string | undefined {
  switch (reason) {
    case 'subscription':
      return t`Check your subscription, then run again.`;
    case 'queueFull':
      return accountActions().wait;
    case 'timeout':
      if (status !== undefined) return undefined;
      return t`Check your credits before you try again. You may have been charged for this attempt.`;
    case 'network':
      return t`Check the connection and the music service address, then try again. If the connection broke midway, you may have been charged for this attempt.`;
    case 'unexpectedShape':
      return t`Check the music service address in the settings.`;
    default:
      return undefined;
  }
}

function actionOfStatus({ status, retryAfter }: ServerError): string | undefined {
  switch (status) {
    case 400:
    case 413:
    case 422:
      return t`Change the prompt or the duration, then try again.`;
    case 401:
      return t`Sign in to the music service with a valid API key or token.`;
    case 402:
      return accountActions().credits;
    case 403:
      return t`Partner nodes may be disabled for this account. Ask its administrator.`;
    case 404:
      return t`Check the music service address in the settings.`;
    case 409:
      return t`There's a problem with your account. Contact Comfy support.`;
    case 429:
      return retryAfter === undefined
        ? accountActions().wait
        : t`Try again in ${Math.ceil(retryAfter)} s. Nothing was sent again automatically.`;
    case 408:
    case 500:
    case 502:
    case 503:
    case 504:
      return t`The service may be busy. Try again later. Nothing was sent again automatically.`;
    default:
      return undefined;
  }
}
