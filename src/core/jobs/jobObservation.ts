import type { JobDetail, JobListing } from '../protocol/jobRecord';
import type { ServerEvent } from '../protocol/serverEvent';
import type { JobOrigin } from './job';

interface Observed {
  /** Origin of the server that it is about. */
  readonly server: string;
  /** When we learned it, ms since the epoch by our own clock. */
  readonly at: number;
}

/** Everything that can be learned about jobs, from anywhere. Nothing else ever changes one. */
export type JobObservation = Observed &
  (
    | {
        readonly kind: 'submitted';
        readonly id: string;
        readonly origin: JobOrigin;
        /** 1 is next. */
        readonly queuePosition?: number | undefined;
      }
    | { readonly kind: 'event'; readonly event: ServerEvent }
    | { readonly kind: 'listed'; readonly listing: JobListing }
    | { readonly kind: 'detail'; readonly detail: JobDetail }
    /** A whole snapshot of the queue: ids, the pending ones in the order in which they will run. */
    | { readonly kind: 'queued'; readonly running: readonly string[]; readonly pending: readonly string[] }
    /** The server was asked and does not know the job any more. */
    | { readonly kind: 'gone'; readonly id: string }
    | { readonly kind: 'cancelAsked'; readonly id: string }
    /** The server did not take the request to cancel: the job goes on. */
    | { readonly kind: 'cancelRefused'; readonly id: string }
    /** The cancellation took effect, though the server keeps no trace of the job (protocol 1.9). */
    | { readonly kind: 'cancelSeen'; readonly id: string }
  );
