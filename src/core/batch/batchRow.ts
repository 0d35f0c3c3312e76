import type { Finding } from '../check/finding';
import { sumOfCredits } from '../jobs/runPrice';
import type { ExecutionFailure } from '../protocol/serverEvent';

/**
 * `waiting`: nothing of it is on a server; `queued`: on its way to a server, or in its queue; `running`: being run, or
 * saved; `owed`: a server has it, or may have it, and this batch is not following it now. The others have ended.
 */
export type BatchRowState =
  'waiting' | 'queued' | 'running' | 'owed' | 'saved' | 'failed' | 'refused' | 'cancelled';

export interface BatchRow {
  /** From 0, in the order of the table. */
  readonly index: number;
  readonly state: BatchRowState;
  readonly server?: string | undefined;
  readonly job?: string | undefined;
  readonly record?: string | undefined;
  readonly message?: string | undefined;
  readonly failure?: ExecutionFailure | undefined;
  readonly findings?: readonly Finding[] | undefined;
  /** Credits of all jobs that were sent for it, as the servers told them: job -> credits. */
  readonly prices?: Readonly<Record<string, number>> | undefined;
}

/** What these rows cost, in credits; undefined if no server told. */
export function rowCredits(rows: readonly Pick<BatchRow, 'prices'>[]): number | undefined {
  return sumOfCredits(rows.flatMap(({ prices = {} }) => Object.values(prices)));
}

export type BatchCounts = Readonly<Record<BatchRowState, number>>;

export function countRows(rows: Iterable<BatchRow>): Record<BatchRowState, number> {
  const counts = {
    waiting: 0,
    queued: 0,
    running: 0,
    owed: 0,
    saved: 0,
    failed: 0,
    refused: 0,
    cancelled: 0,
  };
  for (const { state } of rows) counts[state]++;
  return counts;
}
