import type { CancelResult } from '../jobs/cancelJobs';
import type { Job } from '../jobs/job';
import type { TrackerState } from '../jobs/trackerState';
import type { OutputFolder } from '../outputs/outputFolder';
import type { SavedOutput } from '../outputs/savedOutput';
import type { HideSecrets } from '../records/recordSecrets';
import type { OwnedRun } from './ownedRun';
import type { RunStage } from './runStage';
import type { SaveProgress } from './saveOutputs';

/** All that differs between the ways to start a run: window, command line, batch and test. */
export interface RunPorts {
  /** Where the record and the outputs go. */
  readonly folder: OutputFolder;
  /** Takes secrets out of what is written. */
  readonly hide: HideSecrets;
  /** Larger input files are not copied next to the record, bytes. */
  readonly mostKept: number;
  /** The workflow file: its path relative to the workspace or the working directory, and the hash to look for. */
  readonly source?: { readonly uri?: string | undefined; readonly hash?: string | undefined } | undefined;
  /** Ends the names of the files; a batch adds the number of its row. */
  readonly suffix?: string | undefined;
  readonly isSandbox: boolean;
  /** The server ends with this run's owner: nothing can be fetched from it later. */
  readonly endsWithOwner?: boolean | undefined;
  /** How long the server may be unreachable while a job is followed, ms awake. */
  readonly giveUpAfter: number;
  /** Save temporary outputs whatever else there is. */
  readonly temporaryToo?: boolean | undefined;
  /** What its owner remembers besides the record. */
  readonly pointers?: RunPointers | undefined;
  on?(event: RunEvent): void;
}

/** Points from the owner's own storage to the records of its runs. Neither fails a run. */
export interface RunPointers {
  /** Before the prompt is sent, and when the server is known to have accepted it. */
  put(run: OwnedRun): Promise<void>;
  /** The prompt was certainly not accepted. */
  remove(run: OwnedRun): Promise<void>;
}

export type RunEvent =
  | { readonly kind: 'stage'; readonly stage: RunStage }
  | { readonly kind: 'accepted'; readonly jobId: string }
  /** It is followed again; `job` is what the server says of it now, undefined if it doesn't know it. */
  | { readonly kind: 'resumed'; readonly jobId: string; readonly job: Job | undefined }
  /** The server has begun to run the job; may be told twice. */
  | { readonly kind: 'running'; readonly jobId: string }
  | { readonly kind: 'server'; readonly state: TrackerState }
  | { readonly kind: 'cancel'; readonly jobId: string; readonly result: CancelResult }
  | { readonly kind: 'notCancelled'; readonly jobId: string; readonly error: unknown }
  | { readonly kind: 'ended'; readonly job: Job }
  | { readonly kind: 'saving'; readonly progress: SaveProgress }
  /** These outputs are on disk; `isPart`: not all of them. */
  | {
      readonly kind: 'saved';
      readonly job: Job;
      readonly files: readonly SavedOutput[];
      readonly isPart: boolean;
    }
  | { readonly kind: 'notRecorded'; readonly error: unknown };
