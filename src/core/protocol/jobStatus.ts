export type ServerJobState = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface JobStatus {
  readonly state: ServerJobState;
  /** The server will not change this state again. */
  readonly terminal: boolean;
  /** The job is on its way to `state`, as with `cancel_requested` and `erroring`. */
  readonly moving: boolean;
}

const pending: JobStatus = { state: 'pending', terminal: false, moving: false };
const running: JobStatus = { state: 'running', terminal: false, moving: false };
const completed: JobStatus = { state: 'completed', terminal: true, moving: false };
const failed: JobStatus = { state: 'failed', terminal: true, moving: false };
const cancelled: JobStatus = { state: 'cancelled', terminal: true, moving: false };
const failing: JobStatus = { state: 'failed', terminal: false, moving: true };
const cancelling: JobStatus = { state: 'cancelled', terminal: false, moving: true };

const statuses: ReadonlyMap<string, JobStatus> = new Map([
  ...[
    'waiting_to_dispatch',
    'submitted',
    'queued_limited',
    'queued_waiting',
    'allocated',
    'preparing',
    'pending_execution',
    'pending',
    'queued',
  ].map((raw) => [raw, pending] as const),
  ...['executing', 'executed', 'uploading', 'in_progress', 'running'].map((raw) => [raw, running] as const),
  ...['success', 'completed', 'succeeded'].map((raw) => [raw, completed] as const),
  ...['error', 'non_retryable_error', 'retryable_error', 'lost', 'failed', 'expired'].map(
    (raw) => [raw, failed] as const,
  ),
  ['erroring', failing],
  ...['cancelled', 'canceled'].map((raw) => [raw, cancelled] as const),
  ...['cancel_requested', 'cancel_pending', 'cancelling_preparing', 'canceling', 'cancelling'].map(
    (raw) => [raw, cancelling] as const,
  ),
]);

/** Raw state of any server -> state (table in protocol 1.6). An unknown state counts as in flight. */
export function readJobState(raw: string): JobStatus {
  return statuses.get(raw.trim().toLowerCase()) ?? running;
}
