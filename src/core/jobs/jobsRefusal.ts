import { endSentence } from '../safety/endSentence';
import { t } from '../safety/localize';
import { ServerError, type ServerErrorReason } from '../protocol/serverError';
import type { TrackerState } from './serverWatch';

/** A server that answers but refuses access to its jobs (401, 402, 403). */
export interface JobsRefusal {
  readonly missing: 'key' | 'permission' | 'payment';
  readonly problem: string;
  readonly nextAction: string;
}

export function jobsRefusal({ stopped, trouble }: TrackerState): JobsRefusal | undefined {
  if (ServerError.is(trouble)) {
    const missing = missingByReason[trouble.reason];
    const { message, serverMessage, status } = trouble;
    // Without the server's own message, the error does not name what was denied.
    const isBare = missing === 'permission' && serverMessage === undefined && status !== undefined;
    const problem = isBare ? t`${t`The server denied access to its jobs`} (status ${status}).` : message;
    if (missing) return { missing, problem, nextAction: nextActions()[missing] };
  }
  // Another request failed otherwise since.
  if (!stopped) return undefined;
  return {
    missing: 'permission',
    problem: endSentence(t`The server denied access to its jobs`),
    nextAction: nextActions().permission,
  };
}

const nextActions = () =>
  ({
    key: t`Sign in with a valid API key.`,
    permission: t`Check your account's permissions, or choose another server.`,
    payment: t`Check your account's credits and subscription, then check again.`,
  }) as const;

const missingByReason: Readonly<Partial<Record<ServerErrorReason, JobsRefusal['missing']>>> = {
  unauthorized: 'key',
  forbidden: 'permission',
  subscription: 'payment',
  insufficientCredits: 'payment',
};
