import type { PointerPort, RunEvent } from '../runLife/ownedRun';
import type { WorkPorts } from '../runLife/runWork';
import type { PreparedPartnerNode } from '../runs/prepareRun';
import type { RunChoices } from '../runs/runChoices';
import type { RunCallbacks } from '../runs/runWorkflow';
import type { RunSession } from '../runLife/runSession';
import type { StartedBatch } from './startedBatch';

/** The questions of a batch to the person, each asked once, whatever the number of rows. */
export interface BatchAsks extends Pick<RunCallbacks, 'localMedia' | 'mayUpload' | 'mayRunUnheard'> {
  maySpend(nodes: readonly PreparedPartnerNode[], rows: number): Promise<boolean>;
  /** Whether rows of a server that stopped answering may be paid for again on another one. */
  mayMovePaid(server: string): Promise<boolean>;
}

/** `giveUpAfter`: how long a server may be unreachable before its rows go to others, ms. */
export interface BatchWork extends Pick<
  WorkPorts,
  'runs' | 'folder' | 'hide' | 'largestCopy' | 'giveUpAfter' | 'temporaryToo' | 'requireOwn' | 'recorded'
> {
  readonly batch: Pick<StartedBatch, 'id' | 'label' | 'workflowHash' | 'isPaid' | 'axes'>;
  /** The workflow file's text, as when the batch was planned. */
  readonly workflowText: string;
  readonly uri?: { toString(): string } | undefined;
  /** The same for run records: relative to the workspace or the working directory. */
  readonly sourceUri?: string | undefined;
  readonly choices: Pick<RunChoices, 'targets' | 'force' | 'allowLoss' | 'lookOut' | 'refuseUnheard'>;
  readonly asks: BatchAsks;
  readonly partnerKey: (server: BatchServer) => Promise<string | undefined>;
  /** A sandbox among the servers ends with the batch: nothing can be fetched from it later. */
  readonly sandboxEnds?: boolean | undefined;
  /** What the owner keeps of each row that this server may have. */
  readonly pointers?: ((server: BatchServer) => PointerPort | undefined) | undefined;
  readonly onRun?: ((row: number, event: RunEvent) => void) | undefined;
}

/** The caller owns the session. */
export interface BatchServer {
  /** For people, and unique among the servers of a batch. */
  readonly name: string;
  readonly session: RunSession;
  readonly isSandbox?: boolean | undefined;
  readonly window: number;
}
