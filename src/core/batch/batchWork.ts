import type { Job } from '../jobs/job';
import type { OutputFolder } from '../outputs/outputFolder';
import type { HideSecrets } from '../records/recordSecrets';
import type { SavedOutput } from '../outputs/expectedFile';
import type { PreparedPartnerNode } from '../runs/prepareRun';
import type { RunChoices } from '../runs/runChoices';
import type { RunCallbacks } from '../runs/runWorkflow';
import type { RunPointers } from '../runLife/ownedRun';
import type { RunSession } from '../runLife/runSession';
import type { StartedBatch } from './startedBatch';

/** The questions of a batch to the person, each asked once, whatever the number of rows. */
export interface BatchAsks extends Pick<RunCallbacks, 'localMedia' | 'mayUpload' | 'mayRunUnheard'> {
  maySpend(nodes: readonly PreparedPartnerNode[], rows: number): Promise<boolean>;
  /** Whether rows of a server that stopped answering may be paid for again on another one. */
  mayMovePaid(server: string): Promise<boolean>;
}

export interface BatchWork {
  readonly batch: Pick<StartedBatch, 'id' | 'label' | 'workflowHash' | 'isPaid' | 'axes'>;
  /** The workflow file's text, as when the batch was planned. */
  readonly workflowText: string;
  readonly uri?: { toString(): string } | undefined;
  /** The same for run records: relative to the workspace or the working directory. */
  readonly sourceUri?: string | undefined;
  readonly folder: OutputFolder;
  readonly choices: Pick<RunChoices, 'targets' | 'force' | 'allowLoss' | 'lookOut' | 'refuseUnheard'>;
  readonly temporaryToo?: boolean | undefined;
  readonly asks: BatchAsks;
  readonly partnerKey: (server: BatchServer) => Promise<string | undefined>;
  readonly hide: HideSecrets;
  readonly largestCopy: number;
  /** How long a server may be unreachable before its rows go to others, ms. */
  readonly giveUpAfter: number;
  /** A sandbox among the servers ends with the batch: nothing can be fetched from it later. */
  readonly sandboxEnds?: boolean | undefined;
  /** Rejects when another program has taken over the batch: awaited before each row is sent. */
  readonly requireOwn?: (() => Promise<void>) | undefined;
  /** What the owner keeps of each row that this server may have. */
  readonly pointers?: ((server: BatchServer) => RunPointers | undefined) | undefined;
  /** The record of a row could not be written while it was here. */
  readonly onNotRecorded?: ((row: number | undefined, error: unknown) => void) | undefined;
  readonly onSent?: ((row: number, jobId: string) => void) | undefined;
  /** The server has begun to run that job; it may be told twice. */
  readonly onRunning?: ((row: number, jobId: string) => void) | undefined;
  /** Everything that a job made is on disk. */
  readonly onSaved?: ((job: Job, files: readonly SavedOutput[]) => void) | undefined;
}

/** The caller owns the session. */
export interface BatchServer {
  /** For people, and unique among the servers of a batch. */
  readonly name: string;
  readonly session: RunSession;
  readonly isSandbox?: boolean | undefined;
  readonly window: number;
}
