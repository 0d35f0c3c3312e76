import type { ExecutionClient } from '../client/execution';
import { abortableSleep } from '../client/timing';
import { exactEquals } from '../json/exactEquals';
import { parseExact } from '../json/boundedJson';
import type { ExactValue } from '../json/exactValue';
import { ServerError } from '../protocol/serverError';
import { budgets } from '../safety/budgets';
import type { ServerTexts } from './sentTexts';

export interface LostSubmission {
  readonly client: Pick<ExecutionClient, 'job' | 'jobs'>;
  /** Local servers only (protocol 1.5). */
  readonly promptId: string | undefined;
  /** The server returns it with the job. */
  readonly runKey: string;
  readonly promptText: string;
  /** When the submission started, by the server's clock, ms; undefined if unknown. */
  readonly since: number | undefined;
  /** A list that reaches back to this time misses none of our jobs, ms by the server's clock; default `since`. */
  readonly reach?: number | undefined;
  readonly isKnown: (id: string) => boolean;
  /** Undefined while the server does not return it. */
  readonly sentTextsOf: (id: string, signal: AbortSignal) => Promise<ServerTexts | undefined>;
  /** The time to keep looking, ms. */
  readonly giveUpAfter: number;
  /** Called before each wait with ms until the next attempt. */
  readonly onWait?: (ms: number) => void;
}

/** `similar`: new jobs with the same prompt and an unknown submitter. `sawAll`: the last attempt missed no job. */
export type LookedFor =
  | { readonly kind: 'found'; readonly id: string }
  | {
      readonly kind: 'notSeen';
      readonly similar: readonly string[];
      readonly sawAll: boolean;
      /** The server does not show what runs or waits there, and the job may be among it. */
      readonly queueUnknown?: true;
    };

/** No connection was established, so nothing of the submission can have left this machine. */
const neverConnected = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ERR_CONNECTION_REFUSED|ERR_NAME_NOT_RESOLVED/;
/** Delay before each attempt, ms; the last one repeats. A gateway may forward a submission much later. */
const waits = [0, 1_500, 4_000, 8_000, 15_000, 30_000] as const;
/** A job's time and an answer's time may come from two machines of one service, ms. */
const clockSlack = 120_000;

/** Whether the server may have accepted a submission without saying so. */
export function mayHaveArrived(error: unknown): boolean {
  if (!(error instanceof ServerError)) return false;
  if (error.cause instanceof Error && neverConnected.test(error.cause.message)) return false;
  if (error.status !== undefined && error.status < 500) return error.reason === 'unexpectedShape';
  // Too large is an answer without a status: such a long one may be an acceptance.
  return ['network', 'timeout', 'server', 'unexpectedShape', 'tooLarge'].includes(error.reason);
}

/** Whether the server itself answered: then nothing is on its way any more, and the job is there or it is not. */
export function wasAnswered(error: unknown): boolean {
  if (!(error instanceof ServerError)) return false;
  return (
    error.reason === 'unexpectedShape' ||
    error.reason === 'tooLarge' ||
    error.status === 500 ||
    error.status === 501
  );
}

/**
 * Looks repeatedly for the job of a lost answer: by the ID that was sent, or else by the key that comes back with the
 * job. Nothing is ever sent again, and the same prompt alone makes no job ours. While an unidentified new job is
 * live, it keeps looking, up to a limit.
 * @throws ServerError when the server can't be reached at the end either
 */
export async function findLostJob(lost: LostSubmission, signal: AbortSignal): Promise<LookedFor> {
  const search = new Search(lost);
  let looked = 0;
  for (let index = 0; ; index++) {
    const wait = waits[Math.min(index, waits.length - 1)] ?? 0;
    const isOver = looked + wait > (search.undecided ? budgets.longestLookOut : lost.giveUpAfter);
    if (isOver) return search.result();
    looked += wait;
    if (wait > 0) lost.onWait?.(wait);
    await abortableSleep(wait, signal);
    const id = await search.look(signal);
    if (id !== undefined) return { kind: 'found', id };
  }
}

class Search {
  readonly #lost: LostSubmission;
  readonly #sent: ExactValue;
  readonly #foreign = new Set<string>();
  readonly #similar = new Set<string>();
  undecided = false;
  #sawAll = false;
  #queueUnknown = false;
  #trouble: ServerError | undefined;

  constructor(lost: LostSubmission) {
    this.#lost = lost;
    this.#sent = parseExact(lost.promptText);
  }

  result(): LookedFor {
    if (this.#trouble) throw this.#trouble;
    return {
      kind: 'notSeen',
      similar: [...this.#similar],
      sawAll: this.#sawAll && !this.undecided,
      ...(this.#queueUnknown && { queueUnknown: true }),
    };
  }

  /** A server error ends only one attempt. */
  async look(signal: AbortSignal): Promise<string | undefined> {
    const { client, promptId } = this.#lost;
    try {
      if (promptId === undefined) {
        const id = await this.#lookThrough(signal);
        this.#trouble = undefined;
        return id;
      }
      const job = await client.job(promptId, signal);
      this.#queueUnknown = job?.isAssumed === true;
      this.#sawAll = !this.#queueUnknown;
      this.#trouble = undefined;
      return job?.isAssumed ? undefined : job?.id;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServerError)) throw error;
      this.#trouble = error;
      return undefined;
    }
  }

  async #lookThrough(signal: AbortSignal): Promise<string | undefined> {
    const { client, since, reach = since, isKnown, sentTextsOf, runKey } = this.#lost;
    const { jobs, hasMore, liveOnly, queueUnknown } = await client.jobs({ limit: 50 }, signal);
    this.undecided = false;
    this.#queueUnknown = queueUnknown === true;
    // A job that has ended in the meantime isn't in a list of live jobs.
    this.#sawAll =
      liveOnly !== true &&
      !this.#queueUnknown &&
      (!hasMore ||
        jobs.some(
          ({ createdAt }) => createdAt !== undefined && reach !== undefined && createdAt < reach - clockSlack,
        ));
    for (const { id, createdAt } of jobs) {
      if (isKnown(id) || this.#foreign.has(id)) continue;
      if (since !== undefined && createdAt !== undefined && createdAt < since - clockSlack) continue;
      const answered = await sentTextsOf(id, signal).catch((error: unknown) => ifMissing(error));
      if (answered?.runKey === runKey) return id;
      if (answered === undefined) this.undecided = true;
      else this.#foreign.add(id);
      if (answered && answered.runKey === undefined && this.#runsTheSame(answered.promptText))
        this.#similar.add(id);
    }
    return undefined;
  }

  #runsTheSame(text: string): boolean {
    try {
      return exactEquals(this.#sent, parseExact(text));
    } catch {
      return false;
    }
  }
}

/** A job that disappeared while it was read doesn't count. */
function ifMissing(error: unknown): undefined {
  if (!ServerError.is(error, 'notFound')) throw error;
  return undefined;
}
