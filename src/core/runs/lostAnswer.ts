import type { ExecutionClient } from '../client/execution';
import { abortableSleep } from '../client/timing';
import { exactEquals } from '../json/exactEquals';
import { parseExact } from '../json/exactReader';
import type { ExactValue } from '../json/exactValue';
import { ServerError } from '../protocol/serverError';

export interface LostSubmission {
  readonly client: Pick<ExecutionClient, 'job' | 'jobs'>;
  /** The id that was sent along; local servers only (protocol 1.5). */
  readonly promptId: string | undefined;
  readonly promptText: string;
  /** When the submission began, ms. */
  readonly since: number;
  /** Jobs that were known before. */
  readonly isKnown: (id: string) => boolean;
  /** The JSON text of the prompt that a job runs, where the server tells it. */
  readonly promptOf: (id: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Waits in ms before each look; a submission may still be on its way through the server. */
  readonly waits?: readonly number[];
}

/** The clocks of the two machines may differ by this much, ms. */
const clockDifference = 10 * 60_000;
const patience = [0, 1500, 4000];

/** No connection came about, so nothing of the submission can have left this machine. */
const neverConnected = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ERR_CONNECTION_REFUSED|ERR_NAME_NOT_RESOLVED/;

/** Whether the server may have taken a submission although it did not say so. */
export function mayHaveArrived(error: unknown): boolean {
  if (!(error instanceof ServerError)) return false;
  if (error.cause instanceof Error && neverConnected.test(error.cause.message)) return false;
  if (error.status !== undefined && error.status < 500) return error.reason === 'unexpectedShape';
  return ['network', 'timeout', 'server', 'unexpectedShape'].includes(error.reason);
}

/**
 * Looks for the job of a submission whose answer was lost: by the id that was sent, else among the new jobs by what
 * they run. Nothing is ever sent again. Undefined: the server was asked and has no such job.
 * @throws ServerError when the server cannot be asked either
 */
export async function findLostJob(lost: LostSubmission, signal: AbortSignal): Promise<string | undefined> {
  const waits = lost.waits ?? patience;
  for (const [index, wait] of waits.entries()) {
    await abortableSleep(wait, signal);
    try {
      const id = await look(lost, signal);
      if (id !== undefined) return id;
    } catch (error) {
      signal.throwIfAborted();
      if (index === waits.length - 1) throw error;
    }
  }
  return undefined;
}

async function look(lost: LostSubmission, signal: AbortSignal): Promise<string | undefined> {
  const { client, promptId, promptText, since, isKnown, promptOf } = lost;
  if (promptId !== undefined) return (await client.job(promptId, signal))?.id;
  const { jobs } = await client.jobs({ limit: 50 }, signal);
  const sent = parseExact(promptText);
  for (const { id, createdAt } of jobs) {
    if (isKnown(id) || (createdAt !== undefined && createdAt < since - clockDifference)) continue;
    const found = await promptOf(id, signal);
    if (found !== undefined && sameValue(sent, found)) return id;
  }
  return undefined;
}

function sameValue(sent: ExactValue, text: string): boolean {
  try {
    return exactEquals(sent, parseExact(text));
  } catch {
    return false;
  }
}
