import type { Job } from '../jobs/job';
import type { SavedOutput } from '../outputs/expectedFile';
import type { LostWhy } from '../records/runRecord';
import type { OwedWhy } from './run';

/** An abort with this reason leaves a job on its server, owed: the window closes, or it was only watched. */
export class RunLeft extends Error {
  override readonly name = 'RunLeft';
}

/** How one attempt to finish a run ended. `files` are on disk. */
export type RunEnd =
  /** `saved`, `failed` and `cancelled`: everything that the job made is on disk. */
  | {
      readonly kind: 'saved' | 'failed' | 'cancelled' | 'outputsUnknown';
      readonly job: Job;
      readonly files: readonly SavedOutput[];
    }
  | { readonly kind: 'lost'; readonly why: LostWhy; readonly job?: Job | undefined }
  /** Something is, or may be, on the server: a later attempt asks again, and nothing is sent again. */
  | {
      readonly kind: 'owed';
      /** `left`: the wait was ended. */
      readonly why: OwedWhy | 'left';
      readonly job?: Job | undefined;
      readonly files: readonly SavedOutput[];
      readonly error?: unknown;
      /** `notSeen`: how long the prompt may still arrive, ms. */
      readonly mayArriveFor?: number;
    };
