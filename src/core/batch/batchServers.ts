import { abortableSleep } from '../client/timing';
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
}

/** Between two looks whether a server is back, ms. */
const lookEvery = 2_000;

export function serverStates(servers: readonly BatchServer[]): ServerState[] {
  return servers.map((server) => ({
    server,
    state: 'ready',
    message: undefined,
    live: 0,
    refused: new Set(),
  }));
}

/** Waits until a server answers again, or for as long as the batch is patient; not before it wants to be asked. */
export async function comesBack(
  { session }: Pick<BatchServer, 'session'>,
  { patience, wait }: { readonly patience: number; readonly wait: number },
  signal: AbortSignal,
): Promise<boolean> {
  if (wait > 0) await abortableSleep(wait, signal);
  for (let waited = 0; waited < patience; waited += lookEvery) {
    await abortableSleep(Math.min(lookEvery, patience - waited), signal);
    try {
      await session.tracker.refresh(signal);
      return true;
    } catch {
      signal.throwIfAborted();
    }
  }
  return false;
}
