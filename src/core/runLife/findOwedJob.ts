import type { RunRecord } from '../records/runRecord';
import { budgets } from '../safety/budgets';
import { findLostJob, type LostSubmission } from './recoverSubmission';
import type { RunSession } from './runSession';

/** A prompt that may or may not have been accepted by the server. */
export interface UnclearRun extends Pick<RunRecord, 'promptId' | 'promptText'> {
  /** When it was about to leave, ms since the epoch by our clock. */
  readonly sentAt: number | undefined;
  /** So long after that it arrives no more, ms. */
  readonly arrivesWithin?: number | undefined;
}

/** What the search needs of a session. */
export interface OwedJobSession extends Pick<RunSession, 'now' | 'earliestNow' | 'sentTextsOf'> {
  readonly client: LostSubmission['client'];
  capabilities(): Promise<Pick<Awaited<ReturnType<RunSession['capabilities']>>, 'dialect'>>;
}

/**
 * What the server says about such a prompt. `notSeen`: it may still arrive, or the server lists only some of its jobs.
 * `gone`: it will not arrive, and the server has no job for it: it never accepted it, or no longer knows it.
 */
export type OwedJob =
  | { readonly kind: 'found'; readonly id: string }
  | { readonly kind: 'notSeen'; readonly mayArriveFor: number }
  | { readonly kind: 'gone' };

/**
 * Looks for the job of a prompt that was about to be sent when its program ended, as for a lost answer: once, and
 * nothing is
 * ever sent.
 * @throws ServerError when the server can't be reached
 */
export async function findOwedJob(
  session: OwedJobSession,
  { promptId, promptText, sentAt, arrivesWithin = budgets.latestArrival }: UnclearRun,
  signal: AbortSignal,
): Promise<OwedJob> {
  const mayArriveFor = arrivesFor(sentAt, session.now(), arrivesWithin);
  if (promptId === undefined) return { kind: 'notSeen', mayArriveFor };
  const isLocal = (await session.capabilities()).dialect === 'local';
  const earliest = session.earliestNow();
  const looked = await findLostJob(
    {
      client: session.client,
      promptId: isLocal ? promptId : undefined,
      runKey: promptId,
      promptText: promptText ?? '{}',
      // A clock that was changed in the meantime must not hide the job.
      since: undefined,
      reach: sentAt === undefined || earliest === undefined ? undefined : sentAt + earliest - session.now(),
      isKnown: () => false,
      sentTextsOf: (id, each) => session.sentTextsOf(id, each),
      giveUpAfter: 0,
    },
    signal,
  );
  if (looked.kind === 'found') return looked;
  const isGone = sentAt !== undefined && mayArriveFor === 0 && looked.sawAll;
  return isGone ? { kind: 'gone' } : { kind: 'notSeen', mayArriveFor };
}

/** A clock that was set back must not lengthen the wait beyond its duration from now. */
function arrivesFor(sentAt: number | undefined, now: number, within: number): number {
  if (sentAt === undefined) return 0;
  return Math.min(Math.max(0, sentAt + within - now), within);
}
