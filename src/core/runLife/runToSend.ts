import type { JobOrigin } from '../jobs/job';
import type { InputToKeep } from '../records/keepInputs';

/** A prompt that is ready to be sent: checked and seeded, with its files on the server. `core/runs` makes it. */
export interface RunToSend {
  /** The job's ID on local servers (protocol 1.5), and a key in the job's data on all. Lowercase UUID. */
  readonly promptId: string;
  /** Exactly as it will be posted. */
  readonly promptText: string;
  /** The graph, which servers write into images. */
  readonly workflowText: string | undefined;
  /** The only output nodes to run; empty for all. */
  readonly targets: readonly string[];
  readonly origin: JobOrigin;
  readonly inputs: readonly InputToKeep[];
  readonly warnings: readonly string[];
  /** Key for partner nodes: sent, and never recorded. */
  readonly partnerKey?: string | undefined;
  /** How long a job whose answer was lost is looked for, ms; by default what suits the server. */
  readonly lookOut?: number | undefined;
  /** Runs before what waits, which only a local server can do. */
  readonly next?: boolean | undefined;
  readonly neverWait?: boolean | undefined;
  /** Who gets the events of the job, in place of this program. */
  readonly clientId?: string | undefined;
}
