import type { JobStore } from '../../core/jobs/jobStore';
import type { RunSession } from '../../core/runs/runSession';
import type { OutputPlaces } from '../jobs/outputPlace';
import type { SavedOutputs } from '../jobs/savedOutputs';
import type { Log } from '../platform/log';
import type { Consent } from '../runs/consent';
import type { Servers } from '../servers/servers';
import type { ShownBatch } from './batches';
import type { BatchPlaces } from './unfinishedBatches';

/** What running batches needs of the window. */
export interface BatchParts {
  readonly log: Log;
  readonly store: JobStore;
  readonly servers: Servers;
  readonly places: OutputPlaces;
  readonly saved: SavedOutputs;
  readonly consent: Consent;
  /** How long a server may be unreachable, ms; two minutes by default: a restart takes less. */
  readonly patience?: number;
}

/** The same with what the window adds when it loads the rest. */
export interface ControllerParts extends BatchParts {
  readonly unfinished: BatchPlaces;
  readonly readySession: () => Promise<RunSession | undefined>;
  /** At most 10 times per second and batch. */
  readonly changed: (batch: ShownBatch) => void;
  /** A batch was added or removed. */
  readonly listed: () => void;
}
