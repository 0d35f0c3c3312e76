import type { JobDetail, JobListing } from '../protocol/jobRecord';
import type { ServerEvent } from '../protocol/serverEvent';
import type { Job, JobOrigin } from './job';

interface Observed {
  readonly server: string;
  /** When we learned it, ms since the epoch by our own clock. */
  readonly at: number;
}

/** Everything that can be learned about jobs, from any source. Nothing else ever changes one. */
export type JobObservation = Observed &
  (
    | {
        readonly kind: 'submitted';
        readonly id: string;
        readonly origin: JobOrigin;
        /** What events told an earlier program of it, by its record: they are not repeated. */
        readonly heard?: Pick<Job, 'outputs' | 'texts' | 'startedAt'> | undefined;
      }
    | { readonly kind: 'event'; readonly event: ServerEvent }
    | { readonly kind: 'listed'; readonly listing: JobListing }
    | { readonly kind: 'detail'; readonly detail: JobDetail }
    /** A complete snapshot of the queue: IDs, pending ones in the order they will run. */
    | { readonly kind: 'queued'; readonly running: readonly string[]; readonly pending: readonly string[] }
    | {
        readonly kind: 'gone';
        readonly id: string;
        /** When it was last known to be there, if this program knows: the time since then was no run. */
        readonly lastSeen?: number | undefined;
        readonly why?: Job['lostWhy'];
      }
    /** The server was asked and does not know the job now. It is asked again before it counts as gone. */
    | { readonly kind: 'unlisted'; readonly id: string; readonly lastSeen: number }
    /** Events about the job may not have been heard, up to now. */
    | { readonly kind: 'missed'; readonly id: string }
    | { readonly kind: 'cancelAsked'; readonly id: string }
    | { readonly kind: 'cancelRefused'; readonly id: string }
    /** The cancellation took effect, although the server keeps no trace of the job (protocol 1.9). */
    | { readonly kind: 'cancelSeen'; readonly id: string }
  );
