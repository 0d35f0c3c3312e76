import { type RegistryNode, registryNode } from '../protocol/registry/registryNode';
import { withoutEmails } from '../protocol/registry/registryText';
import { ServerError } from '../protocol/serverError';
import type { Transport } from '../client/transport';
import { isAskable } from './packAnswer';
import { t } from '../safety/localize';

export type Stars = 1 | 2 | 3 | 4 | 5;

export type ReviewAnswer =
  { readonly kind: 'taken'; readonly pack: RegistryNode } | ({ readonly kind: 'refused' } & ReviewRefusal);

export interface ReviewRefusal {
  readonly reason: 'token' | 'unknownPack' | 'badRating' | 'alreadyReviewed' | 'maybeReviewed' | 'other';
  readonly message: string;
  readonly nextAction: string;
  /** No token was sent, and one is needed. */
  readonly isBare?: true;
}

/** `POST /nodes/{id}/reviews?star=N` without a body, with the registry's token if there is one. Sent once, whatever happens. */
export async function sendReview(
  transport: Transport,
  id: string,
  stars: Stars,
  signal?: AbortSignal,
): Promise<ReviewAnswer> {
  if (!isAskable(id)) return { kind: 'refused', ...refusals().unknownPack };
  if (![1, 2, 3, 4, 5].includes(stars)) return { kind: 'refused', ...refusals().badRating };
  const path = `/nodes/${encodeURIComponent(id)}/reviews`;
  try {
    const options = { method: 'POST', path, query: { star: stars }, signal };
    return { kind: 'taken', pack: await transport.json(registryNode, options) };
  } catch (error) {
    if (!ServerError.is(error)) throw error;
    if (error.status === undefined) throw lostReview(error);
    const isBare = error.status === 401 && (await transport.credential(`POST ${path}`)) === undefined;
    return { kind: 'refused', ...refusalOf(error.status, error, isBare) };
  }
}

const signIn = () =>
  t`Sign in to the registry, and specify the token that it gives you. Tokens expire after about an hour.`;

const refusals = () =>
  ({
    token: { reason: 'token', message: t`The registry rejected the token.`, nextAction: signIn() },
    noToken: {
      reason: 'token',
      isBare: true,
      message: t`The registry needs a token for reviews.`,
      nextAction: signIn(),
    },
    badRating: {
      reason: 'badRating',
      message: t`The registry rejected the rating.`,
      nextAction: t`Give the pack one to five stars.`,
    },
    unknownPack: {
      reason: 'unknownPack',
      message: t`The registry doesn't have this pack or version.`,
      nextAction: t`Check the pack's ID. The pack may have been renamed or deleted.`,
    },
    alreadyReviewed: {
      reason: 'alreadyReviewed',
      message: t`You have already reviewed this pack.`,
      nextAction: t`The registry accepts only one review per person, and it can't be changed.`,
    },
    maybeReviewed: {
      reason: 'maybeReviewed',
      message: t`The registry reported an error, and your review probably wasn't saved.`,
      nextAction: t`You may have already reviewed this pack, or the registry may not have it. Check the rating on the pack page before you try again.`,
    },
    notAllowed: {
      reason: 'other',
      message: t`The registry doesn't allow this account to review the pack.`,
      nextAction: t`Check your registry account.`,
    },
  }) as const satisfies Record<string, ReviewRefusal>;

function refusalOf(status: number, { serverMessage }: ServerError, isBare: boolean): ReviewRefusal {
  const said = serverMessage === undefined ? '' : withoutEmails(serverMessage);
  if (status === 400) return quoting(refusals().badRating, said);
  if (status === 401) return quoting(isBare ? refusals().noToken : refusals().token, said);
  if (status === 404) return quoting(refusals().unknownPack, said);
  // A second review violates a database rule, which looks like a server failure.
  if (status === 500 || status === 409) {
    const known = status === 409 || /already|duplicate|unique|constraint/i.test(said);
    return known ? refusals().alreadyReviewed : quoting(refusals().maybeReviewed, said);
  }
  if (status === 403) return quoting(refusals().notAllowed, said);
  const message = t`The registry didn't accept the review (status ${status}).`;
  return quoting({ reason: 'other', message, nextAction: t`Try again later.` }, said);
}

function quoting(refusal: ReviewRefusal, said: string): ReviewRefusal {
  if (said === '') return refusal;
  const quote = said.length > 200 ? `${said.slice(0, 199)}…` : said;
  return { ...refusal, message: t`${refusal.message} The registry says: “${quote}”` };
}

/** Unless nothing was sent, nobody knows whether the review arrived, so the user must not be told to retry. */
function lostReview(error: ServerError): ServerError {
  const { message, reason, endpoint, cause } = error;
  const why = cause instanceof Error ? cause.message : '';
  const unsent =
    ['unauthorized', 'forbidden', 'certificate'].includes(reason) ||
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(why);
  const nextAction = unsent
    ? t`Your review wasn't sent. Check the registry address and your connection.`
    : t`Check the pack page before you try again. Your review may have been received.`;
  return new ServerError(message, { reason, endpoint, nextAction, cause });
}
