import { abortableSleep } from '../client/timing';
import { budgets } from '../safety/budgets';
import type { BatchServer } from './batchWork';

/** A server that the batch may use, as it stands. */
export interface ServerState {
  readonly server: BatchServer;
  /** `away`: not reachable now; `out`: no more rows for it. */
  state: 'ready' | 'away' | 'out';
  /** Why it is not ready. */
  message: string | undefined;
  live: number;
  /** Rows that it would refuse. */
  readonly refused: Set<number>;
  /** How it has put off rows since it last accepted one. */
  putOff: PutOff;
}

interface PutOff {
  readonly times: number;
  /** How long it was left alone for that, ms. */
  readonly waited: number;
}

export const neverPutOff: PutOff = { times: 0, waited: 0 };

/** Between two looks whether a server is back, ms. */
const lookEvery = 2_000;
/** A server that keeps putting off rows is asked at least this often, ms. */
const longestPause = 60_000;

/**
 * How long to leave a server alone that puts off a row again, ms: as long as it asks for, and longer each time.
 * Undefined once that is too long in all, as for a single run.
 */
export function pauseAfter({ times, waited }: PutOff, wanted: number): number | undefined {
  const pause = Math.max(wanted, Math.min(lookEvery * (2 ** times - 1), longestPause));
  return waited + pause > budgets.submissionWait ? undefined : pause;
}

export function serverStates(servers: readonly BatchServer[]): ServerState[] {
  return servers.map((server) => ({
    server,
    state: 'ready',
    message: undefined,
    live: 0,
    refused: new Set(),
    putOff: neverPutOff,
  }));
}

/** Waits until a server answers again, or for as long as the batch is patient; not before it wants to be asked. */
export async function comesBack(
  { session }: Pick<BatchServer, 'session'>,
  { giveUpAfter, wait }: { readonly giveUpAfter: number; readonly wait: number },
  signal: AbortSignal,
): Promise<boolean> {
  if (wait > 0) await abortableSleep(wait, signal);
  for (let waited = 0; waited < giveUpAfter; waited += lookEvery) {
    await abortableSleep(Math.min(lookEvery, giveUpAfter - waited), signal);
    try {
      await session.tracker.refresh(signal);
      return true;
    } catch {
      signal.throwIfAborted();
    }
  }
  return false;
}
